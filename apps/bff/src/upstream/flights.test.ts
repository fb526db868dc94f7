import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Flight, Flights } from './flights.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Flights that a test lands by hand, in the order in which they began. */
class Airfield {
  readonly flights = new Flights<string>();
  readonly begun: Flight[] = [];
  readonly #landings: { readonly resolve: (answer: string) => void; readonly reject: (error: Error) => void }[] = [];

  ask(key = 'meta', timeoutMs = 8_000, signal?: AbortSignal): Promise<string> {
    const timeoutError = () => new Error(`late: ${timeoutMs}`);
    return this.flights.by({ timeoutMs, signal, timeoutError })(key, this.start);
  }

  readonly start = (flight: Flight): Promise<string> => {
    this.begun.push(flight);
    return new Promise((resolve, reject) => this.#landings.push({ resolve, reject }));
  };

  land(place: number, answer: string | Error): void {
    const landing = this.#landings[place];
    if (typeof answer === 'string') landing?.resolve(answer);
    else landing?.reject(answer);
  }

  flight(place: number): Flight {
    const flight = this.begun[place];
    if (flight === undefined) throw new Error(`there is no flight ${place}`);
    return flight;
  }
}

describe('[INFO-23] a call under way', () => {
  it('is joined within a second of its start, and not after: a call that hangs takes nobody along who comes later', async () => {
    const field = new Airfield();
    const first = field.ask();
    vi.advanceTimersByTime(1_000);
    const joined = field.ask();
    expect(field.begun).toHaveLength(1);
    vi.advanceTimersByTime(1);
    const later = field.ask();
    expect(field.begun).toHaveLength(2);
    field.land(1, 'new');
    expect(await later).toBe('new');
    field.land(0, 'old');
    expect(await Promise.all([first, joined])).toEqual(['old', 'old']);
  });

  it('is not joined once it is closed: whoever asks later gets a state of its own time', async () => {
    const field = new Airfield();
    const first = field.ask();
    field.flight(0).close();
    const later = field.ask();
    expect(field.begun).toHaveLength(2);
    field.land(0, 'before');
    field.land(1, 'after');
    expect(await Promise.all([first, later])).toEqual(['before', 'after']);
  });

  it('is not joined by another question, nor once it is answered or failed', async () => {
    const field = new Airfield();
    const [one, other] = [field.ask('one'), field.ask('other')];
    expect(field.begun).toHaveLength(2);
    field.land(0, 'there');
    field.land(1, new Error('gone'));
    expect(await one).toBe('there');
    await expect(other).rejects.toThrow('gone');
    const again = [field.ask('one'), field.ask('other')];
    expect(field.begun).toHaveLength(4);
    field.land(2, '2');
    field.land(3, '3');
    expect(await Promise.all(again)).toEqual(['2', '3']);
  });

  it('closing an old call leaves a newer one joinable', () => {
    const field = new Airfield();
    void field.ask();
    vi.advanceTimersByTime(1_001);
    void field.ask();
    field.flight(0).close();
    void field.ask();
    expect(field.begun).toHaveLength(2);
  });

  it('goes on while anybody waits; the last to leave ends it, and who comes then has a call of its own', async () => {
    const field = new Airfield();
    const [a, b] = [new AbortController(), new AbortController()];
    const calls = [field.ask('meta', 8_000, a.signal), field.ask('meta', 8_000, b.signal)];
    let ended = 0;
    field.flight(0).onAbandoned = () => {
      ended += 1;
    };
    a.abort(new Error('a leaves'));
    await expect(calls[0]).rejects.toThrow('a leaves');
    expect([ended, field.flight(0).isAbandoned]).toEqual([0, false]);
    b.abort(new Error('b leaves'));
    await expect(calls[1]).rejects.toThrow('b leaves');
    expect([ended, field.flight(0).isAbandoned]).toEqual([1, true]);
    void field.ask();
    expect(field.begun).toHaveLength(2);
  });

  it('has the deadline of its most patient caller, and each caller hears of its own', async () => {
    const field = new Airfield();
    const [hasty, patient] = [field.ask('meta', 100), field.ask('meta', 500)];
    const heard = Promise.allSettled([hasty, patient]);
    expect(field.flight(0).deadline).toBe(performance.now() + 500);
    vi.advanceTimersByTime(100);
    expect(field.flight(0).isAbandoned).toBe(false);
    field.flight(0).setback = new Error('busy');
    vi.advanceTimersByTime(400);
    expect(field.flight(0).isAbandoned).toBe(true);
    expect(await heard).toMatchObject([{ reason: { message: 'late: 100' } }, { reason: { message: 'busy' } }]);
  });

  it('[BATCH-12] calls made side by side share one timer and one listener, which go with the last of them', async () => {
    const field = new Airfield();
    const { signal } = new AbortController();
    const join = field.flights.by({ timeoutMs: 100, signal, timeoutError: () => new Error('late') });
    const calls = ['a', 'b', 'c'].map((key) => join(key, field.start));
    expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([1, 1]);
    field.land(0, 'A');
    field.land(1, new Error('gone'));
    const heard = Promise.allSettled(calls);
    await Promise.allSettled(calls.slice(0, 2));
    expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([1, 1]);
    field.land(2, 'C');
    expect(await heard).toMatchObject([{ value: 'A' }, { reason: { message: 'gone' } }, { value: 'C' }]);
    expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  });

  it('[BATCH-13] calls made side by side end together, and one that is made later has what is left of the time', async () => {
    const field = new Airfield();
    const all = new AbortController();
    const join = field.flights.by({ timeoutMs: 100, signal: all.signal, timeoutError: () => new Error('late') });
    const first = join('a', field.start);
    field.land(0, 'A');
    await first;
    vi.advanceTimersByTime(60);
    const pair = Promise.allSettled(['b', 'c'].map((key) => join(key, field.start)));
    vi.advanceTimersByTime(39);
    expect(field.flight(1).isAbandoned).toBe(false);
    vi.advanceTimersByTime(1);
    expect([1, 2].map((place) => field.flight(place).isAbandoned)).toEqual([true, true]);
    expect(await pair).toMatchObject([{ reason: { message: 'late' } }, { reason: { message: 'late' } }]);

    const other = field.flights.by({ timeoutMs: 100, signal: all.signal, timeoutError: () => new Error('late') });
    const left = Promise.allSettled(['d', 'e'].map((key) => other(key, field.start)));
    all.abort(new Error('left'));
    expect(await left).toMatchObject([{ reason: { message: 'left' } }, { reason: { message: 'left' } }]);
    await expect(other('f', field.start)).rejects.toThrow('left');
    expect([field.begun.length, vi.getTimerCount()]).toEqual([5, 0]);
  });
});

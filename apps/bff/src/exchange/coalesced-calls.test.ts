import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CoalescedCall, CoalescedCalls } from './coalesced-calls.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** CoalescedCalls whose calls the test settles by hand, by the order in which they began. */
class Airfield {
  readonly flights = new CoalescedCalls<string>(() => performance.now());
  readonly begun: CoalescedCall[] = [];
  readonly #landings: { readonly resolve: (response: string) => void; readonly reject: (error: Error) => void }[] = [];

  ask(key = 'meta', timeoutMs = 8_000, signal?: AbortSignal, user?: string): Promise<string> {
    const timeoutError = () => new Error(`late: ${timeoutMs}`);
    return this.flights.by({ user, timeoutMs, signal, timeoutError })(key, this.start);
  }

  readonly start = (flight: CoalescedCall): Promise<string> => {
    this.begun.push(flight);
    return new Promise((resolve, reject) => this.#landings.push({ resolve, reject }));
  };

  land(place: number, response: string | Error): void {
    const landing = this.#landings[place];
    if (typeof response === 'string') landing?.resolve(response);
    else landing?.reject(response);
  }

  flight(place: number): CoalescedCall {
    const flight = this.begun[place];
    if (flight === undefined) throw new Error(`there is no flight ${place}`);
    return flight;
  }
}

describe('[INFO-23] a call in flight', () => {
  it('is joined only within a second of its start, so that a hanging call does not delay later callers', async () => {
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

  it('is not joined once it is closed, so that later callers get a newer state', async () => {
    const field = new Airfield();
    const first = field.ask();
    field.flight(0).close();
    const later = field.ask();
    expect(field.begun).toHaveLength(2);
    field.land(0, 'before');
    field.land(1, 'after');
    expect(await Promise.all([first, later])).toEqual(['before', 'after']);
  });

  it('is not joined by another query, or once it has succeeded or failed', async () => {
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

  it('stays joinable when an older call of the same query is closed', () => {
    const field = new Airfield();
    void field.ask();
    vi.advanceTimersByTime(1_001);
    void field.ask();
    field.flight(0).close();
    void field.ask();
    expect(field.begun).toHaveLength(2);
  });

  it('continues while any caller waits, ends when the last one leaves, and is then not joined', async () => {
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

  it('has the latest deadline of its callers, while each caller times out at its own', async () => {
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

  it('[BATCH-12] shares one timer and one listener with concurrent calls of its caller, removed with the last of them', async () => {
    const field = new Airfield();
    const { signal } = new AbortController();
    const join = field.flights.by({ user: undefined, timeoutMs: 100, signal, timeoutError: () => new Error('late') });
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

  it('[BATCH-13] ends together with concurrent calls of its caller, and a call made later gets the remaining time', async () => {
    const field = new Airfield();
    const all = new AbortController();
    const join = field.flights.by({
      user: undefined,
      timeoutMs: 100,
      signal: all.signal,
      timeoutError: () => new Error('late'),
    });
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

    const other = field.flights.by({
      user: undefined,
      timeoutMs: 100,
      signal: all.signal,
      timeoutError: () => new Error('late'),
    });
    const left = Promise.allSettled(['d', 'e'].map((key) => other(key, field.start)));
    all.abort(new Error('left'));
    expect(await left).toMatchObject([{ reason: { message: 'left' } }, { reason: { message: 'left' } }]);
    await expect(other('f', field.start)).rejects.toThrow('left');
    expect([field.begun.length, vi.getTimerCount()]).toEqual([5, 0]);
  });
});

describe('a caller that leaves', () => {
  const leaver = () => {
    const controller = new AbortController();
    return { signal: controller.signal, leave: () => controller.abort(new Error('left')) };
  };

  it('[BILL-23] before the call is sent is detached, and the last one ends the call', async () => {
    const field = new Airfield();
    const [a, b] = [leaver(), leaver()];
    const calls = [field.ask('meta', 8_000, a.signal, 'a'), field.ask('meta', 8_000, b.signal, 'b')];
    const left: unknown[] = [];
    field.flight(0).onUserLeft = (user) => left.push(user);
    a.leave();
    await expect(calls[0]).rejects.toThrow('left');
    expect([left, [...field.flight(0).users], field.flight(0).isAbandoned]).toEqual([['a'], ['b'], false]);
    b.leave();
    await expect(calls[1]).rejects.toThrow('left');
    expect([left, field.flight(0).isAbandoned]).toEqual([['a'], true]);
  });

  it('[BILL-24] after the call is sent stays attached until the response', async () => {
    const field = new Airfield();
    const a = leaver();
    const call = field.ask('meta', 8_000, a.signal, 'a');
    field.flight(0).sent();
    a.leave();
    expect(field.flight(0).isAbandoned).toBe(false);
    field.land(0, 'response');
    expect(await call).toBe('response');
  });

  it('[BILL-24] after the call is sent keeps its deadline', async () => {
    const field = new Airfield();
    const a = leaver();
    const call = field.ask('meta', 100, a.signal, 'a');
    field.flight(0).sent();
    a.leave();
    const heard = Promise.allSettled([call]);
    vi.advanceTimersByTime(100);
    expect(await heard).toMatchObject([{ reason: { message: 'late: 100' } }]);
    expect(field.flight(0).isAbandoned).toBe(true);
  });

  it('[BILL-23] is detached when the upstream did not accept the call and it must be sent again', async () => {
    const field = new Airfield();
    const a = leaver();
    const calls = [field.ask('meta', 8_000, a.signal, 'a'), field.ask('meta', 8_000, undefined, 'b')];
    field.flight(0).sent();
    a.leave();
    field.flight(0).unsent();
    await expect(calls[0]).rejects.toThrow('left');
    expect([...field.flight(0).users]).toEqual(['b']);
    field.land(0, 'response');
    expect(await calls[1]).toBe('response');
  });

  it('is detached at once if it is the service itself, sent or not', async () => {
    const field = new Airfield();
    const own = leaver();
    const call = field.ask('meta', 8_000, own.signal);
    field.flight(0).sent();
    own.leave();
    await expect(call).rejects.toThrow('left');
    expect(field.flight(0).isAbandoned).toBe(true);
  });
});

it('[UP-24] a call lists each of its users once, however many callers they have', async () => {
  const field = new Airfield();
  const controller = new AbortController();
  const calls = [field.ask('meta', 8_000, undefined, 'a')];
  const joined: unknown[] = [];
  const left: unknown[] = [];
  field.flight(0).onUserJoined = (user) => {
    if (user === 'full') throw new Error('no place');
    joined.push(user);
  };
  field.flight(0).onUserLeft = (user) => left.push(user);
  calls.push(field.ask('meta', 8_000, undefined, 'a'));
  const twice = [1, 2].map(() => field.ask('meta', 8_000, controller.signal, 'b'));
  await expect(field.ask('meta', 8_000, undefined, 'full')).rejects.toThrow('no place');
  expect([joined, [...field.flight(0).users]]).toEqual([['b'], ['a', 'b']]);
  controller.abort(new Error('left'));
  expect(await Promise.allSettled(twice)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  expect(left).toEqual(['b']);
  field.land(0, 'response');
  expect(await Promise.all(calls)).toEqual(['response', 'response']);
});

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
class TestCalls {
  readonly calls = new CoalescedCalls<string>(() => performance.now());
  readonly begun: CoalescedCall[] = [];
  readonly #pending: { readonly resolve: (response: string) => void; readonly reject: (error: Error) => void }[] = [];

  ask(key = 'meta', timeoutMs = 8_000, signal?: AbortSignal, user?: string): Promise<string> {
    const timeoutError = () => new Error(`late: ${timeoutMs}`);
    return this.calls.by({ user, timeoutMs, signal, timeoutError })(key, this.start);
  }

  readonly start = (call: CoalescedCall): Promise<string> => {
    this.begun.push(call);
    return new Promise((resolve, reject) => this.#pending.push({ resolve, reject }));
  };

  settle(place: number, response: string | Error): void {
    const pending = this.#pending[place];
    if (typeof response === 'string') pending?.resolve(response);
    else pending?.reject(response);
  }

  call(place: number): CoalescedCall {
    const call = this.begun[place];
    if (call === undefined) throw new Error(`there is no call ${place}`);
    return call;
  }
}

describe('[INFO-23] a call in flight', () => {
  it('is joined only within a second of its start, so that a hanging call does not delay later callers', async () => {
    const shared = new TestCalls();
    const first = shared.ask();
    vi.advanceTimersByTime(1_000);
    const joined = shared.ask();
    expect(shared.begun).toHaveLength(1);
    vi.advanceTimersByTime(1);
    const later = shared.ask();
    expect(shared.begun).toHaveLength(2);
    shared.settle(1, 'new');
    expect(await later).toBe('new');
    shared.settle(0, 'old');
    expect(await Promise.all([first, joined])).toEqual(['old', 'old']);
  });

  it('is not joined once it is closed, so that later callers get a newer state', async () => {
    const shared = new TestCalls();
    const first = shared.ask();
    shared.call(0).close();
    const later = shared.ask();
    expect(shared.begun).toHaveLength(2);
    shared.settle(0, 'before');
    shared.settle(1, 'after');
    expect(await Promise.all([first, later])).toEqual(['before', 'after']);
  });

  it('is not joined by another query, or once it has succeeded or failed', async () => {
    const shared = new TestCalls();
    const [one, other] = [shared.ask('one'), shared.ask('other')];
    expect(shared.begun).toHaveLength(2);
    shared.settle(0, 'there');
    shared.settle(1, new Error('gone'));
    expect(await one).toBe('there');
    await expect(other).rejects.toThrow('gone');
    const again = [shared.ask('one'), shared.ask('other')];
    expect(shared.begun).toHaveLength(4);
    shared.settle(2, '2');
    shared.settle(3, '3');
    expect(await Promise.all(again)).toEqual(['2', '3']);
  });

  it('stays joinable when an older call of the same query is closed', () => {
    const shared = new TestCalls();
    void shared.ask();
    vi.advanceTimersByTime(1_001);
    void shared.ask();
    shared.call(0).close();
    void shared.ask();
    expect(shared.begun).toHaveLength(2);
  });

  it('continues while any caller waits, ends when the last one leaves, and is then not joined', async () => {
    const shared = new TestCalls();
    const [a, b] = [new AbortController(), new AbortController()];
    const calls = [shared.ask('meta', 8_000, a.signal), shared.ask('meta', 8_000, b.signal)];
    let ended = 0;
    shared.call(0).onAbandoned = () => {
      ended += 1;
    };
    a.abort(new Error('a leaves'));
    await expect(calls[0]).rejects.toThrow('a leaves');
    expect([ended, shared.call(0).isAbandoned]).toEqual([0, false]);
    b.abort(new Error('b leaves'));
    await expect(calls[1]).rejects.toThrow('b leaves');
    expect([ended, shared.call(0).isAbandoned]).toEqual([1, true]);
    void shared.ask();
    expect(shared.begun).toHaveLength(2);
  });

  it('has the latest deadline of its callers, while each caller times out at its own', async () => {
    const shared = new TestCalls();
    const [hasty, patient] = [shared.ask('meta', 100), shared.ask('meta', 500)];
    const heard = Promise.allSettled([hasty, patient]);
    expect(shared.call(0).deadline).toBe(performance.now() + 500);
    vi.advanceTimersByTime(100);
    expect(shared.call(0).isAbandoned).toBe(false);
    shared.call(0).setback = new Error('busy');
    vi.advanceTimersByTime(400);
    expect(shared.call(0).isAbandoned).toBe(true);
    expect(await heard).toMatchObject([{ reason: { message: 'late: 100' } }, { reason: { message: 'busy' } }]);
  });

  it('[BATCH-12] shares one timer and one listener with concurrent calls of its caller, removed with the last of them', async () => {
    const shared = new TestCalls();
    const { signal } = new AbortController();
    const join = shared.calls.by({ user: undefined, timeoutMs: 100, signal, timeoutError: () => new Error('late') });
    const calls = ['a', 'b', 'c'].map((key) => join(key, shared.start));
    expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([1, 1]);
    shared.settle(0, 'A');
    shared.settle(1, new Error('gone'));
    const heard = Promise.allSettled(calls);
    await Promise.allSettled(calls.slice(0, 2));
    expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([1, 1]);
    shared.settle(2, 'C');
    expect(await heard).toMatchObject([{ value: 'A' }, { reason: { message: 'gone' } }, { value: 'C' }]);
    expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  });

  it('[BATCH-13] ends together with concurrent calls of its caller, and a call made later gets the remaining time', async () => {
    const shared = new TestCalls();
    const all = new AbortController();
    const join = shared.calls.by({
      user: undefined,
      timeoutMs: 100,
      signal: all.signal,
      timeoutError: () => new Error('late'),
    });
    const first = join('a', shared.start);
    shared.settle(0, 'A');
    await first;
    vi.advanceTimersByTime(60);
    const pair = Promise.allSettled(['b', 'c'].map((key) => join(key, shared.start)));
    vi.advanceTimersByTime(39);
    expect(shared.call(1).isAbandoned).toBe(false);
    vi.advanceTimersByTime(1);
    expect([1, 2].map((place) => shared.call(place).isAbandoned)).toEqual([true, true]);
    expect(await pair).toMatchObject([{ reason: { message: 'late' } }, { reason: { message: 'late' } }]);

    const other = shared.calls.by({
      user: undefined,
      timeoutMs: 100,
      signal: all.signal,
      timeoutError: () => new Error('late'),
    });
    const left = Promise.allSettled(['d', 'e'].map((key) => other(key, shared.start)));
    all.abort(new Error('left'));
    expect(await left).toMatchObject([{ reason: { message: 'left' } }, { reason: { message: 'left' } }]);
    await expect(other('f', shared.start)).rejects.toThrow('left');
    expect([shared.begun.length, vi.getTimerCount()]).toEqual([5, 0]);
  });
});

describe('a caller that leaves', () => {
  const leaver = () => {
    const controller = new AbortController();
    return { signal: controller.signal, leave: () => controller.abort(new Error('left')) };
  };

  it('[BILL-23] before the call is sent is detached, and the last one ends the call', async () => {
    const shared = new TestCalls();
    const [a, b] = [leaver(), leaver()];
    const calls = [shared.ask('meta', 8_000, a.signal, 'a'), shared.ask('meta', 8_000, b.signal, 'b')];
    const left: unknown[] = [];
    shared.call(0).onUserLeft = (user) => left.push(user);
    a.leave();
    await expect(calls[0]).rejects.toThrow('left');
    expect([left, [...shared.call(0).users], shared.call(0).isAbandoned]).toEqual([['a'], ['b'], false]);
    b.leave();
    await expect(calls[1]).rejects.toThrow('left');
    expect([left, shared.call(0).isAbandoned]).toEqual([['a'], true]);
  });

  it('[BILL-24] after the call is sent stays attached until the response', async () => {
    const shared = new TestCalls();
    const a = leaver();
    const call = shared.ask('meta', 8_000, a.signal, 'a');
    shared.call(0).sent();
    a.leave();
    expect(shared.call(0).isAbandoned).toBe(false);
    shared.settle(0, 'response');
    expect(await call).toBe('response');
  });

  it('[BILL-24] after the call is sent keeps its deadline', async () => {
    const shared = new TestCalls();
    const a = leaver();
    const call = shared.ask('meta', 100, a.signal, 'a');
    shared.call(0).sent();
    a.leave();
    const heard = Promise.allSettled([call]);
    vi.advanceTimersByTime(100);
    expect(await heard).toMatchObject([{ reason: { message: 'late: 100' } }]);
    expect(shared.call(0).isAbandoned).toBe(true);
  });

  it('[BILL-23] is detached when the upstream did not accept the call and it must be sent again', async () => {
    const shared = new TestCalls();
    const a = leaver();
    const calls = [shared.ask('meta', 8_000, a.signal, 'a'), shared.ask('meta', 8_000, undefined, 'b')];
    shared.call(0).sent();
    a.leave();
    shared.call(0).unsent();
    await expect(calls[0]).rejects.toThrow('left');
    expect([...shared.call(0).users]).toEqual(['b']);
    shared.settle(0, 'response');
    expect(await calls[1]).toBe('response');
  });

  it('is detached at once if it is the service itself, sent or not', async () => {
    const shared = new TestCalls();
    const own = leaver();
    const call = shared.ask('meta', 8_000, own.signal);
    shared.call(0).sent();
    own.leave();
    await expect(call).rejects.toThrow('left');
    expect(shared.call(0).isAbandoned).toBe(true);
  });
});

it('[UP-24] a call lists each of its users once, however many callers they have', async () => {
  const shared = new TestCalls();
  const controller = new AbortController();
  const calls = [shared.ask('meta', 8_000, undefined, 'a')];
  const joined: unknown[] = [];
  const left: unknown[] = [];
  shared.call(0).onUserJoined = (user) => {
    if (user === 'full') throw new Error('no place');
    joined.push(user);
  };
  shared.call(0).onUserLeft = (user) => left.push(user);
  calls.push(shared.ask('meta', 8_000, undefined, 'a'));
  const twice = [1, 2].map(() => shared.ask('meta', 8_000, controller.signal, 'b'));
  await expect(shared.ask('meta', 8_000, undefined, 'full')).rejects.toThrow('no place');
  expect([joined, [...shared.call(0).users]]).toEqual([['b'], ['a', 'b']]);
  controller.abort(new Error('left'));
  expect(await Promise.allSettled(twice)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  expect(left).toEqual(['b']);
  shared.settle(0, 'response');
  expect(await Promise.all(calls)).toEqual(['response', 'response']);
});

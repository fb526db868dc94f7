import type { User } from './shared-capacity.ts';

/** A started call, shared by all callers that wait for its response. */
export interface CoalescedCall {
  /** Whether no caller wants the response any more. */
  readonly isAbandoned: boolean;
  /** Called when that happens: what ends the step that is under way. A plain field, for a signal costs more than a small call. */
  onAbandoned: (() => void) | undefined;
  /** Who wants the result now, each once. */
  readonly users: Iterable<User>;
  /** Called when another user wants it too; what it throws refuses that user. */
  onUserJoined: ((user: User) => void) | undefined;
  /** Called when no caller of a user waits for it any more, but callers of others do. */
  onUserLeft: ((user: User) => void) | undefined;
  /** The latest time, on the clock of the calls, until which a caller waits for it. */
  readonly deadline: number;
  /** What currently delays the call: callers that time out meanwhile get this error instead of a timeout. */
  setback: Error | undefined;
  /** The request is on its way upstream: from now on a caller that leaves does not end its part (BILL-24). */
  sent(): void;
  /** The upstream did not take the request, which would have to be sent again: callers that have left end their part now. */
  unsent(): void;
  /** From now on no caller joins: later callers must not get an earlier result. */
  close(): void;
}

class SharedFlight<T> implements CoalescedCall {
  readonly startedAt: number;
  deadline = 0;
  setback: Error | undefined;
  isAbandoned = false;
  isSent = false;
  onAbandoned: (() => void) | undefined;
  onUserJoined: ((user: User) => void) | undefined;
  onUserLeft: ((user: User) => void) | undefined;
  readonly #onClose: () => void;
  readonly #waiters = new Set<Waiter<T>>();
  /** How many of them each user has. */
  readonly #waitersOf = new Map<User, number>();

  constructor(now: number, onClose: () => void) {
    this.startedAt = now;
    this.#onClose = onClose;
  }

  get users(): Iterable<User> {
    return this.#waitersOf.keys();
  }

  /** Begins the call, once its first waiter is there. */
  begin(start: (flight: CoalescedCall) => Promise<T>): void {
    start(this).then(
      (result) => this.#land((waiter) => waiter.resolve(result)),
      (error: unknown) => this.#land((waiter) => waiter.reject(error)),
    );
  }

  sent(): void {
    this.isSent = true;
  }

  unsent(): void {
    this.isSent = false;
    for (const waiter of this.#waiters) waiter.leaveIfCallerLeft();
  }

  close(): void {
    this.#onClose();
  }

  /** Throws what `onUserJoined` throws; the waiter is then not taken. */
  add(waiter: Waiter<T>): void {
    const { user, deadline } = waiter.group;
    const others = this.#waitersOf.get(user) ?? 0;
    if (others === 0) this.onUserJoined?.(user);
    this.#waitersOf.set(user, others + 1);
    this.deadline = Math.max(this.deadline, deadline);
    this.#waiters.add(waiter);
  }

  remove(waiter: Waiter<T>): void {
    if (!this.#waiters.delete(waiter)) return;
    const { user } = waiter.group;
    const others = (this.#waitersOf.get(user) ?? 1) - 1;
    if (others > 0) this.#waitersOf.set(user, others);
    else this.#waitersOf.delete(user);
    if (this.#waiters.size === 0) {
      this.close();
      this.isAbandoned = true;
      this.onAbandoned?.();
    } else if (others === 0) this.onUserLeft?.(user);
  }

  #land(tell: (waiter: Waiter<T>) => void): void {
    this.close();
    for (const waiter of this.#waiters) tell(waiter);
    this.#waiters.clear();
  }
}

/** A caller's part in one call. */
class Waiter<T> {
  readonly flight: SharedFlight<T>;
  readonly group: CallGroup<T>;
  readonly #resolve: (result: T) => void;
  readonly #reject: (error: unknown) => void;

  constructor(
    flight: SharedFlight<T>,
    group: CallGroup<T>,
    resolve: (result: T) => void,
    reject: (error: unknown) => void,
  ) {
    this.flight = flight;
    this.group = group;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  resolve(result: T): void {
    this.group.forget(this);
    this.#resolve(result);
  }

  reject(error: unknown): void {
    this.group.forget(this);
    this.#reject(error);
  }

  /** Ends this part before the call is over. */
  leave(error: unknown): void {
    this.flight.remove(this);
    this.reject(error);
  }

  /** What was sent for an account is finished, whether its caller is still there or not. */
  leaveIfCallerLeft(): void {
    const { left, user } = this.group;
    if (left === undefined || (this.flight.isSent && user !== undefined)) return;
    this.leave(left);
  }
}

/** Who asks, and for how long. */
export interface Caller {
  /** The account the call is for; undefined for the service itself. */
  readonly user: User;
  readonly timeoutMs: number;
  /** Aborts when the caller has left. Of an account's calls those that are not sent yet are dropped, the others finished. */
  readonly signal?: AbortSignal | undefined;
  /** The error it gets on timeout. */
  readonly timeoutError: () => Error;
}

/** The calls of one caller: one timer and one listener for all of them, whose number is what a batch costs. */
class CallGroup<T> {
  readonly user: User;
  readonly deadline: number;
  readonly #caller: Caller;
  readonly #now: () => number;
  readonly #waiters = new Set<Waiter<T>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(caller: Caller, now: () => number) {
    this.#caller = caller;
    this.#now = now;
    this.user = caller.user;
    this.deadline = now() + caller.timeoutMs;
  }

  /** Why the caller has left; undefined while it is there. */
  get left(): Error | undefined {
    const { signal } = this.#caller;
    return signal?.aborted === true ? (signal.reason as Error) : undefined;
  }

  add(waiter: Waiter<T>): void {
    if (this.#waiters.size === 0) this.#arm();
    this.#waiters.add(waiter);
  }

  forget(waiter: Waiter<T>): void {
    this.#waiters.delete(waiter);
    if (this.#waiters.size > 0) return;
    clearTimeout(this.#timer);
    this.#caller.signal?.removeEventListener('abort', this.#onAbort);
  }

  #arm(): void {
    this.#timer = setTimeout(this.#onTimeout, this.deadline - this.#now());
    this.#caller.signal?.addEventListener('abort', this.#onAbort);
  }

  readonly #onTimeout = (): void => {
    for (const waiter of this.#waiters) waiter.leave(waiter.flight.setback ?? this.#caller.timeoutError());
  };

  readonly #onAbort = (): void => {
    for (const waiter of this.#waiters) waiter.leaveIfCallerLeft();
  };
}

/** A call that hangs must not take along who comes later: after this time a new one is made. */
const JOINABLE_MS = 1_000;

/** Returns the response to the query `key`: from a call in flight, or from a new one that `start` makes. */
type Join<T> = (key: string, start: (flight: CoalescedCall) => Promise<T>) => Promise<T>;

/**
 * Calls in flight, by query: identical queries share one call until its response begins. Nothing outlives
 * the call. Each caller has a deadline and a signal of its own, and the call ends early only when the last one is gone.
 */
export class CoalescedCalls<T> {
  readonly #joinable = new Map<string, SharedFlight<T>>();
  readonly #now: () => number;

  /** `now` is monotonic time in ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Joins calls on behalf of one caller, whose time begins now. */
  by(caller: Caller): Join<T> {
    const group = new CallGroup<T>(caller, this.#now);
    return (key, start) => {
      const { left } = group;
      if (left !== undefined) return Promise.reject(left);
      return new Promise((resolve, reject) => {
        const now = this.#now();
        const known = this.#known(key, now);
        const flight = known ?? this.#create(key, now);
        const waiter = new Waiter(flight, group, resolve, reject);
        // Throws when the caller cannot join, which rejects this promise.
        flight.add(waiter);
        group.add(waiter);
        if (known === undefined) flight.begin(start);
      });
    };
  }

  #known(key: string, now: number): SharedFlight<T> | undefined {
    const known = this.#joinable.get(key);
    return known !== undefined && now - known.startedAt <= JOINABLE_MS ? known : undefined;
  }

  #create(key: string, now: number): SharedFlight<T> {
    const flight: SharedFlight<T> = new SharedFlight(now, () => {
      if (this.#joinable.get(key) === flight) this.#joinable.delete(key);
    });
    this.#joinable.set(key, flight);
    return flight;
  }
}

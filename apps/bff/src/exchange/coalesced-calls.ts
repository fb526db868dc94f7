import type { User } from './shared-capacity.ts';

/** A started call, shared by all callers that wait for its response. */
export interface CoalescedCall {
  /** Whether all callers have left. */
  readonly isAbandoned: boolean;
  /** Called when all callers have left, to end the current step. A plain field, because a signal costs more than a small call. */
  onAbandoned: (() => void) | undefined;
  /** The users who currently want the result, each listed once. */
  readonly users: Iterable<User>;
  /** Called when another user joins. If it throws, that user is refused with the error. */
  onUserJoined: ((user: User) => void) | undefined;
  /** Called when the last caller of a user has left while callers of other users still wait. */
  onUserLeft: ((user: User) => void) | undefined;
  /** The latest deadline of its callers, on the clock of the calls. */
  readonly deadline: number;
  /** What currently delays the call. Callers that time out meanwhile get this error instead of a timeout. */
  setback: Error | undefined;
  /** Marks the request as sent. From now on an account's waiter stays until the response, even if its caller leaves (BILL-24). */
  sent(): void;
  /** Marks the request as not sent, because it must be sent again. Detaches waiters whose callers have left. */
  unsent(): void;
  /** Stops further callers from joining: later callers must not get an earlier result. */
  close(): void;
}

class SharedCall<T> implements CoalescedCall {
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
  /** Number of waiters per user. */
  readonly #waitersOf = new Map<User, number>();

  constructor(now: number, onClose: () => void) {
    this.startedAt = now;
    this.#onClose = onClose;
  }

  get users(): Iterable<User> {
    return this.#waitersOf.keys();
  }

  /** Starts the call. The first waiter must have been added. */
  begin(start: (call: CoalescedCall) => Promise<T>): void {
    start(this).then(
      (result) => this.#settle((waiter) => waiter.resolve(result)),
      (error: unknown) => this.#settle((waiter) => waiter.reject(error)),
    );
  }

  sent(): void {
    this.isSent = true;
    for (const waiter of this.#waiters) waiter.onSent();
  }

  unsent(): void {
    this.isSent = false;
    for (const waiter of this.#waiters) {
      waiter.onUnsent();
      waiter.leaveIfCallerLeft();
    }
  }

  close(): void {
    this.#onClose();
  }

  /** Adds a waiter. Throws what `onUserJoined` throws; the waiter is then not added. */
  add(waiter: Waiter<T>): void {
    const { user, deadline } = waiter.group;
    const others = this.#waitersOf.get(user) ?? 0;
    if (others === 0) this.onUserJoined?.(user);
    this.#waitersOf.set(user, others + 1);
    this.deadline = Math.max(this.deadline, deadline);
    this.#waiters.add(waiter);
    if (this.isSent) waiter.onSent();
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

  #settle(tell: (waiter: Waiter<T>) => void): void {
    this.close();
    for (const waiter of this.#waiters) tell(waiter);
    this.#waiters.clear();
  }
}

/** One caller waiting for one shared call. */
class Waiter<T> {
  readonly call: SharedCall<T>;
  readonly group: CallGroup<T>;
  readonly #resolve: (result: T) => void;
  readonly #reject: (error: unknown) => void;
  #sentTimer: NodeJS.Timeout | undefined;

  constructor(
    call: SharedCall<T>,
    group: CallGroup<T>,
    resolve: (result: T) => void,
    reject: (error: unknown) => void,
  ) {
    this.call = call;
    this.group = group;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  resolve(result: T): void {
    this.#end();
    this.#resolve(result);
  }

  reject(error: unknown): void {
    this.#end();
    this.#reject(error);
  }

  /** Starts the caller's time for one call, if it has one. */
  onSent(): void {
    this.#sentTimer ??= this.group.onSent(this);
  }

  onUnsent(): void {
    clearTimeout(this.#sentTimer);
    this.#sentTimer = undefined;
  }

  #end(): void {
    this.onUnsent();
    this.group.forget(this);
  }

  /** Detaches from the call before it is over. */
  leave(error: unknown): void {
    this.call.remove(this);
    this.reject(error);
  }

  /** Detaches if the caller has left, unless the call was already sent for an account: such a call is always finished. */
  leaveIfCallerLeft(): void {
    const { left, user } = this.group;
    if (left === undefined || (this.call.isSent && user !== undefined)) return;
    this.leave(left);
  }
}

/** Who makes a call, and how long it waits. */
export interface Caller {
  /** The account the call is for; undefined for the service itself. */
  readonly user: User;
  readonly timeoutMs: number;
  /** Aborts when the caller has left. An account's unsent calls are dropped; those already sent are finished. */
  readonly signal?: AbortSignal | undefined;
  /** How long each call may take once it was sent. Default: until the timeout of all. */
  readonly sentTimeoutMs?: number | undefined;
  /** Creates the error that the caller gets when one of these times is over. */
  readonly timeoutError: (ms: number) => Error;
  /** The error for a call that was not sent by then. Default: the same error. */
  readonly unsentError?: (() => Error) | undefined;
}

/** The calls of one caller. They share one listener and the timer of the whole, because a batch makes many calls. */
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

  /** Why the caller has left; undefined if it has not. */
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

  /** Starts the timer of a call that was sent. */
  onSent(waiter: Waiter<T>): NodeJS.Timeout | undefined {
    const { sentTimeoutMs, timeoutError } = this.#caller;
    if (sentTimeoutMs === undefined) return undefined;
    return setTimeout(() => waiter.leave(timeoutError(sentTimeoutMs)), sentTimeoutMs);
  }

  #arm(): void {
    this.#timer = setTimeout(this.#onTimeout, this.deadline - this.#now());
    this.#caller.signal?.addEventListener('abort', this.#onAbort);
  }

  readonly #onTimeout = (): void => {
    const { timeoutMs, timeoutError, unsentError } = this.#caller;
    for (const waiter of this.#waiters) {
      const unsent = waiter.call.isSent ? undefined : unsentError?.();
      waiter.leave(waiter.call.setback ?? unsent ?? timeoutError(timeoutMs));
    }
  };

  readonly #onAbort = (): void => {
    for (const waiter of this.#waiters) waiter.leaveIfCallerLeft();
  };
}

/** A call older than this is not joined; a new one is made. A hanging call must not delay later callers. */
const JOINABLE_MS = 1_000;

/** Resolves with the response to the query `key`, from a call in flight or from a new one that `start` makes. */
type Join<T> = (key: string, start: (call: CoalescedCall) => Promise<T>) => Promise<T>;

/**
 * Calls in flight, by query. Identical queries share one call until its response begins; nothing is cached after the
 * call. Each caller has its own deadline and signal, and the call ends early only when the last caller has left.
 */
export class CoalescedCalls<T> {
  readonly #joinable = new Map<string, SharedCall<T>>();
  readonly #now: () => number;

  /** `now` is monotonic time in ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns a function that joins calls on behalf of one caller. Its timeout starts now. */
  by(caller: Caller): Join<T> {
    const group = new CallGroup<T>(caller, this.#now);
    return (key, start) => {
      const { left } = group;
      if (left !== undefined) return Promise.reject(left);
      return new Promise((resolve, reject) => {
        const now = this.#now();
        const known = this.#known(key, now);
        const call = known ?? this.#create(key, now);
        const waiter = new Waiter(call, group, resolve, reject);
        // Throws when the caller cannot join, which rejects this promise.
        call.add(waiter);
        group.add(waiter);
        if (known === undefined) call.begin(start);
      });
    };
  }

  #known(key: string, now: number): SharedCall<T> | undefined {
    const known = this.#joinable.get(key);
    return known !== undefined && now - known.startedAt <= JOINABLE_MS ? known : undefined;
  }

  #create(key: string, now: number): SharedCall<T> {
    const call: SharedCall<T> = new SharedCall(now, () => {
      if (this.#joinable.get(key) === call) this.#joinable.delete(key);
    });
    this.#joinable.set(key, call);
    return call;
  }
}

import { SharedCapacity, type User } from './shared-capacity.ts';
import { type WeightUse, WeightWindow } from './weight-window.ts';

/** Thrown when a call cannot be queued. */
export class NoTurn extends Error {
  /** `limit`: there is no capacity before the call's deadline. `queue`: the account's queue is full. */
  readonly reason: 'limit' | 'queue';
  /** When to try again. */
  readonly retryAfterMs: number;

  constructor(reason: NoTurn['reason'], retryAfterMs: number) {
    super(reason === 'limit' ? 'the request limit is used up' : 'too many calls of the account are waiting');
    this.name = 'NoTurn';
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface CallQueueOptions {
  /** Maximum number of calls in flight. */
  readonly connectionsMax: number;
  /** Maximum weight in any 60 s; undefined if the upstream does not count weight. */
  readonly weightPerMinute?: number | undefined;
  /** Maximum number of queued calls per account. */
  readonly waitingMax: number;
  /** Any monotonic clock, in ms. */
  readonly now: () => number;
  /** Runs once after `ms`; the returned function cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** The weight that the upstream counts for a call. */
export interface CallWeight {
  /** Counted for the request. */
  readonly base: number;
  /** Maximum that the response can add. */
  readonly extraMax: number;
}

/** Connections reserved for the service's own calls. */
const RESERVED_CONNECTIONS = 4;

/** Suggested retry delay after a full queue, which empties as the upstream responds. */
const FULL_QUEUE_RETRY_MS = 1_000;

type TurnState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'granted'; readonly user: User; readonly use: WeightUse | undefined }
  | { readonly kind: 'over' };

/** A call's turn. It waits in the queue of every user who wants the call, and holds a connection from grant until done. */
class Turn {
  readonly weight: CallWeight;
  /** The users in whose queues it waits. */
  readonly users = new Set<User>();
  state: TurnState = { kind: 'waiting' };
  onGranted: () => void = () => {};
  onCanceled: (reason: Error) => void = () => {};

  constructor(weight: CallWeight) {
    this.weight = weight;
  }

  get weightMax(): number {
    return this.weight.base + this.weight.extraMax;
  }

  /** Resolves when the call may be sent; rejects when the turn is canceled. Returns undefined if it is no longer waiting. */
  whenGranted(): Promise<void> | undefined {
    if (this.state.kind !== 'waiting') return undefined;
    return new Promise((resolve, reject) => {
      this.onGranted = resolve;
      this.onCanceled = reject;
    });
  }
}

export type { Turn };

/**
 * Decides which call goes upstream next. Each account has its own bounded FIFO queue; the service's own calls go first.
 * The next account is the one that will have used the least weight after its call, so shares are counted by weight and
 * not by calls. No account can take the capacity that is kept free for others (UP-24, UP-25).
 */
export class CallQueue {
  readonly #options: CallQueueOptions;
  readonly #connections: SharedCapacity;
  readonly #window: WeightWindow | undefined;
  readonly #queues = new Map<User, Turn[]>();
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | undefined;

  constructor(options: CallQueueOptions) {
    this.#options = options;
    this.#connections = new SharedCapacity(options.connectionsMax);
    this.#connections.reserve(RESERVED_CONNECTIONS);
    this.#window = options.weightPerMinute === undefined ? undefined : new WeightWindow(options.weightPerMinute);
  }

  /** Number of queued calls. A call that several accounts want counts once. */
  get waiting(): number {
    return new Set([...this.#queues.values()].flat()).size;
  }

  get underWay(): number {
    return this.#connections.used;
  }

  /** Weight used in the last 60 s; undefined if weight is not counted. */
  get weightUsed(): number | undefined {
    this.#window?.forget(this.#options.now());
    return this.#window?.used;
  }

  /** Reserves weight per minute for the service's own calls. */
  reserve(weight: number): void {
    this.#window?.reserve(weight);
  }

  /**
   * Queues a call for the users who want it. It is granted when the first of them gets a turn. Throws NoTurn if all of
   * their queues are full, or if there will be no capacity before `deadline`, a time on the queue's clock.
   */
  enter(users: Iterable<User>, weight: CallWeight, deadline: number): Turn {
    const turn = new Turn(weight);
    for (const user of users) if (this.#hasPlace(user)) this.#add(turn, user);
    if (turn.users.size === 0) throw new NoTurn('queue', FULL_QUEUE_RETRY_MS);
    this.#serve();
    if (turn.state.kind === 'granted') return turn;
    const now = this.#options.now();
    const at = Math.min(...[...turn.users].map((user) => this.#earliest(user, now)));
    if (at <= deadline) return turn;
    this.cancel(turn);
    throw new NoTurn('limit', at - now);
  }

  /** Adds a waiting call to another user's queue. Throws NoTurn if that queue is full. */
  join(turn: Turn, user: User): void {
    if (turn.state.kind !== 'waiting') return;
    if (!this.#hasPlace(user)) throw new NoTurn('queue', FULL_QUEUE_RETRY_MS);
    this.#add(turn, user);
    this.#serve();
  }

  /** Removes a waiting call from the queue of a user who no longer needs it. It stays in the queues of the others. */
  leave(turn: Turn, user: User): void {
    this.#remove(turn, user);
    this.#serve();
  }

  /** Removes a waiting call from all queues. It can no longer be granted. */
  cancel(turn: Turn): void {
    if (turn.state.kind !== 'waiting') return;
    turn.state = { kind: 'over' };
    for (const user of turn.users) this.#remove(turn, user);
    turn.onCanceled(new Error('the call was canceled by all callers'));
    this.#serve();
  }

  /** Ends a granted call: frees its connection and replaces the reserved maximum with its actual weight. */
  done(turn: Turn, extraWeight: number): void {
    if (turn.state.kind !== 'granted') return;
    const { user, use } = turn.state;
    turn.state = { kind: 'over' };
    this.#connections.add(user, -1);
    if (use !== undefined) {
      // The weight of the response counts from when it arrives.
      this.#window?.reduce(use, turn.weight.base);
      if (extraWeight > 0) this.#window?.use(user, extraWeight, this.#options.now());
    }
    this.#serve();
  }

  /** Grants no calls for `ms`, because the exchange reported that its limit is reached. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#options.now() + ms);
  }

  #hasPlace(user: User): boolean {
    return user === undefined || (this.#queues.get(user)?.length ?? 0) < this.#options.waitingMax;
  }

  #add(turn: Turn, user: User): void {
    const queue = this.#queues.get(user);
    if (queue === undefined) this.#queues.set(user, [turn]);
    else queue.push(turn);
    turn.users.add(user);
  }

  #remove(turn: Turn, user: User): void {
    const queue = this.#queues.get(user);
    if (queue === undefined || !turn.users.delete(user)) return;
    queue.splice(queue.indexOf(turn), 1);
    if (queue.length === 0) this.#queues.delete(user);
  }

  /** The earliest time at which the last call in a user's queue can be granted. */
  #earliest(user: User, now: number): number {
    const from = Math.max(now, this.#pausedUntil);
    if (this.#window === undefined) return from;
    const weights = (this.#queues.get(user) ?? []).map((turn) => turn.weightMax);
    return this.#window.earliest(user, weights, from);
  }

  /** Grants every turn that fits, and schedules itself for when weight leaves the window or a pause ends. */
  #serve(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#queues.size === 0) return;
    const now = this.#options.now();
    this.#window?.forget(now);
    if (this.#pausedUntil <= now) while (this.#serveNext(now));
    if (this.#queues.size === 0) return;
    const wakeAt = this.#pausedUntil > now ? this.#pausedUntil : this.#window?.nextRoomAt;
    if (wakeAt !== undefined) this.#cancelTimer = this.#options.after(Math.max(1, wakeAt - now), () => this.#serve());
  }

  #serveNext(now: number): boolean {
    for (const { user, turn } of this.#heads()) {
      const fits = [this.#connections.fit(user, 1), this.#window?.fit(user, turn.weightMax)];
      // Later users have used more and must not take the capacity that this one waits for.
      if (fits.includes('full')) return false;
      if (fits.includes('over-share')) continue;
      this.#grant(turn, user, now);
      return true;
    }
    return false;
  }

  /** The first call of each queue, in the order in which they may be granted. */
  #heads(): readonly { readonly user: User; readonly turn: Turn }[] {
    const heads = [...this.#queues].flatMap(([user, [turn]]) => {
      if (turn === undefined) return [];
      const weight = this.#window === undefined ? 0 : this.#window.usedBy(user) + turn.weightMax;
      return [{ user, turn, weight, calls: this.#connections.usedBy(user) }];
    });
    if (heads.length < 2) return heads;
    const rank = ({ user }: { readonly user: User }) => (user === undefined ? 0 : 1);
    return heads.sort((a, b) => rank(a) - rank(b) || a.weight - b.weight || a.calls - b.calls);
  }

  #grant(turn: Turn, user: User, now: number): void {
    for (const waiting of turn.users) this.#remove(turn, waiting);
    this.#connections.add(user, 1);
    turn.state = { kind: 'granted', user, use: this.#window?.use(user, turn.weightMax, now) };
    turn.onGranted();
  }
}

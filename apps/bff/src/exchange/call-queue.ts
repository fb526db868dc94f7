import { SharedCapacity, type User } from './shared-capacity.ts';
import { type WeightUse, WeightWindow } from './weight-window.ts';

/** A call cannot wait for its turn. */
export class NoTurn extends Error {
  /** `limit`: there is no room before its deadline. `queue`: the account has as many calls waiting as it may. */
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
  /** Most calls on their way at a time. */
  readonly connectionsMax: number;
  /** Most weight in any 60 s, where the upstream counts it. */
  readonly weightPerMinute?: number | undefined;
  /** Most waiting calls of one account. */
  readonly waitingMax: number;
  /** Any clock that only rises, in ms. */
  readonly now: () => number;
  /** Runs once after `ms`; the returned function cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** What the upstream counts for a call. */
export interface CallWeight {
  /** For asking. */
  readonly base: number;
  /** The most that its response can add. */
  readonly extraMax: number;
}

/** Connections kept for the service's own calls. */
const RESERVED_CONNECTIONS = 4;

/** When to try again after a full queue: it empties as the upstream responds. */
const FULL_QUEUE_RETRY_MS = 1_000;

type TurnState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'granted'; readonly user: User; readonly use: WeightUse | undefined }
  | { readonly kind: 'over' };

/** A call's turn: it waits in the queues of those who want it, and uses a connection from when it is granted until it is done. */
class Turn {
  readonly weight: CallWeight;
  /** In whose queues it waits. */
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

  /** Resolves when the call may go; undefined when it may go already. Rejects when the turn is canceled. */
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
 * Decides which call goes upstream next. Each account has a queue of its own, bounded and in the order of arrival; the
 * service's own calls go first. Among accounts the next is the one that will have used least after its call, so shares are
 * counted by weight and not by calls, and none takes what is kept free for the others (UP-24, UP-25).
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

  /** Calls that wait; one that several accounts want counts once. */
  get waiting(): number {
    return new Set([...this.#queues.values()].flat()).size;
  }

  get underWay(): number {
    return this.#connections.used;
  }

  /** In the last 60 s; undefined where it is not counted. */
  get weightUsed(): number | undefined {
    this.#window?.forget(this.#options.now());
    return this.#window?.used;
  }

  /** Keeps weight of each minute for the service's own calls. */
  reserve(weight: number): void {
    this.#window?.reserve(weight);
  }

  /**
   * Queues a call for the users who want it: it goes when the first of them has a turn. Throws NoTurn when they have too
   * many calls waiting, or when there will be no room before `deadline`, a time of the queue's clock.
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

  /** Lets a waiting call wait in the queue of another user too. Throws NoTurn when that is full. */
  join(turn: Turn, user: User): void {
    if (turn.state.kind !== 'waiting') return;
    if (!this.#hasPlace(user)) throw new NoTurn('queue', FULL_QUEUE_RETRY_MS);
    this.#add(turn, user);
    this.#serve();
  }

  /** Removes a waiting call from the queue of a user who no longer needs it; it stays in the queues of others. */
  leave(turn: Turn, user: User): void {
    this.#remove(turn, user);
    this.#serve();
  }

  /** Takes a waiting call out of all queues; nothing else ever happens to it. */
  cancel(turn: Turn): void {
    if (turn.state.kind !== 'waiting') return;
    turn.state = { kind: 'over' };
    for (const user of turn.users) this.#remove(turn, user);
    turn.onCanceled(new Error('the call was canceled by all callers'));
    this.#serve();
  }

  /** A granted call is over: its connection is free, and what it weighed is known. */
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

  /** Blocks all calls for a while: the exchange itself reported that its limit is reached. */
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

  /** When the last call of a user's queue can go at the earliest. */
  #earliest(user: User, now: number): number {
    const from = Math.max(now, this.#pausedUntil);
    if (this.#window === undefined) return from;
    const weights = (this.#queues.get(user) ?? []).map((turn) => turn.weightMax);
    return this.#window.earliest(user, weights, from);
  }

  /** Grants every turn that is due, and runs again when weight leaves the window. */
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
      // Those after it have used more and must not take the capacity it waits for.
      if (fits.includes('full')) return false;
      if (fits.includes('over-share')) continue;
      this.#grant(turn, user, now);
      return true;
    }
    return false;
  }

  /** The first call of each queue, in the order in which they may go. */
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

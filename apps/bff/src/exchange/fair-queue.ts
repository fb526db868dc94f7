import { UpstreamError } from './upstream-error.ts';

/** Who makes a call: an account, or the service itself (undefined). */
type User = string | undefined;

/** The weight that the upstream counts for a call. */
export interface CallWeight {
  readonly base: number;
  readonly extraMax: number;
}

export interface FairQueueOptions {
  readonly connectionsMax: number;
  /** Maximum weight in any 60 s; undefined if the upstream does not count weight. */
  readonly weightPerMinute?: number | undefined;
  readonly waitingMax: number;
  /** Any monotonic clock, in ms. */
  readonly now: () => number;
}

const WINDOW_MS = 60_000;

/** Connections reserved for the service's own calls. */
const RESERVED_CONNECTIONS = 4;

/** Suggested retry delay after a full queue, which empties as the upstream responds. */
const FULL_QUEUE_RETRY_MS = 1_000;

/** How much of what stays free one account may use: there is always room for an account that comes later (UP-24). */
const SHARE_OF_FREE = 4;

/** Whether an account that uses `mine` leaves enough of `free` if it takes `amount` more. Its first use may take all. */
export function isFairShare(mine: number, amount: number, free: number): boolean {
  return amount <= free && (mine === 0 || mine + amount <= SHARE_OF_FREE * (free - amount));
}

/** A capacity shared by accounts, with a reserve that only the service itself may use (UP-25). */
class Capacity {
  readonly #total: number;
  readonly #used = new Map<User, number>();
  #reserve = 0;
  used = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** Reserves `amount` for the service, at most half of the total. */
  reserve(amount: number): void {
    this.#reserve = Math.min(amount, Math.floor(this.#total / 2));
  }

  usedBy(user: User): number {
    return this.#used.get(user) ?? 0;
  }

  freeFor(user: User): number {
    const kept = user === undefined ? 0 : Math.max(0, this.#reserve - this.usedBy(undefined));
    return this.#total - this.used - kept;
  }

  /** `amount`, or the most that the user can ever get. */
  possible(user: User, amount: number): number {
    return Math.min(amount, user === undefined ? this.#total : this.#total - this.#reserve);
  }

  add(user: User, amount: number): void {
    this.used += amount;
    const mine = this.usedBy(user) + amount;
    if (mine === 0) this.#used.delete(user);
    else this.#used.set(user, mine);
  }
}

interface WeightUse {
  readonly at: number;
  readonly user: User;
  weight: number;
}

interface QueuedCall {
  readonly base: number;
  readonly weightMax: number;
  /** Set when the call may be sent. */
  permit: Permit | undefined;
  onPermit: (permit: Permit) => void;
}

/** The right to send one call. It holds a connection until it ends. */
export interface Permit {
  /** Frees the connection, and replaces the reserved maximum of the weight by what the call weighed. */
  end(extraWeight: number): void;
}

/**
 * Decides which call goes upstream next: the service's own first, then that of the account that has used the least
 * weight. Each use is stored until it leaves the window, so no 60 s ever exceed the limit (UP-4), as they could with a
 * refilling bucket.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #connections: Capacity;
  readonly #weight: Capacity;
  /** Oldest first. Empty if the upstream does not count weight. */
  readonly #uses: WeightUse[] = [];
  readonly #queues = new Map<User, QueuedCall[]>();
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#connections = new Capacity(options.connectionsMax);
    this.#connections.reserve(RESERVED_CONNECTIONS);
    this.#weight = new Capacity(options.weightPerMinute ?? Number.POSITIVE_INFINITY);
  }

  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.length, 0);
  }

  get inFlight(): number {
    return this.#connections.used;
  }

  /** Weight used in the last 60 s; undefined if it is not counted. */
  get weightUsed(): number | undefined {
    if (this.#options.weightPerMinute === undefined) return undefined;
    this.#forget(this.#options.now());
    return this.#weight.used;
  }

  reserve(weight: number): void {
    this.#weight.reserve(weight);
  }

  /** Grants no calls for `ms`, because the exchange reported that its limit is reached. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#options.now() + ms);
  }

  /** Resolves when the call may be sent. Rejects if the queue is full or has no capacity before `deadline`. */
  async enter(user: User, { base, extraMax }: CallWeight, deadline: number, signal: AbortSignal): Promise<Permit> {
    signal.throwIfAborted();
    const queue = this.#queues.get(user) ?? [];
    if (user !== undefined && queue.length >= this.#options.waitingMax)
      throw new UpstreamError({ kind: 'busy', retryAfterMs: FULL_QUEUE_RETRY_MS, reason: 'queue' });
    const weightMax = this.#weight.possible(user, base + extraMax);
    const call: QueuedCall = { base, weightMax, permit: undefined, onPermit() {} };
    this.#queues.set(user, queue);
    queue.push(call);
    this.#serve();
    if (call.permit !== undefined) return call.permit;
    const now = this.#options.now();
    const at = this.#earliest(user, queue, now);
    if (at > deadline) {
      this.#drop(user, call);
      throw new UpstreamError({ kind: 'busy', retryAfterMs: at - now, reason: 'limit' });
    }
    return this.#permitOf(user, call, signal);
  }

  #permitOf(user: User, call: QueuedCall, signal: AbortSignal): Promise<Permit> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#drop(user, call);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      call.onPermit = (permit) => {
        signal.removeEventListener('abort', leave);
        resolve(permit);
      };
    });
  }

  #drop(user: User, call: QueuedCall): void {
    this.#remove(user, call);
    this.#serve();
  }

  #remove(user: User, call: QueuedCall): void {
    const queue = this.#queues.get(user) ?? [];
    queue.splice(queue.indexOf(call), 1);
    if (queue.length === 0) this.#queues.delete(user);
  }

  /** The earliest time at which a user's whole queue can have been granted, as far as the uses in the window tell. */
  #earliest(user: User, queue: readonly QueuedCall[], now: number): number {
    let at = Math.max(now, this.#pausedUntil);
    const wanted = queue.reduce((sum, { weightMax }) => sum + weightMax, 0);
    let mine = this.#weight.usedBy(user);
    let free = this.#weight.freeFor(user);
    for (const use of this.#uses) {
      if (user === undefined ? wanted <= free : isFairShare(mine, wanted, free)) break;
      at = Math.max(at, use.at + WINDOW_MS);
      free += use.weight;
      if (use.user === user) mine -= use.weight;
    }
    return at;
  }

  /** Grants every permit that fits, and schedules itself for when weight leaves the window or a pause ends. */
  #serve(): void {
    clearTimeout(this.#timer);
    if (this.#queues.size === 0) return;
    const now = this.#options.now();
    this.#forget(now);
    if (this.#pausedUntil <= now) while (this.#serveNext(now));
    if (this.#queues.size === 0) return;
    const [oldest] = this.#uses;
    const wakeAt = this.#pausedUntil > now ? this.#pausedUntil : oldest && oldest.at + WINDOW_MS;
    if (wakeAt !== undefined) this.#timer = setTimeout(() => this.#serve(), Math.max(1, wakeAt - now));
  }

  #serveNext(now: number): boolean {
    for (const { user, call } of this.#heads()) {
      const free = this.#weight.freeFor(user);
      const connections = this.#connections.freeFor(user);
      // Later users have used more and must not take the capacity that this one waits for.
      if (call.weightMax > free || connections < 1) return false;
      const isFair =
        isFairShare(this.#weight.usedBy(user), call.weightMax, free) &&
        isFairShare(this.#connections.usedBy(user), 1, connections);
      if (user !== undefined && !isFair) continue;
      this.#grant(user, call, now);
      return true;
    }
    return false;
  }

  /** The first call of each queue, in the order in which they may be granted. */
  #heads(): readonly { readonly user: User; readonly call: QueuedCall }[] {
    const heads = [...this.#queues].flatMap(([user, [call]]) => {
      if (call === undefined) return [];
      const rank = user === undefined ? 0 : 1;
      const weight = this.#weight.usedBy(user) + call.weightMax;
      return [{ user, call, rank, weight, calls: this.#connections.usedBy(user) }];
    });
    return heads.sort((a, b) => a.rank - b.rank || a.weight - b.weight || a.calls - b.calls);
  }

  #grant(user: User, call: QueuedCall, now: number): void {
    this.#remove(user, call);
    this.#connections.add(user, 1);
    const use = this.#use(user, call.weightMax, now);
    call.permit = {
      end: (extraWeight) => {
        this.#connections.add(user, -1);
        if (use !== undefined && this.#uses.includes(use)) {
          const base = Math.min(use.weight, call.base);
          this.#weight.add(user, base - use.weight);
          use.weight = base;
        }
        // The weight of the response counts from when it arrives.
        if (extraWeight > 0) this.#use(user, this.#weight.possible(user, extraWeight), this.#options.now());
        this.#serve();
      },
    };
    call.onPermit(call.permit);
  }

  /** Counts weight as used, whether it fits or not. */
  #use(user: User, weight: number, at: number): WeightUse | undefined {
    if (this.#options.weightPerMinute === undefined) return undefined;
    const use = { at, user, weight };
    this.#uses.push(use);
    this.#weight.add(user, weight);
    return use;
  }

  #forget(now: number): void {
    while (this.#uses[0] !== undefined && this.#uses[0].at + WINDOW_MS <= now) {
      const { user, weight } = this.#uses[0];
      this.#weight.add(user, -weight);
      this.#uses.shift();
    }
  }
}

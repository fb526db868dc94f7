import type { CoinLease, FeedBookStatus, L4Feed } from '@l4desk/feed/core';
import type { Log } from '@l4desk/runtime';
import { type FencedPublisher } from './fenced-publisher.ts';
import type { LeaderStatus } from './frame.ts';
import { JoinedInterest } from './interest.ts';
import type { NatsSession } from './nats-link.ts';
import { SnapshotSubscription, serveSnapshots } from './snapshot-exchange.ts';

/** How often the leader reports its feed's health. */
const HEALTH_MS = 1_000;

/** How long a feed takes until its blocks include the texts for a new reader. */
const CARRIED_AFTER_MS = 100;

/** States in which there is a book. */
const WITH_BOOK: ReadonlySet<LeaderStatus['state']> = new Set(['live', 'stale']);

/** One term of the leading sequencer, with its own feed and epoch. It follows every coin that any gateway wants. */
export class LeadingTerm implements AsyncDisposable {
  readonly #feed: L4Feed;
  readonly #publisher: FencedPublisher;
  readonly #log: Log;
  readonly #interest: JoinedInterest;
  readonly #leases = new Map<string, CoinLease>();
  readonly #statuses = new Map<string, LeaderStatus>();
  /** Coins whose statuses any gateway reads in full, and coins whose blocks carry them. */
  readonly #allRead = new Set<string>();
  readonly #carried = new Set<string>();
  readonly #healthTimer: NodeJS.Timeout;
  #snapshots: SnapshotSubscription | null = null;

  constructor(feed: L4Feed, publisher: FencedPublisher, log: Log) {
    this.#feed = feed;
    this.#publisher = publisher;
    this.#log = log;
    this.#interest = new JoinedInterest(
      (coins) => this.#follow(coins),
      () => performance.now(),
      log,
    );
    feed.onBlock((block) => publisher.publish({ kind: 'block', block }));
    feed.onTrades((trades) => publisher.publish({ kind: 'trades', trades }));
    feed.onBookStatus((status) => this.#onStatus(status));
    this.#healthTimer = setInterval(() => this.#publishHealth(), HEALTH_MS);
    this.#publishHealth();
  }

  get gateways(): number {
    return this.#interest.gateways;
  }

  get pendingBytes(): number {
    return this.#publisher.pendingBytes;
  }

  /** The connection is open, for the first time or again. `snapshots` holds the requests for them since before the term began. */
  up(session: NatsSession, snapshots = new SnapshotSubscription(session)): void {
    const { term } = this.#publisher;
    const generation = (coin: string) => this.#statuses.get(coin)?.generation ?? 0;
    this.#snapshots = snapshots;
    serveSnapshots(snapshots, { term, feed: this.#feed, generation }, this.#log);
    this.#interest.listen(session).catch((error: unknown) => {
      // Gateways repeat their interest every two seconds.
      this.#log.debug({ err: error }, 'interest of the gateways not read');
    });
  }

  down(): void {
    this.#snapshots = null;
    this.#interest.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#healthTimer);
    this.#allRead.clear();
    this.#publisher.close();
    this.#interest.close();
    this.#snapshots?.end();
    await this.#feed[Symbol.asyncDispose]();
  }

  #follow(coins: ReadonlyMap<string, boolean>): void {
    for (const [coin, isAllRead] of coins) {
      const old = this.#leases.get(coin);
      if (old !== undefined && isAllRead === this.#allRead.has(coin)) continue;
      const reader = { statuses: isAllRead ? 'all' : 'book', deflate: false } as const;
      this.#leases.set(coin, this.#feed.acquire(coin, reader));
      old?.release();
      this.#carryAll(coin, isAllRead);
    }
    for (const [coin, lease] of this.#leases) {
      if (coins.has(coin)) continue;
      lease.release();
      this.#leases.delete(coin);
      this.#carryAll(coin, false);
    }
  }

  /** All statuses of a coin go to the stream only while a gateway has a reader of them, because they are 20 times the rest. */
  #carryAll(coin: string, isRead: boolean): void {
    this.#carried.delete(coin);
    if (!isRead) {
      this.#allRead.delete(coin);
      return;
    }
    this.#allRead.add(coin);
    // Blocks of an active coin show it sooner. Until then, blocks without all statuses may still be in flight from the feed.
    setTimeout(() => this.#carries(coin), CARRIED_AFTER_MS).unref();
  }

  #carries(coin: string): void {
    if (!this.#allRead.has(coin) || this.#carried.has(coin)) return;
    this.#carried.add(coin);
    this.#publishHealth();
  }

  #onStatus({ coin, state, reason }: FeedBookStatus): void {
    const before = this.#statuses.get(coin);
    const isLost = before !== undefined && WITH_BOOK.has(before.state) && !WITH_BOOK.has(state);
    const generation = (before?.generation ?? 0) + (isLost ? 1 : 0);
    const status: LeaderStatus = { state, reason, generation };
    this.#statuses.set(coin, status);
    this.#publisher.publish({ kind: 'status', coin, status });
  }

  #publishHealth(): void {
    const statuses = Object.fromEntries(this.#statuses);
    this.#publisher.publish({ kind: 'health', health: this.#feed.health(), statuses, allCarried: [...this.#carried] });
  }
}

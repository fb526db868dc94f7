import { decodeL4BookSnapshot } from '@l4desk/protocol';
import { Chance, FakeClock, KeptLog, until } from '@l4desk/testkit';
import type { CoinHealth, PublishedBlock } from '../api.ts';
import { type LocalFeed, openLocalFeed } from '../local/local-feed.ts';
import type { L4FeedSettings } from '../settings.ts';
import { FakeUpstream } from './fake-upstream.ts';

/** Time jumps in these tests, and no message or pong arrives within a jump; `server-source.test.ts` covers pings. */
export const TUNING = {
  pingAfterMs: Number.MAX_SAFE_INTEGER,
  silentAfterMs: Number.MAX_SAFE_INTEGER,
};

/** Result of a probe: the awaited value, or undefined or false while it is not there. */
type Probed<T> = T | undefined | false;

/** The turns of the event loop within which a message between feed and upstream is read. */
const READING_TURNS = 10;

const open: (() => unknown)[] = [];

/** Ends every rig and upstream of a test. */
export async function endRigs(): Promise<void> {
  for (const end of open.splice(0).toReversed()) await end();
}

/** A local feed, with what it published and helpers that wait for it. */
export abstract class LocalRig {
  abstract readonly feed: LocalFeed;
  readonly log = new KeptLog();
  readonly blocks: PublishedBlock[] = [];

  /** Waits until `read` returns something; a failure shows the feed's log. */
  until<T>(read: () => Probed<T> | Promise<Probed<T>>): Promise<T> {
    return until(() => this.comesToIt(), read, { longestPauseMs: 4 });
  }

  protected comesToIt(): string {
    return `the feed comes to it; its log:\n${this.log.lines.join('\n')}`;
  }

  coin(coin: string): CoinHealth | undefined {
    return this.feed.health().coins.find((item) => item.coin === coin);
  }

  /** Waits until a coin is live after this many rebuilds. */
  live(coin: string, rebuilds = 0): Promise<true> {
    return this.until(() => {
      const health = this.coin(coin);
      return health?.state === 'live' && health.rebuilds === rebuilds;
    });
  }

  /** Acquires coins and waits until they are live. */
  async hold(...coins: string[]): Promise<void> {
    for (const coin of coins) {
      this.feed.acquire(coin);
      await this.until(() => this.coin(coin)?.state === 'live');
    }
  }

  /** Waits until the feed has published the block of a height. */
  published(height: number): Promise<PublishedBlock> {
    return this.until(() => this.blocks.find((block) => block.height === height));
  }

  async snapshot(coin: string) {
    const { bytes } = await this.feed.snapshot(coin, 'identity', AbortSignal.timeout(120_000));
    return decodeL4BookSnapshot(JSON.parse(Buffer.from(bytes).toString()), coin);
  }

  /** Sequences of a coin's published entries, as `prev>seq`. */
  seqs(coin: string): string[] {
    return this.blocks.flatMap(({ entries }) =>
      entries.filter((entry) => entry.coin === coin).map(({ prevSeq, seq }) => `${prevSeq}>${seq}`),
    );
  }
}

/** A feed on a fake upstream, with a stopped clock. */
export class FeedRig extends LocalRig {
  readonly upstream: FakeUpstream;
  readonly feed: LocalFeed;
  readonly time = new FakeClock();

  constructor(upstream: FakeUpstream, settings: Partial<L4FeedSettings> = {}) {
    super();
    this.upstream = upstream;
    this.feed = openLocalFeed(
      {
        upstream: { dialect: 'l4Book', url: upstream.url },
        pinnedCoins: [],
        lingerMs: 30_000,
        auditMs: 60_000,
        reorderMs: 100,
        rebuildMaxMs: 30_000,
        tuning: TUNING,
        ...settings,
      },
      this.log,
      { clock: this.time, random: () => 0 },
    );
    this.feed.onBlock((block) => this.blocks.push(block));
    open.push(() => this.feed[Symbol.asyncDispose]());
  }

  static async start(coins: readonly string[], settings: Partial<L4FeedSettings> = {}): Promise<FeedRig> {
    const upstream = await FakeUpstream.start(coins, new Chance(11));
    open.push(() => upstream[Symbol.asyncDispose]());
    return new FeedRig(upstream, settings);
  }

  /** Like `until`, but advances time a little whenever sockets were read. */
  passUntil<T>(read: () => T | undefined | false): Promise<T> {
    let probes = 0;
    const pass = () => {
      probes += 1;
      if (probes % READING_TURNS === 0) this.time.advance(10);
      return read();
    };
    return until(() => this.comesToIt(), pass, { turns: 100_000, longestPauseMs: 4 });
  }

  /** Releases the next response that the upstream holds back, once there is one. */
  async release(): Promise<void> {
    await this.upstream.sees(() => this.upstream.held > 0);
    this.upstream.release();
  }

  /** Steps the upstream and waits until the feed has published it. */
  step(coins?: readonly string[]): Promise<PublishedBlock> {
    return this.published(this.upstream.step(coins).height);
  }

  /** The coin's served book; `truth` is what it should be. */
  async served(coin: string) {
    const { height, levels } = await this.snapshot(coin);
    return { height, levels };
  }

  truth(coin: string) {
    return { height: this.upstream.height, levels: this.upstream.book(coin).levels() };
  }
}

import { compareWithLevels, L4Book } from '@l4desk/book';
import { decodeL4BookSnapshot } from '@l4desk/protocol';
import { Chance, FakeClock, KeptLog, ScriptedService } from '@l4desk/testkit';
import type { CoinHealth, PublishedBlock } from '../api.ts';
import { type LocalFeed, openLocalFeed } from '../local/local-feed.ts';
import type { L4FeedSettings } from '../settings.ts';
import { untilHere } from './feed-rig.ts';

export const KEY = 'l4k_of the hosted&service';

/** A feed on a hosted service, with a stopped clock. */
export class ServiceRig implements AsyncDisposable {
  readonly service: ScriptedService;
  readonly feed: LocalFeed;
  readonly time = new FakeClock();
  readonly log = new KeptLog();
  readonly blocks: PublishedBlock[] = [];

  private constructor(service: ScriptedService, settings: Partial<L4FeedSettings>) {
    this.service = service;
    const url = `${service.url.replace('http', 'ws')}/stream/ws`;
    this.time.afterInput = (run) => setImmediate(run);
    this.feed = openLocalFeed(
      {
        upstream: {
          dialect: 'l4BookUpdates',
          url,
          infoUrl: `${service.url}/some/info`,
          apiKey: KEY,
        },
        pinnedCoins: [],
        lingerMs: 30_000,
        auditMs: 0,
        reorderMs: 1_000,
        rebuildMaxMs: 30_000,
        tuning: { pingAfterMs: Number.MAX_SAFE_INTEGER },
        ...settings,
      },
      this.log,
      { clock: this.time, random: () => 0 },
    );
    this.feed.onBlock((block) => this.blocks.push(block));
  }

  /** `prepare` is called before the feed connects. */
  static async start(
    coins: readonly string[],
    settings: Partial<L4FeedSettings> = {},
    prepare: (service: ScriptedService) => void = () => {},
  ): Promise<ServiceRig> {
    const service = await ScriptedService.start({ coins, chance: new Chance(23) });
    prepare(service);
    return new ServiceRig(service, settings);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.feed[Symbol.asyncDispose]();
    await this.service[Symbol.asyncDispose]();
  }

  until<T>(read: () => T | undefined | false): Promise<T> {
    return untilHere(() => `the feed comes to it; its log:\n${this.log.lines.join('\n')}`, read);
  }

  coin(coin: string): CoinHealth | undefined {
    return this.feed.health().coins.find((item) => item.coin === coin);
  }

  live(coin: string, rebuilds = 0): Promise<true> {
    return this.until(() => {
      const health = this.coin(coin);
      return health?.state === 'live' && health.rebuilds === rebuilds;
    });
  }

  async hold(...coins: string[]): Promise<void> {
    for (const coin of coins) {
      this.feed.acquire(coin);
      await this.until(() => this.coin(coin)?.state === 'live');
    }
  }

  /** Steps the hosted service and waits until the feed has published the block. */
  async step(coins?: readonly string[]): Promise<PublishedBlock> {
    const { block_height: height } = this.service.block(coins);
    return this.until(() => this.blocks.find((block) => block.height === height));
  }

  async served(coin: string) {
    const { bytes } = await this.feed.snapshot(coin, 'identity', AbortSignal.timeout(120_000));
    return decodeL4BookSnapshot(JSON.parse(Buffer.from(bytes).toString()), coin);
  }

  /** The difference between the served book and the hosted service's, order by order. */
  async difference(coin: string) {
    const { book } = L4Book.build(coin, (await this.served(coin)).levels);
    return compareWithLevels(this.service.book(coin).levels(), book);
  }

  seqs(coin: string): string[] {
    return this.blocks.flatMap(({ entries }) =>
      entries.filter((entry) => entry.coin === coin).map(({ prevSeq, seq }) => `${prevSeq}>${seq}`),
    );
  }

  said(): string[] {
    return this.service.said.map(({ method, subscription }) => `${method} ${JSON.stringify(subscription)}`);
  }
}

/** The body of the subscription to a coin. */
export const on = (coin: string) => `{"type":"l4BookUpdates","coin":"${coin}","status":true}`;

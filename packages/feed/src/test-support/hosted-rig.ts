import { compareWithLevels, L4Book } from '@l4desk/book';
import { Chance, FakeClock, ScriptedService } from '@l4desk/testkit';
import type { PublishedBlock } from '../api.ts';
import { type LocalFeed, openLocalFeed } from '../local/local-feed.ts';
import type { L4FeedSettings } from '../settings.ts';
import { LocalRig } from './feed-rig.ts';

export const KEY = 'l4k_of the hosted&service';

/** A feed on a hosted service, with a stopped clock. */
export class ServiceRig extends LocalRig implements AsyncDisposable {
  readonly service: ScriptedService;
  readonly feed: LocalFeed;
  readonly time = new FakeClock();

  private constructor(service: ScriptedService, settings: Partial<L4FeedSettings>) {
    super();
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

  /** Steps the hosted service and waits until the feed has published the block. */
  step(coins?: readonly string[]): Promise<PublishedBlock> {
    return this.published(this.service.block(coins).block_height);
  }

  /** The difference between the served book and the hosted service's, order by order. */
  async difference(coin: string) {
    const { book } = L4Book.build(coin, (await this.snapshot(coin)).levels);
    return compareWithLevels(this.service.book(coin).levels(), book);
  }

  said(): string[] {
    return this.service.said.map(({ method, subscription }) => `${method} ${JSON.stringify(subscription)}`);
  }
}

/** The body of the subscription to a coin. */
export const on = (coin: string) => `{"type":"l4BookUpdates","coin":"${coin}","status":true}`;

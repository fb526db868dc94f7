import { type LocalFeedDeps, openLocalFeed, type PublishedBlock } from '@l4desk/feed/core';
import { FakeUpstream, TUNING } from '@l4desk/feed/test-support';
import { decodeL4BookSnapshot } from '@l4desk/protocol';
import { Chance, FaultProxy, KeptLog, until } from '@l4desk/testkit';
import { NatsServer } from '@l4desk/testkit/nats';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { ClusterSequencer } from '../cluster-sequencer.ts';
import { batchesOf, GatewayFeed, type GatewayFeedSettings } from '../gateway-feed.ts';
import type { LeaseTimes } from '../lease.ts';
import { STREAM } from '../nats-link.ts';

/** A sequencer of a rig, with its own connection to NATS through a proxy that can be cut or stalled. */
export interface RigSequencer {
  readonly sequencer: ClusterSequencer;
  readonly way: FaultProxy;
  readonly log: KeptLog;
}

/** A gateway of a rig, with all blocks that it published. */
export interface RigGateway {
  readonly feed: GatewayFeed;
  readonly way: FaultProxy;
  readonly log: KeptLog;
  readonly blocks: readonly PublishedBlock[];
}

const QUICK_LEASE: LeaseTimes = { renewMs: 200, checkMs: 50, expiresMs: 4_000 };

const UPSTREAM_SEED = 29;

/** A NATS server, an upstream, and any number of sequencers and gateways, in this process. */
export class ClusterRig implements AsyncDisposable {
  readonly nats: NatsServer;
  readonly upstream: FakeUpstream;
  readonly #ends: (() => unknown)[] = [];
  #made = 0;

  private constructor(nats: NatsServer, upstream: FakeUpstream) {
    this.nats = nats;
    this.upstream = upstream;
  }

  static async start(coins: readonly string[] = ['BTC', 'ETH'], payloadMax?: number): Promise<ClusterRig> {
    const [nats, upstream] = await Promise.all([
      NatsServer.start({ payloadMax }),
      FakeUpstream.start(coins, new Chance(UPSTREAM_SEED)),
    ]);
    return new ClusterRig(nats, upstream);
  }

  async sequencer(times: LeaseTimes = QUICK_LEASE, lingerMs = 60_000, replicas = 1): Promise<RigSequencer> {
    const { way, log, cluster } = await this.#place('sequencer');
    const openFeed = () =>
      openLocalFeed(
        {
          upstream: { dialect: 'l4Book', url: this.upstream.url },
          pinnedCoins: [],
          lingerMs,
          auditMs: 600_000,
          reorderMs: 20,
          rebuildMaxMs: 30_000,
          tuning: TUNING,
        },
        log,
      );
    const sequencer = new ClusterSequencer({ ...cluster, replicas }, openFeed, log, times);
    this.#ends.push(() => sequencer[Symbol.asyncDispose]());
    return { sequencer, way, log };
  }

  async gateway(settings: Partial<GatewayFeedSettings> = {}, deps: LocalFeedDeps = {}): Promise<RigGateway> {
    const { way, log, cluster } = await this.#place('gateway');
    const all = { pinnedCoins: [], lingerMs: 0, rebuildMaxMs: 30_000, cluster, ...settings };
    const feed = new GatewayFeed(all, log, deps);
    const blocks: PublishedBlock[] = [];
    feed.onBlock((block) => blocks.push(block));
    this.#ends.push(() => feed[Symbol.asyncDispose]());
    return { feed, way, log, blocks };
  }

  /** Steps the upstream and waits until these gateways have the block. */
  async step(gateways: readonly RigGateway[], coins?: readonly string[]): Promise<void> {
    const { height } = this.upstream.step(coins);
    for (const gateway of gateways) {
      await told(gateway, 'the block', () => gateway.blocks.some((block) => block.height === height));
    }
  }

  /** Removes all messages of the stream, as its limits do with old ones. */
  async forgetStream(): Promise<void> {
    const connection = await connect({ servers: `127.0.0.1:${this.nats.port}` });
    await (await jetstreamManager(connection)).streams.purge(STREAM);
    await connection.close();
  }

  /** The served and the true book of a coin at a gateway. */
  async books({ feed }: RigGateway, coin: string) {
    const { bytes } = await feed.snapshot(coin, 'identity', AbortSignal.timeout(120_000));
    const { height, levels } = decodeL4BookSnapshot(JSON.parse(Buffer.from(bytes).toString()), coin);
    return {
      served: { height, levels },
      truth: { height: this.upstream.height, levels: this.upstream.book(coin).levels() },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ends.splice(0).toReversed()) await end();
    await this.upstream[Symbol.asyncDispose]();
    await this.nats[Symbol.asyncDispose]();
  }

  async #place(role: string) {
    this.#made += 1;
    const way = await FaultProxy.start(this.nats.port);
    this.#ends.push(() => way[Symbol.asyncDispose]());
    const cluster = { url: `nats://127.0.0.1:${way.port}`, id: `${role}-${this.#made}`, replicas: 1 };
    return { way, log: new KeptLog(), cluster };
  }
}

/** Waits until `read` returns something; a failure shows the log of the awaited process. */
export function told<T>(
  { log }: { readonly log: KeptLog },
  what: string,
  read: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  return until(() => `${what}; the log:\n${log.lines.join('\n')}`, read, { longestPauseMs: 4 });
}

/** Waits until a coin's book is live at a gateway. */
export function live(gateway: RigGateway, ...coins: readonly string[]): Promise<true> {
  return told(gateway, `${coins.join()} live`, () =>
    coins.every((coin) => gateway.feed.bookStatus(coin).state === 'live'),
  );
}

/** A coin's entries published by a gateway, as `epoch prev>seq checksum text`. */
export function handedOut({ blocks }: Pick<RigGateway, 'blocks'>, coin: string): readonly string[] {
  return blocks.flatMap(({ epoch, height, entries }) =>
    entries
      .filter((entry) => entry.coin === coin)
      .map((entry) => {
        const text = Buffer.from((entry.all ?? entry.book).plain).toString();
        return `${epoch} ${height} ${entry.prevSeq}>${entry.seq} ${entry.checksum ?? ''} ${text}`;
      }),
  );
}

/**
 * Gaps of a coin that a client of a gateway would see: entries of one epoch that do not follow one another.
 */
export function holes({ blocks }: RigGateway, coin: string): readonly string[] {
  const found: string[] = [];
  let last: { readonly epoch: string; readonly seq: number } | null = null;
  for (const block of blocks) {
    for (const { seq, prevSeq } of batchesOf(block).filter((batch) => batch.coin === coin)) {
      if (last !== null && last.epoch === block.epoch && prevSeq !== last.seq)
        found.push(`${prevSeq} after ${last.seq}`);
      last = { epoch: block.epoch, seq };
    }
  }
  return found;
}

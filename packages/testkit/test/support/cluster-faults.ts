import { setTimeout as pause } from 'node:timers/promises';
import { Chance, SpecClient, until } from '@l4desk/testkit';
import type { VenueBook } from '@l4desk/testkit/stack';
import { Client } from 'pg';
import type { ClusterMember } from './cluster.ts';
import { beginFault, type ClusterFault, type ClusterParts, PAUSE_MS } from './cluster-fault.ts';
import { ResumingClient } from './resuming-client.ts';

interface FaultRunOptions extends Omit<ClusterParts, 'gateway'> {
  readonly key: string;
  readonly coins: readonly string[];
  readonly clients: number;
  /** How many of them are written from the specification alone. The others are our library, and resume. */
  readonly specClients: number;
  readonly seed: number;
  /** Blocks between two faults, and the least while one lasts. */
  readonly blocksBetween: number;
  readonly blocksDuring: number;
  /** Whether the market also moves while a fault is undone, and the most blocks per second. */
  readonly blocksPerSecond?: number | undefined;
}

/** Books of the exchange to remember, for comparing a client's book at the same height. */
const HEIGHTS_KEPT = 400;

/** While clients reconnect, the market moves so rarely that all can reach the same block. */
const SETTLING_BLOCK_MS = 1_000;

/** A limit for hundreds of clients on a loaded machine. */
const SETTLED_WITHIN_MS = 240_000;

/** How many clients are checked after each block. */
const LOOKED_AT = 6;

const CALL = { type: 'openOrders', user: `0x${'7'.repeat(40)}` } as const;

/** Clients of a cluster whose parts fail, each on any gateway with snapshots from any other, and the checks on the cluster. */
export class FaultRun implements AsyncDisposable {
  readonly #options: FaultRunOptions;
  readonly #chance: Chance;
  readonly #clients: SpecClient[] = [];
  readonly #resuming: ResumingClient[] = [];
  readonly #books = new Map<string, Map<number, VenueBook['levels']>>();
  readonly epochs = new Set<string>();
  readonly #faults: string[] = [];
  #blocks = 0;
  #compared = 0;
  #longestMs = 0;
  #served = 0;
  #unknown = 0;
  #isOver = false;
  readonly #load: Promise<void>;

  constructor(options: FaultRunOptions) {
    this.#options = options;
    this.#chance = new Chance(options.seed);
    const { coins, key } = options;
    for (const coin of coins) this.#books.set(coin, new Map());
    const any = () => this.#gateway().url;
    const where = {
      // Another one for every call and every connection.
      get infoUrl() {
        return `${any()}/info`;
      },
      get streamUrl() {
        return `${any().replace('http', 'ws')}/ws`;
      },
      key,
      coins,
    };
    for (let count = 0; count < options.clients; count += 1) {
      if (count < options.specClients) this.#clients.push(new SpecClient(where));
      else this.#resuming.push(new ResumingClient(where));
    }
    for (const client of this.#clients) client.start();
    this.#load = this.#callOn();
  }

  /** Draws faults for this many blocks. */
  *drawn(blocks: number): Generator<ClusterFault> {
    const { postgres } = this.#options;
    const parts = [
      'leader',
      'standby',
      'gateway',
      'nats',
      ...(postgres === undefined ? [] : (['postgres'] as const)),
    ] as const;
    while (this.#blocks < blocks) {
      yield { kind: this.#chance.pick(['kill', 'stop', 'pause'] as const), what: this.#chance.pick(parts) };
    }
  }

  /**
   * Causes a fault while the market continues, undoes it, and waits until every client has every book again. Resolves with a
   * summary.
   */
  async through(fault: ClusterFault): Promise<string> {
    const what = `seed ${this.#chance.seed}, block ${this.#blocks}, ${JSON.stringify(fault)}`;
    this.#faults.push(`${fault.kind} ${fault.what}`);
    await this.#step(this.#options.blocksBetween);
    const { cluster, nats, postgres } = this.#options;
    const undo = await beginFault(fault, { cluster, nats, postgres, gateway: () => this.#gateway() });
    await this.#step(this.#options.blocksDuring);
    await this.#stepWhile(undo());
    const tookMs = await this.settled(what);
    return `block ${this.#blocks}, ${fault.kind} ${fault.what}: all exact again after ${tookMs} ms`;
  }

  /**
   * Waits until every client has the exchange's own books. The market moves a little from time to time, because losses show with
   * a block. Resolves with the time it took, in ms.
   */
  async settled(what: string): Promise<number> {
    const { coins, cluster } = this.#options;
    const since = performance.now();
    let found: readonly string[] = [];
    let movedAt = since;
    const log = () => [...cluster.sequencers, ...cluster.gateways].map((one) => one.log.slice(-2_000)).join('\n--\n');
    await until(
      () => `exact books behind ${what}: ${JSON.stringify(found)}\n${log()}`,
      async () => {
        if (performance.now() - movedAt > SETTLING_BLOCK_MS) {
          await this.#step(1);
          movedAt = performance.now();
        }
        const violations = [...this.#clients, ...this.#resuming].flatMap((client) => client.violations);
        if (violations.length > 0) throw new Error(`${what}: ${violations.slice(0, 3).join('; ')}`);
        found = this.#apart();
        if (found.length > 0) return false;
        const truths = await Promise.all(coins.map((coin) => cluster.venue.book(coin)));
        const books = truths.flatMap(({ coin, levels }) => [
          ...this.#clients.map((client) => client.book(coin)?.difference(levels)),
          ...this.#resuming.map((client) => client.difference(coin, levels)),
        ]);
        found = distinct(books);
        return found.length === 0;
      },
      { withinMs: SETTLED_WITHIN_MS },
    );
    const tookMs = Math.round(performance.now() - since);
    this.#longestMs = Math.max(this.#longestMs, tookMs);
    for (const client of this.#clients) this.epochs.add(client.position(coins[0] ?? '')?.epoch ?? '');
    return tookMs;
  }

  /** Returns the coins for which a client is not in step, or is at another position than the first client. */
  #apart(): readonly string[] {
    const [first] = this.#clients;
    return distinct(
      this.#options.coins.flatMap((coin) => {
        const place = first?.position(coin);
        return [...this.#clients, ...this.#resuming].map((client) => {
          const at = client.position(coin);
          if (at === undefined || place === undefined) return `no place of ${coin}`;
          return at.epoch === place.epoch && at.seq === place.seq ? undefined : `${coin} at ${at.seq} and ${place.seq}`;
        });
      }),
    );
  }

  /** Ends the calls. Resolves with what was served, what may have been without a response, and what the database has of it. */
  async charges(databaseUrl: string) {
    this.#isOver = true;
    await this.#load;
    const charged = async () => {
      const database = new Client({ connectionString: databaseUrl });
      await database.connect();
      const query =
        'select coalesce(sum(free_credits + premium_credits), 0)::int as credits from usage where kind = $1';
      const { rows } = await database.query<{ readonly credits: number }>(query, [CALL.type]);
      await database.end();
      return rows[0]?.credits ?? 0;
    };
    // A gateway replays its spool when it reaches the database again.
    await until('every response is charged', async () => (await charged()) >= this.#served);
    return { served: this.#served, unknown: this.#unknown, charged: await charged() };
  }

  report(): string {
    const gaps = this.#clients.flatMap((client) => client.gaps);
    const kinds = ['connection', 'epoch', 'prev_seq'].map(
      (kind) => `${gaps.filter((gap) => gap.kind === kind).length} ${kind}`,
    );
    return [
      `cluster: seed ${this.#chance.seed}, ${this.#blocks} blocks, ${this.#options.clients} clients of ${this.#options.coins.length} coins,`,
      `${this.#clients.length} of them written from the specification;`,
      `${this.#faults.length} faults (${counted(this.#faults)}), ${this.epochs.size} epochs; ${this.#compared} books compared at their height, none differed;`,
      `gaps seen: ${kinds.join(', ')};`,
      `coins of the other clients: ${this.#resumes('resumed')} resumed, ${this.#resumes('notResumed')} not;`,
      `longest until all were exact again ${this.#longestMs} ms`,
    ].join(' ');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#load;
    for (const client of [...this.#clients, ...this.#resuming]) await client[Symbol.asyncDispose]();
  }

  #gateway(): ClusterMember {
    const { gateways } = this.#options.cluster;
    const running = gateways.filter((gateway) => gateway.isRunning);
    return this.#chance.pick(running.length === 0 ? gateways : running);
  }

  #resumes(outcome: keyof ResumingClient['counts']): number {
    return this.#resuming.reduce((sum, { counts }) => sum + counts[outcome], 0);
  }

  async #step(blocks: number): Promise<void> {
    const { cluster, coins, blocksPerSecond } = this.#options;
    let remembering = Promise.resolve();
    for (let count = 0; count < blocks; count += 1) {
      const next = blocksPerSecond === undefined ? null : pause(1_000 / blocksPerSecond);
      await cluster.venue.step(1);
      this.#blocks += 1;
      // A book contains its own height, so the next block need not wait for it.
      await remembering;
      // At a high pace, one coin after another.
      const looked = next === null ? coins : coins.filter((_, place) => place === this.#blocks % coins.length);
      remembering = this.#remember(looked);
      if (next === null) await remembering;
      for (let compared = 0; compared < LOOKED_AT; compared += 1) this.#compare(this.#chance.pick(this.#clients));
      await next;
    }
    await remembering;
  }

  async #remember(coins: readonly string[]): Promise<void> {
    for (const { coin, height, levels } of await Promise.all(
      coins.map((name) => this.#options.cluster.venue.book(name)),
    )) {
      const books = this.#books.get(coin);
      books?.set(height, levels);
      books?.delete(height - HEIGHTS_KEPT);
    }
  }

  /** Makes blocks until the work is done, if a pace is set. */
  async #stepWhile(work: Promise<void>): Promise<void> {
    const state = { isDone: this.#options.blocksPerSecond === undefined };
    const done = work.finally(() => {
      state.isDone = true;
    });
    while (!state.isDone) await this.#step(1);
    await done;
  }

  /** Compares a client's books with the exchange's own books at the same height. */
  #compare(client: SpecClient): void {
    for (const coin of this.#options.coins) {
      const position = client.position(coin);
      const levels = this.#books.get(coin)?.get(position?.height ?? -1);
      if (position === undefined || levels === undefined) continue;
      const difference = client.book(coin)?.difference(levels);
      if (difference !== undefined)
        throw new Error(`seed ${this.#chance.seed}: ${coin} at ${JSON.stringify(position)}: ${difference}`);
      this.#compared += 1;
    }
  }

  /** Sends calls that cost a credit, one after another, to any gateway. */
  async #callOn(): Promise<void> {
    const headers = { Authorization: `Bearer ${this.#options.key}`, 'Content-Type': 'application/json' };
    while (!this.#isOver) {
      try {
        const response = await fetch(`${this.#gateway().url}/info`, {
          method: 'POST',
          headers,
          body: JSON.stringify(CALL),
          // A hanging gateway may still respond, but too late.
          signal: AbortSignal.timeout(PAUSE_MS),
        });
        await response.text();
        if (response.status === 200) this.#served += 1;
      } catch {
        this.#unknown += 1;
      }
      await pause(20);
    }
  }
}

function counted(names: readonly string[]): string {
  const distinct = [...new Set(names)].toSorted();
  return distinct.map((name) => `${names.filter((one) => one === name).length} ${name}`).join(', ');
}

function distinct(found: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(found.filter((one) => one !== undefined))].slice(0, 4);
}

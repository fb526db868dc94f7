import { createClient, l4BookSnapshot, ServiceError, TransportError } from '@l4desk/client';
import { Subscriptions } from '@l4desk/client/stream';
import type { BookLossReason, DecodedSnapshot } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import type { UpstreamBlock } from '../blocks/upstream-block.ts';
import { HostedCoin } from './hosted-coin.ts';
import { type HostedEntry, readHostedMessage } from './hosted-message.ts';
import type { L4Source, SourceDeps, SourceEvents, UpstreamSnapshot } from './source.ts';
import {
  type ConnectionSettings,
  MESSAGE_BYTES_MAX,
  MESSAGE_TOO_LONG,
  type Refusal,
  textOf,
  UpstreamConnection,
} from './upstream-connection.ts';

export interface HostedSourceSettings extends Omit<ConnectionSettings, 'compress'> {
  /** Complete URL of the query endpoint. */
  readonly infoUrl: string;
  readonly apiKey: string;
}

/** How long to wait for the first acknowledgement; the specification leaves open whether there is one (§6). */
const ACKNOWLEDGE_MS = 3_000;

/** The `l4BookUpdates` dialect: one socket, one subscription a coin, and loss reports (D54). */
export class HostedSource implements L4Source {
  readonly #events: SourceEvents;
  readonly #log: Log;
  readonly connection: UpstreamConnection;
  readonly executions = 'inferred';
  readonly #subscriptions: Subscriptions;
  readonly #fetch: (coin: string, signal: AbortSignal) => Promise<DecodedSnapshot>;
  readonly #coins = new Map<string, HostedCoin>();
  /** Height of the last batch of this connection. */
  readonly #stream = { height: 0 };

  constructor(
    settings: HostedSourceSettings,
    events: SourceEvents,
    deps: Pick<SourceDeps, 'clock' | 'random' | 'log'>,
  ) {
    const { clock, random, log } = deps;
    this.#events = events;
    this.#log = log;
    const { apiKey, infoUrl } = settings;
    const client = createClient({
      baseUrl: new URL(infoUrl).origin,
      apiKey,
      // The setting is the complete endpoint, whatever its path.
      fetch: async (_, init) => {
        const response = await fetch(infoUrl, init);
        return { status: response.status, headers: response.headers, text: () => boundedText(response) };
      },
    });
    this.#fetch = (coin, signal) => l4BookSnapshot(client, { coin }, { signal });
    this.connection = new UpstreamConnection(
      { ...settings, url: withKey(settings.url, apiKey), compress: true },
      {
        opened: () => {
          this.#subscriptions.opened();
          events.connected();
        },
        lost: (problem) => this.#onLost(problem),
        message: (text) => this.#onMessage(text),
        receiving: () => events.receiving(),
        silent: () => events.silent(),
        awaitsMessages: () => this.#coins.size > 0,
        isAtWork: () => false,
        advice,
      },
      clock,
      random,
      log,
    );
    this.#subscriptions = new Subscriptions(
      { statuses: 'all', status: true },
      {
        send: (method, subscription) => void this.connection.send({ method, subscription }),
        onSubscribed: (coins) => this.#forEach(coins, (coin) => coin.onSubscribed()),
        onAssumed: (coins) => this.#forEach(coins, (coin) => coin.onAssumed()),
        onRefused: (coins, message) => {
          for (const coin of coins) this.#lose(coin, 'refused', message);
        },
        onUnavailable: (coin, message) => this.#lose(coin, 'refused', message),
        afterAcknowledgeTime: (callback) => clock.after(ACKNOWLEDGE_MS, callback),
      },
    );
  }

  get progressAt(): number | null {
    return this.connection.partAt;
  }

  start(): void {
    this.connection.start();
  }

  join(coin: string): void {
    if (!this.connection.connected) return;
    this.#coins.set(
      coin,
      new HostedCoin({
        coin,
        fetch: (signal) => this.#fetch(coin, signal),
        problemOf: (error) => this.#snapshotProblem(coin, error),
        events: this.#events,
        lost: (reason, detail) => this.#lose(coin, reason, detail),
        stream: this.#stream,
      }),
    );
    this.#subscriptions.add([coin]);
  }

  leave(coin: string): void {
    this.#forget(coin);
    this.#subscriptions.remove([coin]);
  }

  hasNotResponded(coin: string): boolean {
    return this.#coins.get(coin)?.awaitsResponse ?? false;
  }

  reconnect(problem: string): void {
    this.connection.drop(problem);
  }

  async fetchSnapshot(coin: string, signal: AbortSignal): Promise<UpstreamSnapshot> {
    try {
      const snapshot = await this.#fetch(coin, signal);
      this.#coins.get(coin)?.compare(snapshot);
      return snapshot;
    } catch (error) {
      throw new Error(this.#snapshotProblem(coin, error), { cause: error });
    }
  }

  close(): void {
    for (const coin of this.#coins.keys()) this.#forget(coin);
    this.#subscriptions.closed();
    this.connection.close();
  }

  #forEach(coins: readonly string[], run: (coin: HostedCoin) => void): void {
    for (const name of coins) {
      const coin = this.#coins.get(name);
      if (coin !== undefined) run(coin);
    }
  }

  #forget(coin: string): void {
    this.#coins.get(coin)?.end();
    this.#coins.delete(coin);
  }

  #onLost(problem: string): void {
    const coins = [...this.#coins.keys()];
    for (const coin of coins) this.#forget(coin);
    this.#subscriptions.closed();
    this.#subscriptions.remove(coins);
    this.#stream.height = 0;
    this.#events.disconnected(problem);
  }

  #onMessage(text: string): void {
    const message = readHostedMessage(text);
    switch (message.kind) {
      case 'batch':
        this.#onBatch(message.epoch, message.height, message.entries);
        return;
      case 'bookStatus':
        this.#coins.get(message.status.coin)?.onStatus(message.status.state);
        return;
      case 'error':
        this.#log.warn({ message: message.message }, 'upstream L4 refused a request');
        this.#subscriptions.receive(message);
        return;
      case 'acknowledged':
        this.#subscriptions.receive(message);
        return;
      case 'other':
        return;
      case 'malformed':
        this.#onMalformed(message.coins, message.problem);
    }
  }

  #onBatch(epoch: string, height: number, entries: readonly HostedEntry[]): void {
    this.#stream.height = height;
    const blocks: UpstreamBlock[] = [];
    for (const entry of entries) {
      const block = this.#coins.get(entry.batch.coin)?.onEntry(entry) ?? null;
      if (block !== null) blocks.push(block);
    }
    for (const coin of this.#coins.values()) coin.onEpoch(epoch);
    if (blocks.length > 0) this.#events.blocks(blocks);
    this.#events.completeThrough(height);
  }

  #onMalformed(coins: readonly string[], problem: string): void {
    this.#log.warn({ problem, coins }, 'invalid upstream L4 message');
    for (const coin of coins) if (this.#coins.has(coin)) this.#lose(coin, 'malformed', problem);
    // A message that cannot be assigned to a coin may have concerned any of them.
    if (coins.length === 0) this.connection.drop('invalid message');
  }

  #lose(coin: string, reason: BookLossReason, detail: string): void {
    this.leave(coin);
    this.#events.lost(coin, reason, detail);
  }

  /** Describes why there is no snapshot, without host names. A refusal of the key is logged with advice. */
  #snapshotProblem(coin: string, error: unknown): string {
    if (error instanceof TransportError && error.cause instanceof ResponseTooLong) return error.cause.message;
    if (!(error instanceof ServiceError)) return error instanceof Error ? error.message : 'no snapshot';
    const what = advice({ kind: 'status', status: error.status });
    if (what !== null) this.#log.warn({ coin, code: error.code, advice: what }, 'upstream refused a snapshot');
    return error.message;
  }
}

/** A response of the query endpoint has more than `MESSAGE_BYTES_MAX` bytes after decompression. */
class ResponseTooLong extends Error {
  override readonly message = `the hosted service ${MESSAGE_TOO_LONG}`;
}

/** Reads a response, at most `MESSAGE_BYTES_MAX` bytes of it. */
async function boundedText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > MESSAGE_BYTES_MAX) throw new ResponseTooLong();
    pieces.push(piece);
  }
  return textOf(Buffer.concat(pieces));
}

function withKey(url: string, key: string): string {
  const whole = new URL(url);
  whole.searchParams.set('key', key);
  return whole.href;
}

/** Advice to the operator about a refused key (AUTH-4, AUTH-9). */
function advice(refusal: Refusal): string | null {
  const code = refusal.kind === 'status' ? refusal.status : refusal.code - 4_000;
  if (code === 401) return 'UPSTREAM_API_KEY is unknown to the hosted service or was revoked: set a valid key';
  if (code === 402) return 'UPSTREAM_API_KEY has no credits left: raise its plan, or wait for the next month';
  if (code === 403) return 'UPSTREAM_API_KEY must be an API key, not a ServiceKey';
  return null;
}

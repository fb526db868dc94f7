import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Relay } from '@l4desk/feed';
import { LedgerError, type Meter } from '@l4desk/ledger';
import {
  ApiError,
  CLIENT_FRAME_BYTES_MAX,
  CLIENT_MESSAGES_PER_SECOND_MAX,
  CONNECTION_COINS_MAX,
  RESUME_BYTES_MAX,
  RESUME_MS,
  STREAM_CONNECTIONS_PER_KEY_MAX,
  SUBSCRIPTION_COINS_MAX,
  UNSENT_BYTES_MAX,
  UNSENT_BYTES_TOTAL_MAX,
} from '@l4desk/protocol';
import { FakeClock, KeptLog, RawSocket } from '@l4desk/testkit';
import { FakeFeed } from '@l4desk/testkit/service';
import type { CoinClass, CoinUniverse } from '../../exchange/universe.ts';
import type { Authoriser, Principal } from '../../http/auth/principal.ts';
import type { JsonObject } from '../../http/body.ts';
import { type JsonResponse, plainResponse } from '../../http/respond.ts';
import type { InfoService } from '../../info/info-service.ts';
import type { InfoCall, InfoKind } from '../../info/kind.ts';
import type { StreamLimits } from '../limits.ts';
import { Stream } from '../stream.ts';

/** The default limits. */
const STREAM_LIMITS: StreamLimits = {
  connectionsPerKeyMax: STREAM_CONNECTIONS_PER_KEY_MAX,
  subscriptionCoinsMax: SUBSCRIPTION_COINS_MAX,
  connectionCoinsMax: CONNECTION_COINS_MAX,
  messagesPerSecondMax: CLIENT_MESSAGES_PER_SECOND_MAX,
  frameBytesMax: CLIENT_FRAME_BYTES_MAX,
  unsentBytesMax: UNSENT_BYTES_MAX,
  unsentBytesTotalMax: UNSENT_BYTES_TOTAL_MAX,
  resumeMs: RESUME_MS,
  resumeBytesMax: RESUME_BYTES_MAX,
  pingMs: 20_000,
  recheckMs: 30_000,
};

/** A client of the stream that records everything it receives, in order. */
export class StreamClient {
  readonly texts: string[] = [];
  readonly violations: string[] = [];
  closed: { readonly code: number; readonly reason: string } | null = null;
  #socket: RawSocket | null = null;
  #onChange: () => void = () => {};

  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<StreamClient> {
    const client = new StreamClient();
    const handlers = {
      onText: (text: string) => {
        client.texts.push(text);
        client.#onChange();
      },
      onClose: (code: number, reason: string) => {
        client.closed = { code, reason };
        client.#onChange();
      },
      onViolation: (what: string) => client.violations.push(what),
    };
    client.#socket = await RawSocket.open(url, handlers, headers);
    return client;
  }

  get socket(): RawSocket {
    if (this.#socket === null) throw new Error('not open yet');
    return this.#socket;
  }

  send(message: unknown): void {
    this.socket.sendText(typeof message === 'string' ? message : JSON.stringify(message));
  }

  subscribe(subscription: object): void {
    this.send({ method: 'subscribe', subscription: { type: 'l4BookUpdates', ...subscription } });
  }

  /** Waits until `read` returns a value for what was received. */
  async until<T>(read: (client: this) => T | undefined | false | null): Promise<T> {
    for (;;) {
      const value = read(this);
      if (value !== undefined && value !== false && value !== null) return value;
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
    }
  }

  /** Waits for this many messages and resolves with all of them, parsed. */
  async messages(count: number): Promise<readonly unknown[]> {
    await this.until(() => this.texts.length >= count);
    return this.texts.map((text) => JSON.parse(text));
  }

  /** Sends a ping and waits for its pong, after which everything sent before has been handled. */
  async settled(): Promise<void> {
    const pongs = () => this.texts.filter((text) => text === '{"channel":"pong"}').length;
    const before = pongs();
    this.send({ method: 'ping' });
    await this.until(() => pongs() > before);
    this.texts.splice(this.texts.lastIndexOf('{"channel":"pong"}'), 1);
  }
}

const SERVED = new Set(['BTC', 'ETH', 'SOL', 'xyz:GOLD']);

/** A universe of a few coins. */
class FakeUniverse implements CoinUniverse {
  isLoaded = true;

  classify(coin: string): CoinClass {
    if (coin.startsWith('@') || coin.includes('/') || coin.startsWith('#')) return 'unsupported';
    return SERVED.has(coin) || /^C\d{1,3}$/.test(coin) ? 'served' : 'unknown';
  }
}

/**
 * Treats keys by their names: `good…` is a valid API key, `service…` a ServiceKey, and anything else is not a key. The text
 * after an @ is the account.
 */
class KeyRing implements Authoriser {
  readonly revoked = new Set<string>();
  /** Credentials that the database never looks up. */
  readonly stuck = new Set<string>();
  /** Simulates an unreachable database. */
  broken = false;
  asked = 0;

  async authorise(request: IncomingMessage): Promise<Principal | ApiError> {
    const key = new URL(request.url ?? '', 'http://localhost').searchParams.get('key') ?? '';
    if (key.startsWith('service')) return new ApiError('wrong_credential', 'The stream needs an API key.');
    if (!key.startsWith('good') || this.revoked.has(key)) {
      return new ApiError('unauthorized', 'The stream needs a valid API key in ?key=.');
    }
    return { accountId: key.split('@')[1] ?? 'a', credentialId: key, kind: 'api', via: 'query' };
  }

  async stillValid(principal: Principal): Promise<boolean> {
    this.asked += 1;
    if (this.stuck.has(principal.credentialId)) return new Promise<never>(() => {});
    if (this.broken) throw new Error('no database');
    return !this.revoked.has(principal.credentialId);
  }
}

/** A meter controlled by a test. It records every charge with its credential id. */
class Purse implements Meter {
  /** Credits left. */
  left = Number.POSITIVE_INFINITY;
  /** Credits of these that calls in flight hold. */
  held = 0;
  /** The charged operations, in order. */
  readonly operations: string[] = [];
  readonly charges: { readonly credentialId: string; readonly credits: number }[] = [];
  /** Makes every charge fail. */
  broken = false;
  /** Charges wait for this. Without it they are made at once. */
  gate: Promise<void> | undefined;

  reserve(principal: Principal, operation: string, credits: number) {
    if (credits > this.left - this.held) {
      const standing = { needed: credits, used: 10, limit: 10, resetsAt: 0, heldOnly: credits <= this.left };
      return new LedgerError('credits_exhausted', `${credits} needed.`, { credits: standing });
    }
    this.left -= credits;
    let isOver = false;
    return {
      charge: async () => {
        isOver = true;
        await this.gate;
        if (this.broken) {
          this.left += credits;
          throw new LedgerError('ledger_unavailable', 'The disk is full.');
        }
        this.operations.push(operation);
        this.charges.push({ credentialId: principal.credentialId, credits });
      },
      release: () => {
        if (!isOver) this.left += credits;
        isOver = true;
      },
    };
  }

  /** Total credits charged. */
  get charged(): number {
    return this.charges.reduce((sum, { credits }) => sum + credits, 0);
  }
}

/** Serves one kind, `meta`, as a test tells it to. */
class FakeInfo implements Pick<InfoService, 'kindOf' | 'serve'> {
  /** The text of the response to a query, or its refusal. */
  respond: (query: JsonObject, caller: InfoCall) => Promise<string> = async () => '{}';

  kindOf({ type }: JsonObject): InfoKind {
    if (type !== 'meta') throw new ApiError('unsupported_type', { type: String(type) });
    const unused = () => {
      throw new Error('not asked for in this test');
    };
    return { type, decode: unused, fetch: unused, check: unused };
  }

  async serve(_kind: InfoKind, query: JsonObject, caller: InfoCall): Promise<JsonResponse> {
    return plainResponse(Buffer.from(await this.respond(query, caller)));
  }
}

/** The stream on a real server, with a feed and keys controlled by a test. */
export class StreamServer implements AsyncDisposable {
  readonly feed = new FakeFeed({ allLive: true });
  readonly keys = new KeyRing();
  readonly purse = new Purse();
  readonly universe = new FakeUniverse();
  readonly info = new FakeInfo();
  readonly log = new KeptLog();
  readonly time = new FakeClock();
  readonly stream: Stream;
  /** The server-side socket of every connection. */
  readonly sockets: Socket[] = [];
  readonly #server: Server;

  private constructor(
    limits: Partial<StreamLimits>,
    authoriser: Authoriser | undefined,
    relay: Relay | undefined,
    highWaterMark: number | undefined,
  ) {
    this.#server = createServer(highWaterMark === undefined ? {} : { highWaterMark });
    this.#server.on('connection', (socket) => this.sockets.push(socket));
    this.stream = new Stream(this.#server, {
      feed: this.feed,
      relay,
      universe: this.universe,
      authoriser: authoriser ?? this.keys,
      meter: this.purse,
      info: this.info,
      limits: { ...STREAM_LIMITS, ...limits },
      log: this.log,
      clock: this.time,
    });
  }

  /**
   * `authoriser` replaces the key ring. `relay` is the relay of the exchange's stream. `highWaterMark` is that of the
   * sockets; its default depends on the version of Node.
   */
  static async start(
    limits: Partial<StreamLimits> = {},
    authoriser?: Authoriser,
    relay?: Relay,
    highWaterMark?: number,
  ): Promise<StreamServer> {
    const server = new StreamServer(limits, authoriser, relay, highWaterMark);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  /** Number of holders of each coin, once those that clients left are let go. */
  get held(): ReadonlyMap<string, number> {
    this.time.advance(0);
    return this.feed.held;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(path = '/ws?key=good'): string {
    return `ws://127.0.0.1:${this.port}${path}`;
  }

  connect(path?: string, headers?: Readonly<Record<string, string>>): Promise<StreamClient> {
    return StreamClient.open(this.url(path), headers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = this.stream.close();
    this.time.advance(10_000);
    await ended;
    await this.stream.close();
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

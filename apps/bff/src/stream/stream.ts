import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { L4Feed, Relay } from '@l4desk/feed';
import type { LedgerError, Meter } from '@l4desk/ledger';
import { ApiError, CLOSE_CODES, L4_UPSTREAM, type UpstreamStatus } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import { every, type SystemClock, systemClock } from '@l4desk/runtime/node';
import { type WebSocket, WebSocketServer } from 'ws';
import type { CoinUniverse } from '../exchange/universe.ts';
import type { Authoriser, Principal } from '../http/auth/principal.ts';
import { notAllowed, refuseUpgrade, toApiError } from '../http/errors.ts';
import { loggedPath } from '../http/request-log.ts';
import type { InfoService } from '../info/info-service.ts';
import { Channels } from './channels.ts';
import { Connection, type ConnectionDeps } from './connection.ts';
import { Hub } from './hub.ts';
import type { StreamLimits } from './limits.ts';
import { minuteRefusal } from './minutes.ts';
import { SlowConsumers } from './peer.ts';
import { RelayedChannels } from './relayed.ts';
import { Resume } from './resume.ts';

export interface StreamDeps {
  readonly feed: L4Feed;
  readonly relay?: Relay | undefined;
  readonly universe: CoinUniverse;
  readonly authoriser: Authoriser;
  readonly meter: Meter;
  readonly info: Pick<InfoService, 'kindOf' | 'serve'>;
  readonly limits: StreamLimits;
  readonly log: Log;
  readonly clock?: SystemClock;
}

/** State of the stream, for `/metrics`. Counters only increase. */
export type StreamHealth = ReturnType<Stream['health']>;

/** Maximum frames of one client message: empty ones are limited neither by the size nor by the number of messages. */
const MESSAGE_FRAMES_MAX = 256;

/** How often started minutes are charged, and the state of the upstream is sent to clients that subscribed to it. */
const TICK_MS = 1_000;

/** Serves `GET /ws` upgrades of the HTTP server. Upgrades on any other path are refused with 404. */
export class Stream {
  readonly #deps: StreamDeps;
  readonly #clock: SystemClock;
  readonly #resume: Resume;
  readonly #hub = new Hub();
  readonly #channels: Channels;
  readonly #slow: SlowConsumers;
  readonly #shared: ConnectionDeps;
  readonly #sockets: WebSocketServer;
  readonly #connections = new Set<Connection>();
  /** Closed connections by the service's close code, or else the peer's; 1006 if there was none. */
  readonly #closedByCode: Record<string, number> = {};
  readonly #endBlocks: () => void;
  readonly #endStatuses: () => void;
  readonly #endTimers: readonly (() => void)[];
  #connectionsOpened = 0;
  #upgradesRefused = 0;
  #closed: Promise<void> | null = null;
  #onEmpty: (() => void) | null = null;

  constructor(server: Pick<EventEmitter, 'on'>, deps: StreamDeps) {
    this.#deps = deps;
    const { feed, log, limits, relay, clock = systemClock } = deps;
    this.#clock = clock;
    this.#resume = new Resume({ feed, clock, log, keepMs: limits.resumeMs, bytesMax: limits.resumeBytesMax });
    this.#channels = new Channels(feed);
    this.#slow = new SlowConsumers(limits.unsentBytesTotalMax);
    this.#shared = {
      ...deps,
      clock,
      hub: this.#hub,
      resume: this.#resume,
      channels: this.#channels,
      relayed: relay === undefined ? null : new RelayedChannels(relay),
      slow: this.#slow,
      upstreamText: () => this.#upstreamText(),
    };
    this.#sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: limits.frameBytesMax,
      maxFragments: MESSAGE_FRAMES_MAX,
      // Without context takeover, one compressed frame serves every client. ws itself compresses nothing. Clients may keep
      // theirs, because some (Tornado) do so in any case.
      perMessageDeflate: { serverNoContextTakeover: true },
    });
    this.#sockets.on('wsClientError', (error, socket, request) => {
      this.#refuse(request, socket, new ApiError('invalid_request', `Bad WebSocket handshake: ${error.message}.`));
    });
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#onUpgrade(request, socket, head),
    );
    this.#endBlocks = feed.onBlock((block) => {
      this.#resume.add(block);
      this.#hub.publish(block);
    });
    this.#endStatuses = feed.onBookStatus((status) => {
      this.#resume.onBookStatus(status);
      for (const connection of this.#connections) connection.onBookStatus(status);
    });
    this.#endTimers = [
      every(clock, limits.pingMs, () => this.#ping()),
      every(clock, TICK_MS, () => this.#tick()),
      every(clock, limits.recheckMs, () => void this.recheck()),
    ];
  }

  #ping(): void {
    for (const connection of this.#connections) connection.peer.ping();
  }

  #tick(): void {
    const wanting: Connection[] = [];
    for (const connection of this.#connections) {
      connection.minutes.tick();
      if (connection.peer.isOpen && connection.subscriptions.wantsUpstream) wanting.push(connection);
    }
    if (wanting.length === 0) return;
    const text = this.#upstreamText();
    for (const { peer } of wanting) peer.send(text);
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', destroyOnError);
    this.#admit(request).then(
      (principal) => this.#open(request, socket as Socket, head, principal),
      (thrown: unknown) => this.#refuse(request, socket, toApiError(thrown)),
    );
  }

  /** Checks in the order of D1: method, path, credential, credits. */
  async #admit(request: IncomingMessage): Promise<Principal> {
    if (request.method !== 'GET') throw notAllowed('GET');
    const path = (request.url ?? '').split('?', 1)[0];
    if (path !== '/ws') throw new ApiError('not_found', 'No resource at this path; the stream is at /ws.');
    if (this.#closed !== null) throw new ApiError('shutting_down', { headers: { 'Retry-After': '1' } });
    const admitted = await this.#deps.authoriser.authorise(request, 'stream');
    if (admitted instanceof ApiError) throw admitted;
    const refusal = await minuteRefusal(this.#deps.meter, admitted);
    if (refusal !== undefined) throw refusal;
    // Without the coin lists, subscriptions would be refused (D23), which clients treat as permanent. After a refused
    // upgrade they retry.
    if (!this.#deps.universe.isLoaded) {
      throw new ApiError('book_not_ready', { headers: { 'Retry-After': '1' } });
    }
    return admitted;
  }

  #refuse(request: IncomingMessage, socket: Duplex, error: ApiError): void {
    this.#upgradesRefused += 1;
    const { log } = this.#deps;
    const reqId = randomUUID();
    const fields = { reqId, path: loggedPath(request), status: error.status, error: error.code };
    if (error.code === 'internal_error') log.error({ ...fields, err: error.cause }, 'upgrade failed');
    else log.debug(fields, 'upgrade refused');
    refuseUpgrade(socket, error, { 'X-Request-Id': reqId });
  }

  #open(request: IncomingMessage, socket: Socket, head: Buffer, principal: Principal): void {
    if (socket.destroyed) return;
    const { connectionsPerKeyMax } = this.#deps.limits;
    if (this.#ofKey(principal.credentialId) >= connectionsPerKeyMax) {
      const headers = { 'Retry-After': '1' };
      const message = `This key already has ${connectionsPerKeyMax} open stream connections; close one first.`;
      this.#refuse(request, socket, new ApiError('too_many_requests', message, { headers }));
      return;
    }
    // Batches are small, and delay is worse than more packets.
    socket.setNoDelay(true);
    // Clients with a smaller window cannot read the compressed frames that all share.
    const hasFullWindow = !request.headers['sec-websocket-extensions']?.includes('server_max_window_bits');
    this.#sockets.handleUpgrade(request, socket, head, (ws) =>
      this.#connect(ws, socket, principal, ws.extensions !== '' && hasFullWindow),
    );
  }

  #connect(ws: WebSocket, socket: Socket, principal: Principal, deflate: boolean): void {
    const { log } = this.#deps;
    const connection = new Connection(ws, socket, principal, deflate, this.#shared);
    const { accountId, credentialId, via } = principal;
    this.#connections.add(connection);
    this.#connectionsOpened += 1;
    const began = this.#clock.now();
    const fields = { reqId: randomUUID(), account: accountId, credential: credentialId, via };
    log.info({ ...fields, deflate }, 'stream opened');
    ws.on('close', (peerCode) => {
      const code = connection.peer.closeCode ?? peerCode;
      log.info({ ...fields, code, ms: Math.round(this.#clock.now() - began) }, 'stream closed');
      this.#connections.delete(connection);
      this.#closedByCode[code] = (this.#closedByCode[code] ?? 0) + 1;
      if (this.#connections.size === 0) this.#onEmpty?.();
    });
    if (this.#closed !== null) connection.close(CLOSE_CODES.goingAway, 'shutting down');
  }

  #upstreamText(): string {
    const { upstreamConnected, upstreamAgeMs, upstreamBlocks, ageMs } = this.#deps.feed.health();
    const data: UpstreamStatus = {
      time: this.#clock.wallNow(),
      connected: upstreamConnected,
      ageMs: upstreamAgeMs === null ? null : Math.round(upstreamAgeMs + ageMs),
      blocks: upstreamBlocks,
    };
    return JSON.stringify({ channel: L4_UPSTREAM, data });
  }

  #ofKey(credentialId: string): number {
    return [...this.#connections].filter(({ principal }) => principal.credentialId === credentialId).length;
  }

  health() {
    let subscriptions = 0;
    for (const connection of this.#connections) subscriptions += connection.subscriptions.size;
    return {
      connections: this.#connections.size,
      subscriptions,
      connectionsOpened: this.#connectionsOpened,
      upgradesRefused: this.#upgradesRefused,
      ...this.#hub.counters,
      relay: this.#deps.relay?.health(),
      resumeBytes: this.#resume.bytes,
      unsentBytes: this.#slow.total,
      closedByCode: { ...this.#closedByCode },
    };
  }

  /** Rechecks the credential of every connection now (D24), without waiting for the next round (AUTH-23). */
  async recheck(): Promise<void> {
    const failures: unknown[] = [];
    await Promise.all(
      [...this.#connections].map(async (connection) => {
        const { principal } = connection;
        // An unreachable database does not count as a revoked credential. The next round checks again.
        const isValid = await this.#deps.authoriser.stillValid(principal).catch((error: unknown) => {
          failures.push(error);
          return true;
        });
        const reason = principal.via === 'session' ? 'signed out or key revoked' : 'key revoked';
        if (!isValid) connection.close(CLOSE_CODES.keyRevoked, reason);
      }),
    );
    const { length: connections } = failures;
    if (connections > 0) this.#deps.log.warn({ err: failures[0], connections }, 'credentials not rechecked');
    // Others close when their next minute cannot be paid. One after another, so that live charges do not wait.
    const refusals = new Map<string, LedgerError | undefined>();
    for (const connection of this.#connections) {
      if (!connection.minutes.isIdle) continue;
      const { accountId } = connection.principal;
      if (!refusals.has(accountId))
        refusals.set(accountId, await minuteRefusal(this.#deps.meter, connection.principal));
      const refusal = refusals.get(accountId);
      if (refusal?.code === 'credits_exhausted' && connection.minutes.isIdle)
        connection.close(CLOSE_CODES.creditsExhausted, 'credits exhausted');
    }
  }

  /** Refuses new upgrades with 503 and closes every connection with 1001. Resolves when all are closed. */
  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    this.#endBlocks();
    this.#endStatuses();
    this.#channels.close();
    this.#resume.close();
    for (const end of this.#endTimers) end();
    if (this.#connections.size === 0) return;
    const gone = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    for (const connection of this.#connections) connection.close(CLOSE_CODES.goingAway, 'shutting down');
    await gone;
  }
}

/** A peer that disconnects during its lookup must not end the process. A closure would retain the whole request. */
function destroyOnError(this: Duplex): void {
  this.destroy();
}

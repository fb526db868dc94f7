import { CLOSE_CODES, WireFormatError } from '@l4desk/protocol';
import { type Backoff, backoffMs } from '../backoff.ts';
import { MissingOnPlatform, type Socket, type SocketEvent } from '../platform.ts';
import type { Transport } from '../transport.ts';
import { readStreamMessage, type StreamMessage } from './message.ts';
import type { ConnectionState, DisconnectReason, StopReason } from './state.ts';

export interface ConnectionSettings {
  readonly pingMs: number;
  readonly deadAfterMs: number;
  readonly reconnectMs: Backoff;
}

export interface ConnectionHandlers {
  /** The state has changed. `open` comes before the first message, any other state after the last. */
  onState(state: ConnectionState): void;
  onMessage(message: StreamMessage): void;
}

/**
 * One socket to the stream, replaced for ever when it is lost.
 *
 * Loop "reconnect": waiting → connecting → open or waiting. Ends only by `stop`, or when the service says that the
 * credential or the credits are gone; every failure doubles the wait up to the longest, and a connection that stayed
 * open for longer than that starts again from the first.
 */
export class StreamConnection {
  #state: ConnectionState;
  #lastMessageAt: number | undefined;
  #socket: Socket | undefined;
  #pingSentAt: number | undefined;
  #roundTripMs: number | undefined;
  #failures = 0;
  /** Pings since anything came. */
  #unheardPings = 0;
  #cancelTimer: () => void = () => {};
  readonly #transport: Transport;
  readonly #settings: ConnectionSettings;
  readonly #handlers: ConnectionHandlers;

  constructor(transport: Transport, settings: ConnectionSettings, handlers: ConnectionHandlers) {
    this.#transport = transport;
    this.#settings = settings;
    this.#handlers = handlers;
    this.#state = { kind: 'connecting', attempt: 1, since: transport.platform.now() };
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** When the last message of any kind came, a pong too: the age of the transport. */
  get lastMessageAt(): number | undefined {
    return this.#lastMessageAt;
  }

  /** How long the last ping took to be answered (D21); undefined before the first answer of this connection. */
  get roundTripMs(): number | undefined {
    return this.#roundTripMs;
  }

  /** Opens the first socket. Call once. */
  start(): void {
    this.#connect();
  }

  /** Sends one message; does nothing while no socket is open. */
  send(message: { readonly method: string; readonly subscription?: unknown }): void {
    if (this.#state.kind === 'open') this.#socket?.send(JSON.stringify(message));
  }

  /** Stops for good. */
  stop(reason: StopReason): void {
    if (this.#stopped()) return;
    this.#abandonSocket();
    this.#enter({ kind: 'stopped', reason, since: this.#now() });
  }

  #connect(): void {
    this.#enter({ kind: 'connecting', attempt: this.#failures + 1, since: this.#now() });
    if (this.#stopped()) return;
    let socket: Socket;
    try {
      socket = this.#transport.openSocket();
    } catch (error) {
      // A platform's own words may hold the URL, and with it the key.
      const known = error instanceof MissingOnPlatform;
      this.#lose({ kind: 'failed', message: known ? error.message : 'the platform could not open a socket' });
      return;
    }
    this.#socket = socket;
    this.#arm(this.#settings.deadAfterMs, () =>
      this.#lose({ kind: 'failed', message: `no answer within ${this.#settings.deadAfterMs} ms` }),
    );
    let failure = 'the connection could not be opened';
    // A socket that was given up may still speak; only the current one is heard.
    const hear = (type: Parameters<Socket['addEventListener']>[0], handle: (event: SocketEvent) => void) =>
      socket.addEventListener(type, (event) => {
        if (this.#socket === socket) handle(event);
      });
    hear('open', () => this.#opened());
    hear('message', ({ data }) => this.#received(data));
    hear('error', ({ message = '' }) => {
      if (message !== '') failure = message;
    });
    hear('close', ({ code = 1006, reason = '' }) => {
      const stop = stopOfClose(code, reason) ?? stopOfRefusal(failure);
      if (stop !== undefined) this.stop(stop);
      else if (this.#state.kind === 'open') this.#lose({ kind: 'closed', code, message: reason });
      else this.#lose({ kind: 'failed', message: failure });
    });
  }

  #opened(): void {
    this.#enter({ kind: 'open', since: this.#now() });
    this.#unheardPings = 0;
    this.#heartbeat(this.#now());
  }

  #received(data: unknown): void {
    this.#lastMessageAt = this.#now();
    this.#unheardPings = 0;
    let message: StreamMessage;
    try {
      message = readStreamMessage(data);
    } catch (error) {
      // The books can no longer be told to be whole: a fresh connection starts every coin anew (L4-6).
      if (!(error instanceof WireFormatError)) throw error;
      this.#lose({ kind: 'malformed', message: error.message });
      return;
    }
    if (message.kind === 'pong' && this.#pingSentAt !== undefined) {
      this.#roundTripMs = this.#lastMessageAt - this.#pingSentAt;
      this.#pingSentAt = undefined;
    }
    this.#handlers.onMessage(message);
  }

  /**
   * Loop "heartbeat": a ping every `pingMs`, as long as this socket is the open one. A dead peer ends it: by the clock, which
   * goes on while the machine sleeps, or by pings that nothing followed, for the clock may have been set back.
   */
  #heartbeat(openedAt: number): void {
    this.#arm(this.#settings.pingMs, () => {
      const byClock = this.#now() - Math.max(openedAt, this.#lastMessageAt ?? 0);
      const silentMs = Math.max(byClock, this.#unheardPings * this.#settings.pingMs);
      if (silentMs >= this.#settings.deadAfterMs) {
        this.#lose({ kind: 'silent', silentMs });
        return;
      }
      this.#pingSentAt = this.#now();
      this.#unheardPings += 1;
      this.send({ method: 'ping' });
      this.#heartbeat(openedAt);
    });
  }

  #lose(reason: DisconnectReason): void {
    const now = this.#now();
    const wasStable = this.#state.kind === 'open' && now - this.#state.since > this.#settings.reconnectMs.longest;
    this.#abandonSocket();
    const failures = wasStable ? 0 : this.#failures;
    this.#failures = failures + 1;
    const delay = backoffMs(failures, this.#settings.reconnectMs, this.#transport.platform.random);
    this.#arm(delay, () => this.#connect());
    this.#enter({ kind: 'waiting', attempt: failures + 1, reason, since: now, retryAt: now + delay });
  }

  #abandonSocket(): void {
    this.#cancelTimer();
    const socket = this.#socket;
    this.#socket = undefined;
    this.#pingSentAt = undefined;
    this.#roundTripMs = undefined;
    socket?.close();
  }

  #arm(afterMs: number, callback: () => void): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#transport.platform.timers.set(callback, afterMs);
  }

  #stopped(): boolean {
    return this.#state.kind === 'stopped';
  }

  #enter(state: ConnectionState): void {
    this.#state = state;
    this.#handlers.onState(state);
  }

  #now(): number {
    return this.#transport.platform.now();
  }
}

function stopOfClose(code: number, message: string): StopReason | undefined {
  if (code === CLOSE_CODES.keyRevoked) return { kind: 'credential', code: 'unauthorized', message };
  if (code === CLOSE_CODES.creditsExhausted) return { kind: 'credits', message };
  return undefined;
}

/** Browsers hide why an upgrade was refused; the `ws` package says it in this sentence (AUTH-7, AUTH-8, BILL-11). */
function stopOfRefusal(failure: string): StopReason | undefined {
  switch (failure) {
    case 'Unexpected server response: 401':
      return { kind: 'credential', code: 'unauthorized', message: 'the service does not know this key' };
    case 'Unexpected server response: 402':
      return { kind: 'credits', message: 'the credits are used up' };
    case 'Unexpected server response: 403':
      return {
        kind: 'credential',
        code: 'wrong_credential',
        message: 'the service does not accept this credential for the stream',
      };
    default:
      return undefined;
  }
}

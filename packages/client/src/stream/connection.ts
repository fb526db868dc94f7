import { CLOSE_CODES, WireFormatError } from '@l4desk/protocol';
import { type Backoff, type Clock, ReconnectingSocket, refusedStatus, type SocketEnd } from '@l4desk/runtime';
import type { Transport } from '../transport.ts';
import { readStreamMessage, type StreamMessage } from './message.ts';
import type { ConnectionState, DisconnectReason, StopReason } from './state.ts';

export interface ConnectionSettings {
  readonly pingMs: number;
  readonly deadAfterMs: number;
  readonly reconnect: Backoff;
}

export interface ConnectionHandlers {
  /** The state has changed. `open` comes before the first message, any other state after the last one. */
  onState(state: ConnectionState): void;
  onMessage(message: StreamMessage): void;
}

/**
 * The socket of the stream, with pings and an observable state. It is replaced whenever it is lost, until `stop`, or until the
 * service reports that the credential or the credits are gone.
 */
export class StreamConnection {
  #state: ConnectionState;
  #lastMessageAt: number | undefined;
  #pingSentAt: number | undefined;
  #roundTripMs: number | undefined;
  /** Pings sent since the last message. */
  #unheardPings = 0;
  #cancelHeartbeat: () => void = () => {};
  readonly #clock: Clock;
  readonly #settings: ConnectionSettings;
  readonly #handlers: ConnectionHandlers;
  readonly #socket: ReconnectingSocket<DisconnectReason>;

  constructor(transport: Transport, settings: ConnectionSettings, handlers: ConnectionHandlers) {
    const { clock, random } = transport.platform;
    this.#clock = clock;
    this.#settings = settings;
    this.#handlers = handlers;
    this.#state = { kind: 'connecting', attempt: 1, since: clock.now() };
    const { deadAfterMs: openWithinMs, reconnect: backoff } = settings;
    this.#socket = new ReconnectingSocket(
      { open: () => transport.openSocket(), openWithinMs, backoff, clock, random },
      {
        connecting: (attempt) => this.#enter({ kind: 'connecting', attempt, since: clock.now() }),
        opened: () => {
          this.#enter({ kind: 'open', since: clock.now() });
          this.#unheardPings = 0;
          this.#heartbeat(clock.now());
        },
        message: (data) => this.#received(data),
        ended: (end) => this.#ended(end),
        waiting: (reason, attempt, waitMs) => {
          this.#forgetPings();
          const since = clock.now();
          this.#enter({ kind: 'waiting', attempt, reason, since, retryAt: since + waitMs });
        },
      },
    );
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** When the last message of any kind came, pongs included: the age of the transport. */
  get lastMessageAt(): number | undefined {
    return this.#lastMessageAt;
  }

  /** How long the last pong took, in ms (D21). Undefined before the first one of this connection. */
  get roundTripMs(): number | undefined {
    return this.#roundTripMs;
  }

  /** Opens the first socket. Call once. */
  start(): void {
    this.#socket.start();
  }

  /** Sends one message. Does nothing if no socket is open. */
  send(message: { readonly method: string; readonly subscription?: unknown }): void {
    this.#socket.send(JSON.stringify(message));
  }

  /** Stops for good. */
  stop(reason: StopReason): void {
    if (this.#state.kind === 'stopped') return;
    this.#forgetPings();
    this.#socket.stop();
    this.#enter({ kind: 'stopped', reason, since: this.#clock.now() });
  }

  #ended(end: SocketEnd): DisconnectReason | undefined {
    const stop = stopOf(end);
    if (stop === undefined) return end;
    this.stop(stop);
    return undefined;
  }

  #received(data: unknown): void {
    this.#lastMessageAt = this.#clock.now();
    this.#unheardPings = 0;
    let message: StreamMessage;
    try {
      message = readStreamMessage(data);
    } catch (error) {
      // The books may no longer be complete. A new connection restarts every coin (L4-6).
      if (!(error instanceof WireFormatError)) throw error;
      this.#socket.drop({ kind: 'malformed', message: error.message });
      return;
    }
    if (message.kind === 'pong' && this.#pingSentAt !== undefined) {
      this.#roundTripMs = this.#lastMessageAt - this.#pingSentAt;
      this.#pingSentAt = undefined;
    }
    this.#handlers.onMessage(message);
  }

  /**
   * Loop "heartbeat": a ping every `pingMs` while this socket is the open one. A dead peer ends it. It is detected by the clock,
   * which continues while the machine sleeps, or by unanswered pings, because the clock may have been set back.
   */
  #heartbeat(openedAt: number): void {
    this.#cancelHeartbeat = this.#clock.after(this.#settings.pingMs, () => {
      const byClock = this.#clock.now() - Math.max(openedAt, this.#lastMessageAt ?? 0);
      const silentMs = Math.max(byClock, this.#unheardPings * this.#settings.pingMs);
      if (silentMs >= this.#settings.deadAfterMs) {
        this.#socket.drop({ kind: 'silent', silentMs });
        return;
      }
      this.#pingSentAt = this.#clock.now();
      this.#unheardPings += 1;
      this.send({ method: 'ping' });
      this.#heartbeat(openedAt);
    });
  }

  #forgetPings(): void {
    this.#cancelHeartbeat();
    this.#pingSentAt = undefined;
    this.#roundTripMs = undefined;
  }

  #enter(state: ConnectionState): void {
    this.#state = state;
    this.#handlers.onState(state);
  }
}

/** Returns why the stream must stop for good, if this end of a socket means that (AUTH-9, BILL-11, BILL-12). */
function stopOf(end: SocketEnd): StopReason | undefined {
  const { message } = end;
  if (end.kind === 'closed' && end.code === CLOSE_CODES.keyRevoked)
    return { kind: 'credential', code: 'unauthorized', message };
  if (end.kind === 'closed' && end.code === CLOSE_CODES.creditsExhausted) return { kind: 'credits', message };
  switch (end.kind === 'failed' ? refusedStatus(end) : undefined) {
    case 401:
      return { kind: 'credential', code: 'unauthorized', message: 'the service does not know this key' };
    case 402:
      return { kind: 'credits', message: 'the credits are used up' };
    case 403:
      return {
        kind: 'credential',
        code: 'wrong_credential',
        message: 'the service does not accept this credential for the stream',
      };
    default:
      return undefined;
  }
}

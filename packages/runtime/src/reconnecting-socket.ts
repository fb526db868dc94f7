import { type Backoff, backoffMs } from './backoff.ts';
import type { Clock } from './clock.ts';
import { MissingOnPlatform, type Socket, type SocketEvent } from './socket.ts';

/** How a socket ended without being stopped. */
export type SocketEnd =
  /** It never opened: no network, or the service refused it. Browsers do not say which. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'closed'; readonly code: number; readonly message: string };

export interface ReconnectingSocketSettings {
  readonly open: () => Socket;
  readonly openWithinMs: number;
  readonly backoff: Backoff;
  readonly clock: Clock;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

/** Events of the socket. `Reason` is why it was lost, in the owner's terms. Each handler may call `stop`. */
export interface ReconnectingSocketHandlers<Reason> {
  /** A socket is about to be opened, as attempt number `attempt` (from 1) since the last good connection. */
  connecting(attempt: number): void;
  opened(): void;
  message(data: unknown): void;
  /** The socket ended. Returns the reason for reconnecting, or undefined if the owner has stopped instead. */
  ended(end: SocketEnd): Reason | undefined;
  /** The socket was lost for this reason. Attempt number `attempt` begins after `waitMs`. */
  waiting(reason: Reason, attempt: number, waitMs: number): void;
}

/** One socket, replaced whenever it is lost, until `stop`. Each failure doubles the wait, up to the longest. */
export class ReconnectingSocket<Reason> {
  readonly #settings: ReconnectingSocketSettings;
  readonly #handlers: ReconnectingSocketHandlers<Reason>;
  #socket: Socket | undefined;
  /** When the socket opened. Undefined while none is open. */
  #openedAt: number | undefined;
  #failures = 0;
  #stopped = false;
  #cancelTimer: () => void = () => {};

  constructor(settings: ReconnectingSocketSettings, handlers: ReconnectingSocketHandlers<Reason>) {
    this.#settings = settings;
    this.#handlers = handlers;
  }

  get isOpen(): boolean {
    return this.#openedAt !== undefined;
  }

  /** Whether this is the current socket, not an abandoned one. */
  isCurrent(socket: Socket): boolean {
    return this.#socket === socket;
  }

  start(): void {
    this.#connect();
  }

  send(text: string): boolean {
    if (!this.isOpen) return false;
    this.#socket?.send(text);
    return true;
  }

  /** Abandons the socket and reconnects. Does nothing if none is open or being opened. */
  drop(reason: Reason): void {
    if (this.#socket !== undefined) this.#lose(reason);
  }

  stop(): void {
    this.#stopped = true;
    this.#abandonSocket();
  }

  #connect(): void {
    const { clock, open, openWithinMs } = this.#settings;
    this.#handlers.connecting(this.#failures + 1);
    if (this.#stopped) return;
    let socket: Socket;
    try {
      socket = open();
    } catch (error) {
      // The platform's own message may contain the URL, and with it the key.
      const known = error instanceof MissingOnPlatform;
      this.#end({ kind: 'failed', message: known ? error.message : 'the platform could not open a socket' });
      return;
    }
    this.#socket = socket;
    this.#cancelTimer = clock.after(openWithinMs, () =>
      this.#end({ kind: 'failed', message: `no response within ${openWithinMs} ms` }),
    );
    let failure = '';
    // An abandoned socket may still deliver events. Only the current one counts.
    const listen = (type: Parameters<Socket['addEventListener']>[0], handle: (event: SocketEvent) => void) =>
      socket.addEventListener(type, (event) => {
        if (this.#socket === socket) handle(event);
      });
    listen('open', () => {
      this.#cancelTimer();
      this.#openedAt = clock.now();
      this.#handlers.opened();
    });
    listen('message', ({ data }) => this.#handlers.message(data));
    listen('error', ({ message = '' }) => {
      if (message !== '') failure = message;
    });
    listen('close', ({ code = 1006, reason = '' }) => {
      if (this.isOpen) this.#end({ kind: 'closed', code, message: reason === '' ? failure : reason });
      else this.#end({ kind: 'failed', message: failure === '' ? 'the connection could not be opened' : failure });
    });
  }

  #end(end: SocketEnd): void {
    const reason = this.#handlers.ended(end);
    if (reason !== undefined) this.#lose(reason);
  }

  #lose(reason: Reason): void {
    const { backoff, clock, random } = this.#settings;
    const openMs = this.#openedAt === undefined ? 0 : clock.now() - this.#openedAt;
    this.#abandonSocket();
    this.#failures = openMs > backoff.longestMs ? 1 : this.#failures + 1;
    const waitMs = backoffMs(this.#failures, backoff, random);
    this.#cancelTimer = clock.after(waitMs, () => this.#connect());
    this.#handlers.waiting(reason, this.#failures, waitMs);
  }

  #abandonSocket(): void {
    this.#cancelTimer();
    const socket = this.#socket;
    this.#socket = undefined;
    this.#openedAt = undefined;
    socket?.close();
  }
}

/** The status with which an upgrade was refused. Browsers hide it; the `ws` package puts it in this message (AUTH-4, AUTH-5). */
export function refusedStatus({ message }: { readonly message: string }): number | undefined {
  const [, status] = /^Unexpected server response: (\d{3})$/.exec(message) ?? [];
  return status === undefined ? undefined : Number(status);
}

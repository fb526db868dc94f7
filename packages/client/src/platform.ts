/**
 * What the client needs of its platform. Everything can be passed in; the defaults are the platform's own
 * globals, looked up when a client is made. The package compiles without DOM and Node types, so the shapes are ours.
 */
import type { Clock } from './clock.ts';

/** The platform's AbortSignal where its types are loaded, and the part of it we use where they are not. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Native } } ? Native : SignalShape;

interface SignalShape {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The part of `fetch` that we use. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** What `fetch` is called with. */
export interface FetchInit {
  readonly method: 'POST' | 'GET';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal?: Signal;
}

/** What we read of a response. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** What we read of a socket's events: `data` of a message, `code` and `reason` of a close, `message` of an error. */
export interface SocketEvent {
  readonly type: string;
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
}

/** The part of a browser WebSocket that we use; the `ws` package has it too. */
export interface Socket {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'message' | 'error' | 'close', listener: (event: SocketEvent) => void): void;
}

/** The class of a socket that connects when it is made. */
export type SocketConstructor = new (url: string) => Socket;

/** Time, chance and network, as the client uses them. */
export interface Platform {
  readonly fetch: Fetch;
  readonly WebSocket: SocketConstructor;
  /** Its `now` counts ms since the Unix epoch. */
  readonly clock: Clock;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
}

interface PlatformGlobals {
  readonly fetch?: Fetch;
  readonly WebSocket?: SocketConstructor;
  readonly setTimeout: (callback: () => void, afterMs: number) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
  readonly AbortController: new () => { readonly signal: Signal; abort(reason?: unknown): void };
}

// The one cast of the package: the globals exist on every platform we support but are not in its compiler library.
const globals = globalThis as unknown as PlatformGlobals;

const missingFetch: Fetch = () =>
  Promise.reject(new MissingOnPlatform('this platform has no fetch: hand one in, createClient({ fetch })'));

/** The platform lacks something that has to be passed in; the message says what and how. */
export class MissingOnPlatform extends TypeError {}

class MissingWebSocket implements Socket {
  constructor() {
    throw new MissingOnPlatform('this platform has no WebSocket: hand one in, createClient({ WebSocket })');
  }
  send(): void {}
  close(): void {}
  addEventListener(): void {}
}

/** The platform's own globals, with what is passed in instead of them. */
export function platformWith(given: Partial<Platform>): Platform {
  const { fetch, WebSocket } = globals;
  return {
    // Called as a plain function: browsers refuse `fetch` with another `this`.
    fetch: given.fetch ?? (fetch === undefined ? missingFetch : (url, init) => fetch(url, init)),
    WebSocket: given.WebSocket ?? WebSocket ?? MissingWebSocket,
    clock: given.clock ?? systemClock,
    random: given.random ?? Math.random,
  };
}

const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = globals.setTimeout(run, delayMs);
    return () => globals.clearTimeout(timer);
  },
};

/** A new AbortController of the platform. */
export function abortController(): { readonly signal: Signal; abort(reason?: unknown): void } {
  return new globals.AbortController();
}

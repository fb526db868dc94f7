/**
 * What the client needs from its platform. Everything can be passed in. The defaults are the platform's own globals, looked up
 * when a client is created. The package compiles without DOM and Node types, so these shapes are our own.
 */

import { type Clock, MissingOnPlatform, type Socket, type SocketConstructor } from '@l4desk/runtime';

/** The platform's AbortSignal if its types are loaded, otherwise the part of it that we use. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Native } } ? Native : SignalShape;

interface SignalShape {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The part of `fetch` that we use. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** The arguments of `fetch` besides the URL. */
export interface FetchInit {
  readonly method: 'POST' | 'GET';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal?: Signal;
}

/** The part of a response that we read. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** Time, randomness and network, as the client uses them. */
export interface Platform {
  readonly fetch: Fetch;
  readonly WebSocket: SocketConstructor;
  /** Its `now` returns ms since the Unix epoch. */
  readonly clock: Clock;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

interface PlatformGlobals {
  readonly fetch?: Fetch;
  readonly WebSocket?: SocketConstructor;
  readonly setTimeout: (callback: () => void, afterMs: number) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
  readonly AbortController: new () => { readonly signal: Signal; abort(reason?: unknown): void };
}

// The only cast of the package: the globals exist on every supported platform but not in its compiler library.
const globals = globalThis as unknown as PlatformGlobals;

const missingFetch: Fetch = () =>
  Promise.reject(new MissingOnPlatform('this platform has no fetch: hand one in, createClient({ fetch })'));

class MissingWebSocket implements Socket {
  constructor() {
    throw new MissingOnPlatform('this platform has no WebSocket: hand one in, createClient({ WebSocket })');
  }
  send(): void {}
  close(): void {}
  addEventListener(): void {}
}

/** Returns the platform's own globals, replaced by those that are passed in. */
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

/** Returns a new AbortController of the platform. */
export function abortController(): { readonly signal: Signal; abort(reason?: unknown): void } {
  return new globals.AbortController();
}

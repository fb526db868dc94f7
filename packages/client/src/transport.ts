import { readJson, type WireFormatError } from '@l4desk/protocol';
import type { Socket } from '@l4desk/runtime';
import { errorOfResponse, TransportError } from './errors.ts';
import type { FetchInit, Platform, Signal } from './platform.ts';
import { type RetryOptions, withRetry } from './retry.ts';

/** Options that every query takes. */
export interface QueryOptions {
  /** Ends the call, including the wait before a retry. The call then rejects with the signal's reason. */
  readonly signal?: Signal;
  /** If omitted, a failed call is not retried. */
  readonly retry?: RetryOptions;
  /** Called for each row of a list of orders that cannot be read and is left out of the result. */
  readonly onUnreadableRow?: (error: WireFormatError) => void;
}

/**
 * Sends queries and opens the stream's sockets. The keys stay inside: they are in no field, message or event. Calls resolve with
 * parsed but unchecked JSON, and reject with ServiceError, TransportError or WireFormatError.
 */
export interface Transport {
  readonly platform: Platform;
  /** Posts one query to `/info`. */
  query(body: { readonly type: string }, options?: QueryOptions): Promise<unknown>;
  /** Queries `/platform/usage/`. Undefined parameters are omitted. */
  usage(parameters: Readonly<Record<string, string | number | undefined>>, options?: QueryOptions): Promise<unknown>;
  /** Opens a socket to `/ws`. */
  openSocket(): Socket;
}

/** The addresses and keys of the service. Invalid addresses throw TypeError. */
export interface TransportSettings {
  /** Base URL of the query endpoint, to which `/info` is appended: `https://desk.example`. */
  readonly baseUrl: string;
  /** Base URL of the stream, to which `/ws` is appended. Defaults to `baseUrl` with `ws:` or `wss:`. */
  readonly wsUrl?: string;
  /** Base URL of the usage endpoint, to which `/platform/usage/` is appended. Defaults to `baseUrl`. */
  readonly platformUrl?: string;
  /** For queries and the stream. Omit it in a page of the dashboard: its session cookie is sent automatically. */
  readonly apiKey?: string;
  /** For `usage` only, which an API key does not authorize (AUTH-6). */
  readonly serviceKey?: string;
}

export function createTransport(settings: TransportSettings, platform: Platform): Transport {
  const { apiKey, serviceKey } = settings;
  const baseUrl = httpBase('baseUrl', settings.baseUrl);
  const platformUrl = httpBase('platformUrl', settings.platformUrl ?? baseUrl);
  const wsUrl = trimSlash(settings.wsUrl ?? baseUrl.replace(/^http/, 'ws'));
  if (!/^wss?:\/\/[^/]/.test(wsUrl)) throw new TypeError('wsUrl must begin with ws:// or wss:// and a host');
  const infoUrl = `${baseUrl}/info`;
  const usageUrl = `${platformUrl}/platform/usage/`;
  // The key is sent as a query parameter, because a browser's socket cannot send headers (AUTH-2).
  const streamUrl = apiKey === undefined ? `${wsUrl}/ws` : `${wsUrl}/ws?key=${encodeURIComponent(apiKey)}`;
  const infoHeaders = { 'Content-Type': 'application/json', ...bearer(apiKey) };
  const usageHeaders = bearer(serviceKey);

  return {
    platform,
    openSocket: () => new platform.WebSocket(streamUrl),
    query: (body, options) =>
      ask(body.type, infoUrl, { method: 'POST', headers: infoHeaders, body: JSON.stringify(body) }, options),
    usage: (parameters, options) =>
      ask('usage', `${usageUrl}${queryOf(parameters)}`, { method: 'GET', headers: usageHeaders }, options),
  };

  function ask(name: string, url: string, init: FetchInit, options: QueryOptions = {}): Promise<unknown> {
    const { signal } = options;
    const call = signal === undefined ? init : { ...init, signal };
    return withRetry(platform, options, async () => {
      const { status, text, retryAfter } = await exchange(url, call);
      if (status !== 200) throw errorOfResponse(status, text, retryAfter);
      return readJson(text, name);
    });
  }

  async function exchange(url: string, init: FetchInit) {
    try {
      const response = await platform.fetch(url, init);
      return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') };
    } catch (cause) {
      if (init.signal?.aborted === true) throw init.signal.reason;
      throw new TransportError('network', 'the service could not be reached', { cause });
    }
  }
}

function bearer(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { Authorization: `Bearer ${key}` };
}

function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function httpBase(name: string, url: string): string {
  const base = trimSlash(url);
  if (!/^https?:\/\/[^/]/.test(base)) throw new TypeError(`${name} must begin with http:// or https:// and a host`);
  return base;
}

function trimSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

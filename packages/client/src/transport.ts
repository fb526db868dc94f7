import { WireFormatError } from '@l4desk/protocol';
import { errorOfAnswer, TransportError } from './errors.ts';
import type { Platform, Signal, Socket } from './platform.ts';

/** Options that every query takes. */
export interface QueryOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: Signal;
}

/** Carries queries and opens the stream's sockets. The key stays inside: it is in no field, message or event. */
export interface Transport {
  readonly platform: Platform;
  /** Posts one query and answers the parsed JSON, unchecked. Rejects with ServiceError, TransportError or WireFormatError. */
  query(body: { readonly type: string }, options?: QueryOptions): Promise<unknown>;
  openSocket(): Socket;
}

export interface TransportSettings {
  /** Base of the query endpoint, `/info` is appended: `https://desk.example`. */
  readonly baseUrl: string;
  /** Base of the stream, `/ws` is appended; by default `baseUrl` with `ws:` or `wss:`. */
  readonly wsUrl?: string;
  /** Left out in a page of the dashboard: its session cookie travels by itself. */
  readonly apiKey?: string;
}

export function createTransport(settings: TransportSettings, platform: Platform): Transport {
  const { apiKey } = settings;
  const baseUrl = trimSlash(settings.baseUrl);
  const wsUrl = trimSlash(settings.wsUrl ?? baseUrl.replace(/^http/, 'ws'));
  if (!/^https?:\/\/[^/]/.test(baseUrl)) throw new TypeError('baseUrl must begin with http:// or https:// and a host');
  if (!/^wss?:\/\/[^/]/.test(wsUrl)) throw new TypeError('wsUrl must begin with ws:// or wss:// and a host');
  const infoUrl = `${baseUrl}/info`;
  // The key travels as a query parameter: a browser's socket takes no header (AUTH-2).
  const streamUrl = apiKey === undefined ? `${wsUrl}/ws` : `${wsUrl}/ws?key=${encodeURIComponent(apiKey)}`;
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (apiKey !== undefined) headers.Authorization = `Bearer ${apiKey}`;

  return {
    platform,
    openSocket: () => new platform.WebSocket(streamUrl),
    async query(body, { signal } = {}) {
      const init = { method: 'POST', headers, body: JSON.stringify(body) } as const;
      const { status, text, retryAfter } = await post(infoUrl, signal === undefined ? init : { ...init, signal });
      if (status !== 200) throw errorOfAnswer(status, text, retryAfter);
      try {
        return JSON.parse(text);
      } catch {
        throw new WireFormatError(body.type, 'answer is no JSON');
      }
    },
  };

  async function post(url: string, init: Parameters<Platform['fetch']>[1]) {
    try {
      const answer = await platform.fetch(url, init);
      return { status: answer.status, text: await answer.text(), retryAfter: answer.headers.get('retry-after') };
    } catch (cause) {
      if (init.signal?.aborted === true) throw init.signal.reason;
      throw new TransportError('network', 'the service could not be reached', { cause });
    }
  }
}

function trimSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

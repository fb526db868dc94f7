import type { IncomingMessage } from 'node:http';
import { isWildcard } from '@l4desk/ledger';
import { ApiError } from '@l4desk/protocol';
import { isLoopback } from '../config/settings.ts';

/** The addresses a browser may use the service under: `PUBLIC_URL`, and on loopback the usual local names (AUTH-19). */
export interface AllowedOrigins {
  /** The one that printed links use. */
  readonly primary: string;
  /** The service listens on every address and does not know its name: browsers cannot use it. */
  readonly isNameless: boolean;
  hasOrigin(origin: string): boolean;
  hasHost(host: string): boolean;
}

/**
 * The allowed origins of a service that listens on `port`. One that listens on every address of the machine cannot know
 * its names: without a `PUBLIC_URL` it has none, since anyone who reaches it could make one up (D34).
 */
export function allowedOrigins(host: string, port: number, publicUrl: string | undefined): AllowedOrigins {
  const own = isWildcard(host) ? 'localhost' : host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const primary = publicUrl ?? new URL(`http://${own}:${port}`).origin;
  const isNameless = isWildcard(host) && publicUrl === undefined;
  const names = isLoopback(host) ? ['localhost', '127.0.0.1', ...(host.includes(':') ? ['[::1]'] : [])] : [];
  const known = isNameless ? [] : [primary, ...names.map((name) => `http://${name}:${port}`)];
  const urls = known.map((text) => new URL(text));
  const origins = new Set(urls.map((url) => url.origin));
  const hosts = new Set(
    urls.flatMap((url) => [url.host, `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`]),
  );
  return {
    primary,
    isNameless,
    hasOrigin: (origin) => origins.has(origin),
    hasHost: (name) => hosts.has(name.toLowerCase()),
  };
}

/** The port of an origin as browsers see it. */
export function publicPort(origin: string): string {
  const { port, protocol } = new URL(origin);
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}

/** Refuses a request whose `Host` is a name the service does not go by: a page of another site that had its name point here (AUTH-20). */
export function hostRefusal(request: IncomingMessage, allowed: AllowedOrigins): ApiError | undefined {
  if (request.headers.host !== undefined && allowed.hasHost(request.headers.host)) return undefined;
  return new ApiError(
    'forbidden_origin',
    allowed.isNameless
      ? 'The service listens on all addresses and does not know its public name: set PUBLIC_URL.'
      : `This is not an address of the service: it is reached at ${allowed.primary}. PUBLIC_URL sets that.`,
  );
}

/**
 * Refuses a request that rides on a browser's session from anywhere but our own pages (AUTH-17, AUTH-18). Browsers say
 * where a request comes from: `Origin` on every POST and WebSocket, `Sec-Fetch-Site` on a plain GET.
 */
export function sessionOriginRefusal(
  request: IncomingMessage,
  allowed: AllowedOrigins,
  { upgrade = false } = {},
): ApiError | undefined {
  const refusal = hostRefusal(request, allowed);
  if (refusal !== undefined) return refusal;
  const { origin } = request.headers;
  if (origin !== undefined) {
    if (allowed.hasOrigin(origin)) return undefined;
    return new ApiError('forbidden_origin');
  }
  const reads = !upgrade && (request.method === 'GET' || request.method === 'HEAD');
  if (reads && request.headers['sec-fetch-site'] === 'same-origin') return undefined;
  return new ApiError(
    'forbidden_origin',
    reads
      ? 'A session requires Sec-Fetch-Site: same-origin, which browsers send over https and on this machine; other clients need a key.'
      : 'A session requires the Origin header that browsers send; other clients need a key.',
  );
}

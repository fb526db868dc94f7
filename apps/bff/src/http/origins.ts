import type { IncomingMessage } from 'node:http';
import { ApiError } from '@l4desk/protocol';
import { isWildcard } from '@l4desk/runtime/node';
import { isLoopback } from '../config/settings.ts';

/** The origins under which a browser may use the service: `PUBLIC_URL`, and on loopback the usual local names (AUTH-19). */
export interface AllowedOrigins {
  /** The origin used in printed links. */
  readonly primary: string;
  /** Whether the service listens on all addresses without a `PUBLIC_URL`. Browsers then cannot use it. */
  readonly isNameless: boolean;
  hasOrigin(origin: string): boolean;
  hasHost(host: string): boolean;
}

/** Without a `PUBLIC_URL`, a service on all addresses has no allowed origin: anyone could invent its name (D34). */
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

/** The port of an origin, with the scheme's default filled in. */
export function publicPort(origin: string): string {
  const { port, protocol } = new URL(origin);
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}

/** Refuses a request with an unknown `Host`, which protects against DNS rebinding by pages of other sites (AUTH-20). */
export function hostRefusal(request: IncomingMessage, allowed: AllowedOrigins): ApiError | undefined {
  if (request.headers.host !== undefined && allowed.hasHost(request.headers.host)) return undefined;
  return new ApiError(
    'forbidden_origin',
    allowed.isNameless
      ? 'The service listens on all addresses and does not know its public name: set PUBLIC_URL.'
      : `This is not an address of the service: it is reached at ${allowed.primary}. PUBLIC_URL sets that.`,
  );
}

/** Refuses a request that uses a browser's session but does not come from one of our own pages (AUTH-17, AUTH-18). */
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

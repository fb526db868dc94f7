import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a browser may cache a preflight response, in seconds. */
const PREFLIGHT_AGE_S = 600;

/**
 * Lets pages of other configured sites (`CORS_ORIGINS`) read responses to requests that carry their own key. They cannot
 * use sessions, because cross-origin credentials are not allowed. Returns `responded` if it responded to a preflight.
 */
export function crossOrigin(
  allowed: readonly string[],
): (request: IncomingMessage, response: ServerResponse) => 'responded' | 'continue' {
  const origins = new Set(allowed);
  if (origins.size === 0) return () => 'continue';
  return (request, response) => {
    response.appendHeader('Vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !origins.has(origin)) return 'continue';
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', 'Retry-After, WWW-Authenticate, X-Request-Id');
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
      return 'continue';
    response.statusCode = 204;
    response.setHeader('Access-Control-Allow-Methods', 'POST');
    response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type');
    response.setHeader('Access-Control-Max-Age', String(PREFLIGHT_AGE_S));
    response.end();
    return 'responded';
  };
}

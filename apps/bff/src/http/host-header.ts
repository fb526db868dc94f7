import type { IncomingMessage } from 'node:http';
import { ApiError } from '@l4desk/protocol';

/**
 * Refuses a request that does not have exactly one `Host` (RFC 9112, 3.2). Of several, Node reads the first, and a proxy in front of
 * the service may have checked another one. HTTP/1.0 does not require it.
 */
export function hostHeaderRefusal({ rawHeaders, httpVersion }: IncomingMessage): ApiError | undefined {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  if (hosts > 1) return new ApiError('invalid_request', 'The Host header is given more than once.');
  if (hosts === 1 || httpVersion === '1.0') return undefined;
  return new ApiError('invalid_request', 'The Host header is missing.');
}

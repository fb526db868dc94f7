import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Keeps connections; without one each exchange has its own. */
  readonly agent?: Agent;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  readonly json: () => unknown;
}

/** One HTTP exchange, every header as the test wants it: `fetch` would not let it set Host, Origin or Sec-Fetch-Site. */
export async function http(
  url: string,
  { method = 'GET', headers = {}, body, agent }: RawRequest = {},
): Promise<RawResponse> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const { hostname, port, pathname, search } = new URL(url);
    const outgoing = send({ hostname, port, path: pathname + search, method, headers, agent: agent ?? false }, resolve);
    outgoing.once('error', reject);
    outgoing.end(body);
  });
  const bytes = await buffer(response);
  const text = bytes.toString('utf8');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    bytes,
    text,
    json: () => JSON.parse(text) as unknown,
  };
}

/** A POST of a JSON value. */
export function postJson(
  url: string,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawResponse> {
  return http(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  });
}

export function bearer(key: string): { readonly authorization: string } {
  return { authorization: `Bearer ${key}` };
}

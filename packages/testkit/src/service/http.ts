import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Keeps connections open. Without an agent, each exchange has its own connection. */
  readonly agent?: Agent;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  readonly json: () => unknown;
}

/** Performs one HTTP exchange with exactly these headers. `fetch` does not allow Host, Origin or Sec-Fetch-Site. */
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

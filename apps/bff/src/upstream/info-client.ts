import { Pool } from 'undici';

/** A call of the exchange's info endpoint failed. The sentence names no host (D1). */
export class UpstreamError extends Error {
  readonly code: 'upstream_error' | 'upstream_timeout';
  readonly retryable = true;

  constructor(code: UpstreamError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UpstreamError';
    this.code = code;
  }
}

/** The exchange's info endpoint. */
export interface InfoClient extends AsyncDisposable {
  /** The parsed JSON answer of one query. Rejects with UpstreamError, or with the signal's reason when it aborts. */
  query(request: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<unknown>;
}

/** Most bytes of an answer that is read: a stream without end must not fill the memory. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/** Calls the info endpoint at `url` over a pool of connections; each call has `timeoutMs` from start to last byte. */
export function createInfoClient(url: string, timeoutMs: number): InfoClient {
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, { connections: 16, pipelining: 1 });

  async function call(body: string, signal: AbortSignal): Promise<unknown> {
    const answer = await pool.request({
      path: pathname + search,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      signal,
    });
    const text = await readText(answer.body);
    if (answer.statusCode < 200 || answer.statusCode > 299)
      throw new UpstreamError('upstream_error', `upstream returned HTTP ${answer.statusCode}`);
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new UpstreamError('upstream_error', 'upstream sent an answer that is not JSON', { cause: error });
    }
  }

  return {
    async query(request, signal) {
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        return await call(
          JSON.stringify(request),
          signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
        );
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof UpstreamError) throw error;
        if (deadline.aborted)
          throw new UpstreamError('upstream_timeout', `upstream did not answer within ${timeoutMs} ms`);
        throw new UpstreamError('upstream_error', `upstream cannot be reached${failureCode(error)}`, { cause: error });
      }
    },
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new UpstreamError('upstream_error', 'upstream sent an answer that is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The system's word for a failed connection, such as ECONNREFUSED; its message would name the host. */
function failureCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z_\d]+$/.test(code) ? ` (${code})` : '';
}

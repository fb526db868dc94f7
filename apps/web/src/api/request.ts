import { ServiceError, TransportError, WireFormatError } from '@l4desk/client';
import { errorBody, firstIssue, type z } from '@l4desk/protocol';

interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * Sends one call to the page's own origin with the session cookie, and validates the response against `schema`. Rejects with
 * ServiceError (the service refused), TransportError (no response from the service) or WireFormatError (a response of another
 * shape).
 */
export async function request<T>(path: string, schema: z.ZodType<T>, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options);
  const json = await readJson(response);
  if (!response.ok) throw failure(response, json);
  const checked = schema.safeParse(json);
  if (checked.success) return checked.data;
  const { path: at, problem } = firstIssue(checked.error);
  throw new WireFormatError(at === '' ? path : `${path}: ${at}`, problem);
}

/** A call whose response has no body. */
export async function command(path: string, options: RequestOptions): Promise<void> {
  const response = await send(path, options);
  if (!response.ok) throw failure(response, await readJson(response));
}

async function send(path: string, { method = 'GET', body, signal }: RequestOptions): Promise<Response> {
  try {
    return await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new TransportError('network', 'the service is not responding', { cause: error });
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

function failure(response: Response, json: unknown): ServiceError | TransportError {
  const { status } = response;
  const body = errorBody.safeParse(json);
  if (!body.success)
    return new TransportError('status', `HTTP ${status} without an error body from the service`, { status });
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ServiceError(status, body.data, seconds >= 0 ? seconds * 1000 : undefined);
}

/** Whether an error means that nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 401;
}

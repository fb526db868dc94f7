import { errorOfResponse, ServiceError, TransportError, WireFormatError } from '@l4desk/client';
import { firstIssue, parsedJson, type z } from '@l4desk/protocol';

interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
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
  if (!response.ok) throw await failure(response);
  const checked = schema.safeParse(parsedJson(await readText(response)));
  if (checked.success) return checked.data;
  const { path: at, problem } = firstIssue(checked.error);
  throw new WireFormatError(at === '' ? path : `${path}: ${at}`, problem);
}

/** A call whose response has no body. */
export async function command(path: string, options: RequestOptions): Promise<void> {
  const response = await send(path, options);
  if (!response.ok) throw await failure(response);
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

/** The body; empty if the connection broke while it was read. */
async function readText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch {
    return '';
  }
}

async function failure(response: Response): Promise<ServiceError | TransportError> {
  return errorOfResponse(response.status, await readText(response), response.headers.get('retry-after'));
}

/** Whether an error means that nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 401;
}

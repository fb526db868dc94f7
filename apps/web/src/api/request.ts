import { type ErrorBody, errorBody, type z } from '@l4desk/protocol';

/** The service answered with an error: what it says, and whether the same call may succeed later. */
export class AnsweredError extends Error {
  readonly code: ErrorBody['error'];
  readonly status: number;
  /** The invalid field, where the error is about one. */
  readonly path: string | undefined;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.name = 'AnsweredError';
    this.code = body.error;
    this.status = status;
    this.path = body.path;
  }
}

/** No usable answer came: the service is not running, or something else answered in its place. */
export class UnreachableError extends Error {
  readonly code = 'unreachable';

  constructor(what: string, cause?: unknown) {
    super(what, { cause });
    this.name = 'UnreachableError';
  }
}

interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** One call to the page's own origin with the session cookie; the answer is checked against `schema`. */
export async function request<T>(path: string, schema: z.ZodType<T>, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options);
  const json = await readJson(response);
  if (!response.ok) throw failure(response, json);
  const checked = schema.safeParse(json);
  if (!checked.success) throw new UnreachableError(`${path} answered something this page does not understand`);
  return checked.data;
}

/** A call whose answer has no body. */
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
    throw new UnreachableError('the service does not answer', error);
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

function failure(response: Response, json: unknown): AnsweredError | UnreachableError {
  const body = errorBody.safeParse(json);
  if (!body.success) return new UnreachableError(`HTTP ${response.status} without an error of the service`);
  return new AnsweredError(response.status, body.data);
}

/** Whether an error says that nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof AnsweredError && error.status === 401;
}

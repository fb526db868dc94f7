import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import type { CoalescedCall } from './coalesced-calls.ts';
import type { ResponseHold } from './response-memory.ts';

/** A complete HTTP response. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly chunks: readonly Buffer[];
}

/** Thrown when an HTTP call ends without a complete response. */
export class HttpFailure extends Error {
  /** Whether the response had started: a call without a byte of response may be retried. */
  readonly responseBegan: boolean;
  /** Why this client stopped reading the response, if it did. */
  readonly refused: 'too-large' | 'no-room' | undefined;

  constructor(responseBegan: boolean, refused: HttpFailure['refused'], cause: unknown) {
    super('the call failed without a response', { cause });
    this.name = 'HttpFailure';
    this.responseBegan = responseBegan;
    this.refused = refused;
  }
}

export interface HttpPost {
  readonly pool: Pick<Pool, 'dispatch'>;
  readonly path: string;
  /** Alternating names and values. */
  readonly headers: string[];
  readonly body: string;
  /** Accounts for the memory of the response. */
  readonly hold: Pick<ResponseHold, 'add'>;
  /** The shared call that gets the response. It is closed when the response head arrives. Abandoning it aborts the request. */
  readonly call: CoalescedCall;
}

/** Posts a body and reads the whole response. Rejects with HttpFailure. Has no timeout: each caller has its own deadline. */
export function httpPost(post: HttpPost): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const { pool, path, headers, body } = post;
    pool.dispatch({ method: 'POST', path, headers, body }, new Reader(post, resolve, reject));
  });
}

const ABANDONED = new Error('the call was canceled by all callers');

/** Collects one response. Uses undici's `dispatch`: `request` builds a stream per body, which costs more than the call. */
class Reader implements Dispatcher.DispatchHandler {
  readonly #post: HttpPost;
  readonly #resolve: (response: HttpResponse) => void;
  readonly #reject: (error: HttpFailure) => void;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #began = false;
  #refused: HttpFailure['refused'];

  constructor(post: HttpPost, resolve: (response: HttpResponse) => void, reject: (error: HttpFailure) => void) {
    this.#post = post;
    this.#resolve = resolve;
    this.#reject = reject;
    post.call.onAbandoned = this.#onAbandoned;
  }

  /** A call that still waits for a connection fails at once; when its turn comes, `onRequestStart` aborts it. */
  readonly #onAbandoned = (): void => {
    if (this.#controller === undefined) this.#fail(ABANDONED);
    else this.#controller.abort(ABANDONED);
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#post.call.isAbandoned) controller.abort(ABANDONED);
    else this.#post.call.sent();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    // A 1xx response is not the start of the real one.
    if (status < 200 || this.#began) return;
    this.#began = true;
    this.#post.call.close();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const outcome = this.#post.hold.add(chunk.length);
    if (outcome === 'held') {
      this.#chunks.push(chunk);
      return;
    }
    this.#refused = outcome;
    controller.abort(new Error('the response takes too much memory'));
  }

  onResponseEnd(): void {
    this.#post.call.onAbandoned = undefined;
    this.#resolve({ status: this.#status, headers: this.#headers, chunks: this.#chunks });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #fail(cause: unknown): void {
    this.#post.call.onAbandoned = undefined;
    this.#reject(new HttpFailure(this.#began, this.#refused, cause));
  }
}

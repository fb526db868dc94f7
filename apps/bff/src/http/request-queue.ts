import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Maximum requests of one connection that may wait behind the one being served. */
export const WAITING_REQUESTS_MAX = 32;

export interface RequestQueueDeps {
  /** Serves one request. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  /** Called when a connection is closed because too many of its requests are waiting. */
  readonly onOverflow: (request: IncomingMessage) => void;
}

/**
 * Serves the requests of each connection one after another: a pipelined request costs no credits and no upstream call
 * before its turn (BILL-20). Node queues pipelined requests without a bound as long as nothing is written for them, and
 * aborting them takes quadratic time, so a connection on which too many requests wait is closed (INFO-35).
 */
export class RequestQueue {
  readonly #pending = new WeakMap<Duplex, Set<ServerResponse>>();
  readonly #deps: RequestQueueDeps;

  constructor(server: Server, deps: RequestQueueDeps) {
    this.#deps = deps;
    server.on('request', this.#onRequest);
  }

  /** Unfinished responses of a connection, starting with the one being served. */
  pending(socket: Duplex): ReadonlySet<ServerResponse> {
    return this.#pending.get(socket) ?? NONE;
  }

  readonly #onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    // After a connection is closed, Node still parses what was already read.
    if (socket.destroyed) return;
    const pending = this.#pending.get(socket) ?? new Set();
    this.#pending.set(socket, pending);
    if (pending.size > WAITING_REQUESTS_MAX) {
      this.#deps.onOverflow(request);
      socket.destroy();
      return;
    }
    pending.add(response);
    response.once('close', () => pending.delete(response));
    const { serve } = this.#deps;
    if (response.socket !== null) serve(request, response);
    else response.once('socket', () => queueMicrotask(() => serve(request, response)));
  };
}

const NONE: ReadonlySet<ServerResponse> = new Set();

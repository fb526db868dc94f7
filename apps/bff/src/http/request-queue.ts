import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Most requests of one connection that may wait behind the one being served. */
export const WAITING_REQUESTS_MAX = 32;

export interface RequestQueueDeps {
  /** Serves one request. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  /** A connection is closed because too many of its requests wait. */
  readonly onOverflow: (request: IncomingMessage) => void;
}

/**
 * Serves the requests of each connection one after another: a pipelined request costs neither credits nor an upstream
 * call before its turn (BILL-20). Node queues such requests without a bound as long as nothing is written for them, and
 * takes a time quadratic in their number to abort them, so a connection on which too many wait is closed (INFO-35).
 */
export class RequestQueue {
  readonly #pending = new WeakMap<Duplex, Set<ServerResponse>>();
  readonly #deps: RequestQueueDeps;

  constructor(server: Server, deps: RequestQueueDeps) {
    this.#deps = deps;
    server.on('request', this.#onRequest);
  }

  /** Responses of a connection that are not finished, the one being served first. */
  pending(socket: Duplex): ReadonlySet<ServerResponse> {
    return this.#pending.get(socket) ?? NONE;
  }

  readonly #onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    // Of a closed connection Node still parses the rest of what was read.
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

import { ApiError, isObject } from '@l4desk/protocol';
import type { Log } from '@l4desk/runtime';
import type { Authoriser, Principal } from '../http/auth/principal.ts';
import { toApiError } from '../http/errors.ts';
import type { InfoService } from '../info/info-service.ts';
import type { PostRequest } from './client-message.ts';
import { bytesFrame } from './frame.ts';
import type { Peer } from './peer.ts';

/** Maximum posts of one connection whose responses are not sent yet, as at the exchange. */
export const PENDING_POSTS_MAX = 100;

export interface PostDeps {
  readonly info: Pick<InfoService, 'kindOf' | 'serve'>;
  readonly authoriser: Pick<Authoriser, 'stillValid'>;
  readonly log: Log;
}

/** Queries that a client posts on its socket, served like `POST /info` (WS-50). Many may be in flight at a time. */
export class Posts {
  readonly #principal: Principal;
  readonly #peer: Pick<Peer, 'respond'>;
  readonly #deps: PostDeps;
  readonly #gone = new AbortController();
  #pending = 0;

  constructor(principal: Principal, peer: Pick<Peer, 'respond'>, deps: PostDeps) {
    this.#principal = principal;
    this.#peer = peer;
    this.#deps = deps;
  }

  /** Serves a post and sends its response. Never rejects. */
  async serve({ id, request }: PostRequest): Promise<void> {
    this.#pending += 1;
    const parts =
      this.#pending > PENDING_POSTS_MAX ? errorParts('too many pending post requests') : await this.#response(request);
    if (!this.#gone.signal.aborted) {
      const [before, after] = [`{"channel":"post","data":{"id":${id},"response":{`, '}}}'].map((text) =>
        Buffer.from(text),
      );
      await this.#peer.respond(bytesFrame([before as Buffer, ...parts, after as Buffer]));
    }
    this.#pending -= 1;
  }

  /** The connection ends: queries that have not been sent upstream yet are dropped and cost nothing (BILL-23). */
  close(): void {
    this.#gone.abort();
  }

  async #response(request: unknown): Promise<readonly Uint8Array[]> {
    const { info, authoriser, log } = this.#deps;
    const principal = this.#principal;
    try {
      const query = queryOf(request);
      if (!(await authoriser.stillValid(principal))) throw new ApiError('unauthorized');
      const kind = info.kindOf(query);
      const { bytes } = await info.serve(kind, query, {
        principal,
        encoding: 'identity',
        clientGone: this.#gone.signal,
      });
      return [Buffer.from(`"type":"info","payload":{"type":"${kind.type}","data":`), bytes, Buffer.from('}')];
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error.code === 'internal_error') log.error({ err: error.cause }, 'post failed');
      return errorParts(error.message);
    }
  }
}

function queryOf(request: unknown) {
  const { type, payload } = isObject(request) ? request : { type: undefined, payload: undefined };
  if (type !== 'info')
    throw new ApiError(
      'invalid_request',
      'This service serves queries only: the type of a posted request must be info.',
    );
  if (!isObject(payload)) throw new ApiError('invalid_request', 'The payload must be a JSON object.');
  return payload;
}

function errorParts(sentence: string): readonly Uint8Array[] {
  return [Buffer.from(`"type":"error","payload":${JSON.stringify(sentence)}`)];
}

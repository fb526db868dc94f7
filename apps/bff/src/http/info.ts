import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InfoKind } from '../info/kind.ts';
import { chooseEncoding } from './accept-encoding.ts';
import { readJsonObject } from './body.ts';
import { ServiceError, toServiceError } from './errors.ts';
import type { Authoriser } from './principal.ts';
import { refuse, requestNotes } from './request-log.ts';
import { clientGone, sendJsonBytes } from './respond.ts';

export interface InfoDeps {
  readonly authoriser: Authoriser;
  readonly kinds: readonly InfoKind[];
  readonly bodyBytesMax: number;
}

/** Answers `POST /info`. The path is settled already; the checks that follow come in the decided order (D1). */
export function infoHandler({ authoriser, kinds, bodyBytesMax }: InfoDeps) {
  // A map, not an object: `type` is any text a client sends, `__proto__` included.
  const kindByType = new Map(kinds.map((kind) => [kind.type, kind]));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') throw methodNotAllowed('POST');
    const principal = await authoriser.authorise(request, 'info');
    if (principal instanceof ServiceError) throw principal;
    const log = requestNotes(request);
    log.principal = principal;
    const body = await readJsonObject(request, bodyBytesMax);
    const { type } = body;
    if (typeof type !== 'string')
      throw new ServiceError('invalid_request', 'The field type must be a string that names the query kind.', {
        path: 'type',
      });
    const kind = kindByType.get(type);
    if (kind === undefined)
      throw new ServiceError('unsupported_type', 'The service has no query kind of that type.', { type });
    log.kind = kind.type;
    const gone = clientGone(response);
    const answer = await kind.answer(body, {
      encoding: chooseEncoding(request.headers['accept-encoding']?.toString()),
      clientGone: gone,
    });
    if (gone.aborted) return;
    response.appendHeader('Vary', 'Accept-Encoding');
    sendJsonBytes(response, 200, answer.bytes, answer.encoding);
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await handle(request, response);
    } catch (error) {
      if (!response.destroyed) refuse(response, toServiceError(error));
    }
  };
}

/** The refusal of a method that a path does not have (INFO-14). */
export function methodNotAllowed(allow: string): ServiceError {
  return new ServiceError('method_not_allowed', `This path answers ${allow} only.`, { headers: { Allow: allow } });
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpAnswer, jsonAnswer, readBody, sendAnswer, textAnswer } from '../http.ts';
import { InvalidInfoRequest } from './invalid-request.ts';
import type { InfoContext, InfoKind } from './kind.ts';
import { meta } from './meta.ts';
import { perpDexs } from './perpDexs.ts';

/** Every kind the venue answers, a file each. */
const KINDS: ReadonlyMap<string, InfoKind> = new Map([meta, perpDexs].map((kind) => [kind.type, kind]));

/** What the exchange says to a body it cannot use. */
const NOT_DESERIALIZED = textAnswer(422, 'Failed to deserialize the JSON body into the target type');

/** `POST /info` of the exchange. */
export class InfoApi {
  readonly #context: InfoContext;

  constructor(context: InfoContext) {
    this.#context = context;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    sendAnswer(response, await this.#answer(request));
  }

  async #answer(request: IncomingMessage): Promise<HttpAnswer> {
    if (request.method !== 'POST') return textAnswer(405, '', { Allow: 'POST' });
    if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
      return textAnswer(415, 'Expected request with `Content-Type: application/json`');
    }
    const body = await readBody(request);
    if (body === null) return textAnswer(413, 'Failed to buffer the request body: length limit exceeded');
    const query = parseObject(body);
    const kind = query === null ? undefined : KINDS.get(String(query.type));
    if (query === null || kind === undefined) return NOT_DESERIALIZED;
    try {
      const answer = kind.answer(query, this.#context);
      return answer === undefined ? jsonAnswer(500, null) : jsonAnswer(200, answer);
    } catch (error) {
      if (error instanceof InvalidInfoRequest) return NOT_DESERIALIZED;
      throw error;
    }
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { parsedJson, z } from '@l4desk/protocol';
import { SeekError } from '../capture/capture-source.ts';
import { type Fault, fault } from '../faults/fault.ts';
import { MarketRunsError } from '../feed/pacer.ts';
import { type HttpResponse, jsonResponse, pathOf, readBody, sendResponse } from '../http.ts';
import { isInfoKind } from '../info/info-api.ts';
import type { BookResponse, VenueControls } from './controls.ts';

const stepRequest = z.strictObject({ blocks: z.int().min(1).max(1_000_000) });

const paceRequest = z.strictObject({ factor: z.number().min(0).max(1_000) });

const seekRequest = z.strictObject({ height: z.int().min(0) });

const loopRequest = z.strictObject({ loop: z.boolean() });

const levelsRequest = z
  .strictObject({
    rate: z.number().min(0).max(100).optional(),
    statusRate: z.number().min(0).max(100).optional(),
    size: z.number().min(0.001).max(10).optional(),
  })
  .refine((levels) => Object.keys(levels).length > 0, 'must contain rate, statusRate or size');

/** A request to the control port that cannot be fulfilled; the message says why. */
class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ControlError';
    this.status = status;
  }
}

/** JSON over HTTP on loopback that steps the market and injects faults into its feed. */
export class ControlApi {
  readonly #controls: VenueControls;

  constructor(controls: VenueControls) {
    this.#controls = controls;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    sendResponse(response, await this.#respond(request));
  }

  async #respond(request: IncomingMessage): Promise<HttpResponse> {
    try {
      return jsonResponse(200, await this.#do(request));
    } catch (error) {
      if (error instanceof ControlError) return jsonResponse(error.status, { error: error.message });
      if (error instanceof SeekError) return jsonResponse(400, { error: error.message });
      if (error instanceof MarketRunsError) return jsonResponse(409, { error: error.message });
      throw error;
    }
  }

  async #do(request: IncomingMessage): Promise<object> {
    // Any website could post here from a visitor's browser; browsers always send the `Origin` header.
    if (request.headers.origin !== undefined) throw new ControlError(403, 'web pages cannot use the control port');
    const path = pathOf(request);
    const bookOf = /^\/book\/([^/]+)$/.exec(path)?.[1];
    if (bookOf !== undefined) {
      requireMethod(request, 'GET');
      return this.#book(bookOf);
    }
    switch (path) {
      case '/state':
        requireMethod(request, 'GET');
        return this.#controls.state();
      case '/wallets':
        requireMethod(request, 'GET');
        return this.#controls.wallets();
      case '/step': {
        const { blocks } = await readRequest(request, stepRequest);
        return { height: await this.#controls.step(blocks) };
      }
      case '/pace': {
        const { factor } = await readRequest(request, paceRequest);
        this.#controls.setPace(factor);
        return { factor };
      }
      case '/seek': {
        const { height } = await readRequest(request, seekRequest);
        const shown = this.#controls.seek(height);
        if (shown === null) throw new ControlError(409, 'a simulated market has no past to jump to');
        return { height: shown, recorded: height };
      }
      case '/loop': {
        const { loop } = await readRequest(request, loopRequest);
        if (!this.#controls.setLoop(loop)) throw new ControlError(409, 'a simulated market never ends');
        return { loop };
      }
      case '/levels': {
        const levels = await readRequest(request, levelsRequest);
        const changed = this.#controls.setLevels(levels);
        if (changed === null) throw new ControlError(409, 'a capture has no levels that can be changed');
        return changed;
      }
      case '/fault':
        return this.#fault(await readRequest(request, fault));
      default:
        throw new ControlError(
          404,
          'unknown path; use /step, /pace, /seek, /loop, /levels, /fault, /book/<coin>, /wallets or /state',
        );
    }
  }

  #book(encoded: string): BookResponse {
    let coin: string;
    try {
      coin = decodeURIComponent(encoded);
    } catch {
      throw new ControlError(400, `${encoded} is not a coin's name in URL encoding`);
    }
    const book = this.#controls.book(coin);
    if (book === null) throw new ControlError(404, `unknown coin ${coin}`);
    return book;
  }

  #fault(asked: Fault): object {
    const { coin } = { coin: null, ...asked };
    if (asked.kind === 'info' && asked.type !== null && !isInfoKind(asked.type)) {
      throw new ControlError(400, `type: unknown kind ${asked.type}`);
    }
    if (coin !== null && !this.#controls.hasCoin(coin)) throw new ControlError(400, `coin: unknown coin ${coin}`);
    if (asked.kind === 'node' && !this.#controls.writesNodeFiles)
      throw new ControlError(409, 'no files of a node are written: set VENUE_NODE_DIR');
    this.#controls.applyFault(asked);
    return { fault: asked };
  }
}

function requireMethod(request: IncomingMessage, method: 'GET' | 'POST'): void {
  if (request.method !== method) throw new ControlError(405, `only ${method} is supported here`);
}

async function readRequest<T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  requireMethod(request, 'POST');
  const body = await readBody(request);
  if (body === null) throw new ControlError(413, 'the body is too large');
  const value = parsedJson(body);
  if (value === undefined) throw new ControlError(400, 'the body is not JSON');
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  throw new ControlError(400, problems.join('; '));
}

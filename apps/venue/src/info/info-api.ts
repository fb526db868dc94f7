import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, parsedJson } from '@l4desk/protocol';
import { type InfoFaults, TOO_MANY } from '../faults/info-faults.ts';
import { type HttpResponse, jsonResponse, readBody, sendResponse, textResponse } from '../http.ts';
import { allMids } from './allMids.ts';
import { clearinghouseState } from './clearinghouseState.ts';
import type { Exchange } from './exchange.ts';
import { exchangeStatus } from './exchangeStatus.ts';
import { frontendOpenOrders } from './frontendOpenOrders.ts';
import { fundingHistory } from './fundingHistory.ts';
import { historicalOrders } from './historicalOrders.ts';
import type { InfoKind } from './kind.ts';
import { l2Book } from './l2Book.ts';
import { maxMarketOrderNtls } from './maxMarketOrderNtls.ts';
import { meta } from './meta.ts';
import { metaAndAssetCtxs } from './metaAndAssetCtxs.ts';
import { openOrders } from './openOrders.ts';
import { orderStatus } from './orderStatus.ts';
import { perpDexs } from './perpDexs.ts';
import { predictedFundings } from './predictedFundings.ts';
import { spotClearinghouseState } from './spotClearinghouseState.ts';
import { spotMeta } from './spotMeta.ts';
import { spotMetaAndAssetCtxs } from './spotMetaAndAssetCtxs.ts';
import { userAbstraction } from './userAbstraction.ts';
import { userFills } from './userFills.ts';
import { userFillsByTime } from './userFillsByTime.ts';
import { userFunding } from './userFunding.ts';
import { userRole } from './userRole.ts';
import type { WeightLimit } from './weight-limit.ts';

/** All query kinds of the venue, one file each. */
const KINDS: ReadonlyMap<string, InfoKind> = new Map(
  [
    allMids,
    clearinghouseState,
    exchangeStatus,
    frontendOpenOrders,
    fundingHistory,
    historicalOrders,
    l2Book,
    maxMarketOrderNtls,
    meta,
    metaAndAssetCtxs,
    openOrders,
    orderStatus,
    perpDexs,
    predictedFundings,
    spotClearinghouseState,
    spotMeta,
    spotMetaAndAssetCtxs,
    userAbstraction,
    userFills,
    userFillsByTime,
    userFunding,
    userRole,
  ].map((kind) => [kind.type, kind]),
);

const FILE_SNAPSHOT = 'fileSnapshot';

/** The exchange's response to an invalid body. */
const NOT_DESERIALIZED = textResponse(422, 'Failed to deserialize the JSON body into the target type');

/** Number of calls since the start: per kind, and those over the limit. */
export interface InfoCounts {
  readonly calls: Readonly<Record<string, number>>;
  readonly pastLimit: number;
}

export interface InfoApiDeps {
  readonly exchange: Exchange;
  readonly faults: InfoFaults;
  readonly limit: WeightLimit;
  /** Responds to `fileSnapshot`, which only a self-hosted node serves; null if the venue does not act as one. */
  readonly fileSnapshot: ((query: unknown) => Promise<HttpResponse>) | null;
}

export function isInfoKind(type: string): boolean {
  return KINDS.has(type) || type === FILE_SNAPSHOT;
}

/** The exchange's `POST /info`. */
export class InfoApi {
  readonly #exchange: Exchange;
  readonly #faults: InfoFaults;
  readonly #limit: WeightLimit;
  readonly #fileSnapshot: InfoApiDeps['fileSnapshot'];
  readonly #calls = new Map<string, number>();
  #pastLimit = 0;

  constructor({ exchange, faults, limit, fileSnapshot }: InfoApiDeps) {
    this.#fileSnapshot = fileSnapshot;
    this.#exchange = exchange;
    this.#faults = faults;
    this.#limit = limit;
  }

  get counts(): InfoCounts {
    return { calls: Object.fromEntries(this.#calls), pastLimit: this.#pastLimit };
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = await this.#respond(request);
    if (reply === null) request.socket.destroy();
    else sendResponse(response, reply);
  }

  /** Resolves to null if the connection is to be broken. */
  async #respond(request: IncomingMessage): Promise<HttpResponse | null> {
    if (request.method !== 'POST') return textResponse(405, '', { Allow: 'POST' });
    if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
      return textResponse(415, 'Expected request with `Content-Type: application/json`');
    }
    const body = await readBody(request);
    if (body === null) return textResponse(413, 'Failed to buffer the request body: length limit exceeded');
    const query = parsedJson(body);
    if (!isObject(query)) return NOT_DESERIALIZED;
    if (query.type === FILE_SNAPSHOT && this.#fileSnapshot !== null) {
      const snapshot = await this.#fileSnapshot(query);
      return this.#faults.pass(FILE_SNAPSHOT, null, () => snapshot);
    }
    const kind = KINDS.get(String(query.type));
    if (kind === undefined) return NOT_DESERIALIZED;
    this.#calls.set(kind.type, (this.#calls.get(kind.type) ?? 0) + 1);
    const client = request.socket.remoteAddress ?? '';
    if (!this.#limit.take(client, kind.weight)) {
      this.#pastLimit += 1;
      return TOO_MANY;
    }
    const user = typeof query.user === 'string' ? query.user.toLowerCase() : null;
    return this.#faults.pass(kind.type, user, () => this.#ask(kind, query, client));
  }

  #ask(kind: InfoKind, query: Readonly<Record<string, unknown>>, client: string): HttpResponse {
    const asked = kind.request.safeParse(query);
    if (!asked.success) return NOT_DESERIALIZED;
    const response = kind.respond(asked.data, this.#exchange);
    if (kind.itemsCost === true && Array.isArray(response)) this.#limit.addItems(client, response.length);
    return response === undefined ? jsonResponse(500, null) : jsonResponse(200, response);
  }
}

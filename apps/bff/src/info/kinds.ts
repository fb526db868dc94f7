import type { L4Feed } from '@l4desk/feed';
import {
  ApiError,
  completedHistoricalOrder,
  completedOpenOrder,
  copyText,
  elementTexts,
  INFO_KINDS,
  type InfoKind as InfoKindName,
  isObject,
  newestHistoricalOrders,
  PASSED_KINDS,
  type PassThroughKind,
  servedFundingHistory,
  servedMaxMarketOrderNtls,
  type z,
} from '@l4desk/protocol';
import type { Settings } from '../config/settings.ts';
import type { InfoClient, UpstreamRequest } from '../exchange/info-client.ts';
import { refusalOf, type UpstreamResponse } from '../exchange/response.ts';
import type { Universe } from '../exchange/universe.ts';
import { decode } from '../http/body.ts';
import { type JsonResponse, plainResponse } from '../http/respond.ts';
import { batchKind } from './batch.ts';
import type { InfoCall, InfoKind } from './kind.ts';
import { l2Book } from './l2Book.ts';
import { l4BookSnapshot } from './l4BookSnapshot.ts';
import { isDexWord, isRefusal, isUnknownCoin, type UnservedKinds, unusable } from './upstream-failure.ts';

export interface KindDeps {
  readonly info: InfoClient;
  readonly feed: L4Feed;
  readonly universe: Universe;
  readonly unserved: UnservedKinds;
  readonly settings: Pick<Settings, 'BOOK_READY_TIMEOUT_MS' | 'WALLET_TIMEOUT_MS' | 'BATCH_TIMEOUT_MS'>;
}

/** Creates every query kind of the service. */
export function infoKinds({ info, feed, universe, unserved, settings }: KindDeps): readonly InfoKind[] {
  const { WALLET_TIMEOUT_MS: walletTimeoutMs, BATCH_TIMEOUT_MS: batchTimeoutMs } = settings;
  const batches = { info, unserved, walletTimeoutMs, batchTimeoutMs };
  const kinds: readonly InfoKind[] = [
    // `dex` is reserved and dropped when the request is decoded (D16).
    batchKind({
      ...INFO_KINDS.batchSpotClearinghouseState,
      ...batches,
      type: 'batchSpotClearinghouseState',
      list: 'balances',
      askWallet: (user) => ({ type: 'spotClearinghouseState', user }),
    }),
    batchKind({
      ...INFO_KINDS.batchClearinghouseState,
      ...batches,
      type: 'batchClearinghouseState',
      list: 'assetPositions',
      askWallet: (user, { dex }) => ({ type: 'clearinghouseState', user, dex }),
    }),
    checkedKind({ ...INFO_KINDS.openOrders, info, unserved, type: 'openOrders', complete: completedOpenOrder }),
    checkedKind({
      ...INFO_KINDS.historicalOrders,
      info,
      unserved,
      type: 'historicalOrders',
      // The exchange has no `limit`, so it is applied here and not sent (D8).
      ask: ({ type, user }) => ({ type, user }),
      serve: (entries, { limit }) => newestHistoricalOrders(entries, limit),
      complete: completedHistoricalOrder,
    }),
    checkedKind({
      ...INFO_KINDS.maxMarketOrderNtls,
      info,
      unserved,
      type: 'maxMarketOrderNtls',
      serve: servedMaxMarketOrderNtls,
    }),
    // The coin may be delisted (D51). Without `endTime` the exchange uses its current time.
    checkedKind({
      ...INFO_KINDS.fundingHistory,
      info,
      unserved,
      type: 'fundingHistory',
      serve: servedFundingHistory,
      onFailure(error, { coin }) {
        // For a listed or delisted coin, which is known to exist, the error is a failure of the exchange.
        if (isUnknownCoin(error) && universe.classify(coin) !== 'served' && !universe.isDelisted(coin))
          throw unknownCoin('coin');
      },
    }),
    l4BookSnapshot({ feed, universe, readyTimeoutMs: settings.BOOK_READY_TIMEOUT_MS }),
    ...passThroughKinds({ info, unserved, universe }).map((kind) =>
      kind.type === 'l2Book' ? l2Book(kind, feed) : kind,
    ),
  ];
  return kinds.map((kind) => withKnownDex(kind, universe));
}

function unknownCoin(path: string): ApiError {
  return new ApiError('unknown_coin', 'The exchange has no coin with this name; names are case-sensitive.', { path });
}

/** Wraps a kind so that it refuses a `dex` that the exchange does not have, before anything is reserved (INFO-33). */
function withKnownDex<Query, Fetched>(
  kind: InfoKind<Query, Fetched>,
  universe: Pick<Universe, 'hasDex'>,
): InfoKind<Query, Fetched> {
  return {
    ...kind,
    async decode(body, call) {
      const query = await kind.decode(body, call);
      const dex = dexOf(query);
      if (
        dex !== '' &&
        !isDexWord(dex) &&
        !(await universe.hasDex(dex, { account: call.principal.accountId, signal: call.clientGone }))
      )
        throw new ApiError(
          'invalid_request',
          'The exchange has no builder dex with this name; names are case-sensitive.',
          {
            path: 'dex',
          },
        );
      return query;
    },
  };
}

function dexOf(query: unknown): string {
  if (typeof query !== 'object' || query === null || !('dex' in query)) return '';
  return typeof query.dex === 'string' ? query.dex : '';
}

type AskDeps = Pick<KindDeps, 'info' | 'unserved'>;

interface CheckedSteps<Query extends UpstreamRequest> extends AskDeps {
  readonly type: InfoKindName;
  readonly request: z.ZodType<Query>;
  /** Creates the upstream request. Default: the query itself. */
  readonly ask?: (query: Query) => UpstreamRequest;
  /** Selects the served rows: the identical array if these are all, undefined if a row lacks what this needs. */
  readonly serve?: (rows: readonly unknown[], query: Query) => readonly unknown[] | undefined;
  /** Adds what a row lacks; returns the identical row if it lacks nothing. */
  readonly complete?: (row: unknown) => unknown;
  /** Throws a kind-specific error if the failure has a special meaning for this kind. */
  readonly onFailure?: (error: unknown, query: Query) => void;
}

/** Creates a kind whose list is sent in the exchange's own bytes if nothing has to change (D17, D59). */
function checkedKind<Query extends UpstreamRequest>({
  type,
  request,
  ask = (query) => query,
  serve = (rows) => rows,
  complete = (row) => row,
  onFailure,
  ...deps
}: CheckedSteps<Query>): InfoKind<Query, UpstreamResponse> {
  return {
    type,
    decode: (body) => decode(request, body),

    async fetch(query, call) {
      try {
        // `rows` throws if the response is not a list.
        return await askUpstream(deps, ask(query), call, (response) => response.rows());
      } catch (error) {
        onFailure?.(error, query);
        throw error;
      }
    },

    check(response, query): JsonResponse {
      const rows = response.rows();
      const served = serve(rows, query);
      if (served === undefined) throw unusable(`a response to ${type} of an unexpected shape`);
      if (served === rows && rows.every((row) => complete(row) === row)) return plainResponse(response.bytes);
      const texts = elementTexts(response.bytes.toString('utf8'));
      const textOf = new Map(rows.map((row, index) => [row, texts[index] ?? '']));
      const written = served.map((row) => copyText(complete(row), row, textOf.get(row) ?? ''));
      return plainResponse(Buffer.from(`[${written.join()}]`));
    },
  };
}

/** The exchange's own kinds (D15): the schema reads the request, and any JSON that is not a refusal is a response. */
function passThroughKinds({
  universe,
  ...deps
}: AskDeps & Pick<KindDeps, 'universe'>): readonly InfoKind<UpstreamRequest, UpstreamResponse>[] {
  return (Object.keys(PASSED_KINDS) as PassThroughKind[]).map((type) => ({
    type,
    decode: (body) => decode(PASSED_KINDS[type].request, body),
    async fetch(query, call) {
      try {
        return await askUpstream(deps, query, call, (response) => {
          if (refusalOf(response.json()) !== undefined) throw unusable('an error instead of a response');
        });
      } catch (error) {
        const unknown = unknownCoinOf(query, error, universe);
        if (unknown !== undefined) throw unknown;
        if (!isRefusal(error)) throw error;
        throw new ApiError('invalid_request', 'The exchange rejected the fields of this query.', { cause: error });
      }
    },
    check: ({ bytes }) => plainResponse(bytes),
  }));
}

/** The refusal of a passed query for a coin that the exchange has nothing of; undefined if the error has another reason. */
function unknownCoinOf({ coin, req }: UpstreamRequest, error: unknown, universe: Universe): ApiError | undefined {
  const name = isObject(req) ? req.coin : coin;
  // Names of spot and outcome coins are not known here, and a delisted perp still has candles.
  if (typeof name !== 'string' || universe.classify(name) !== 'unknown' || universe.isDelisted(name)) return undefined;
  return isUnknownCoin(error) ? unknownCoin(isObject(req) ? 'req.coin' : 'coin') : undefined;
}

/** Resolves with a response that `check` does not throw for. Rejects with the explanation of a refusal, if there is one. */
async function askUpstream(
  { info, unserved }: AskDeps,
  request: UpstreamRequest,
  call: InfoCall,
  check: (response: UpstreamResponse) => void,
): Promise<UpstreamResponse> {
  try {
    const response = await info.ask(request, { account: call.principal.accountId, signal: call.clientGone });
    check(response);
    unserved.onServed(request.type);
    return response;
  } catch (error) {
    throw (await unserved.explain(error, request, call)) ?? error;
  }
}

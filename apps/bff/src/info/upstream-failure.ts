import { ApiError, errorBody, type HttpErrorCode, INFO_KINDS, parsedJson } from '@l4desk/protocol';
import type { InfoClient, UpstreamRequest } from '../exchange/info-client.ts';
import { BUSY_TEXTS, UpstreamError } from '../exchange/upstream-error.ts';
import type { InfoCall } from './kind.ts';

/** Converts an upstream failure into the error that the client sees (D12). */
export function upstreamRefusal(error: UpstreamError): ApiError {
  const { failure } = error;
  switch (failure.kind) {
    case 'timeout':
      return new ApiError('upstream_timeout', `The exchange did not respond within ${failure.afterMs} ms.`, {
        cause: error,
      });
    case 'busy':
      return busy(BUSY_TEXTS[failure.reason], failure.retryAfterMs, error);
    case 'status':
      // Another instance of this service reports that its own upstream is busy.
      if (serviceCodeOf(failure.text) === 'upstream_busy') return busy(BUSY_TEXTS.upstream, 1000, error);
      break;
    case 'unreachable':
    case 'unusable':
      break;
  }
  return new ApiError('upstream_error', `The exchange failed to respond: ${error.message}.`, { cause: error });
}

function busy(text: string, retryAfterMs: number, cause: UpstreamError): ApiError {
  return new ApiError('upstream_busy', `${text.charAt(0).toUpperCase()}${text.slice(1)}.`, {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) },
    cause,
  });
}

/** The error code in an error body of this specification; undefined for any other body. */
export function serviceCodeOf(text: string): HttpErrorCode | undefined {
  return errorBody.safeParse(parsedJson(text)).data?.error;
}

/** Creates the error for a complete response that cannot be used. */
export function unusable(problem: string): UpstreamError {
  return new UpstreamError({ kind: 'unusable', problem });
}

/** A kind that was not refused for this long, in ms, is forgotten: one mistaken call of a client must not warn everybody for days. */
export const UNSERVED_MS = 15 * 60_000;

/** The kinds that the upstream turned out not to serve: a node's own info server knows few (D63). */
export class UnservedKinds {
  readonly #info: InfoClient;
  readonly #elapsed: () => number;
  /** When each was last refused, by `elapsed`. */
  readonly #refusedAt = new Map<string, number>();

  constructor(info: InfoClient, elapsed: () => number) {
    this.#info = info;
    this.#elapsed = elapsed;
  }

  get types(): readonly string[] {
    return [...this.#refusedAt.keys()].filter((type) => this.#has(type));
  }

  #has(type: string): boolean {
    const refusedAt = this.#refusedAt.get(type);
    return refusedAt !== undefined && this.#elapsed() - refusedAt < UNSERVED_MS;
  }

  /** Must be called after a success, which shows that the upstream serves the kind. */
  onServed(type: string): void {
    this.#refusedAt.delete(type);
  }

  /** Explains a refusal: the kind is not served, or not with this word as `dex`. Undefined for an unknown reason. */
  async explain(error: unknown, query: UpstreamRequest, call: InfoCall): Promise<ApiError | undefined> {
    if (!isRefusalOf(query, error)) return undefined;
    const isServed = await this.#isServed(error, query, call);
    if (isServed === false) {
      this.#refusedAt.set(query.type, this.#elapsed());
      return new ApiError('not_served_upstream', `The upstream of this service does not serve ${query.type}.`, {
        cause: error,
      });
    }
    if (!hasDexWord(query)) return undefined;
    // In an outage the exchange may respond 500 `null` to everything.
    if (isNull(error) && isServed === null) return undefined;
    return new ApiError(
      'invalid_request',
      `The exchange does not accept ${String(query.dex)} as dex here. It stands for several dexes at once, which only some queries support: name one builder dex, or leave dex out.`,
      { path: 'dex', cause: error },
    );
  }

  /** Whether the upstream serves the kind at all, which its plainest request shows; null if that shows nothing. */
  async #isServed(error: Refusal, query: UpstreamRequest, { principal, clientGone }: InfoCall) {
    const code = serviceCodeOf(error.failure.text);
    if (code !== undefined) return code !== 'not_served_upstream' && code !== 'unsupported_type';
    if (this.#has(query.type)) return false;
    const plain = plainRequest(query.type);
    if (plain === undefined) return null;
    try {
      await this.#info.ask(plain, { account: principal.accountId, signal: clientGone });
      return true;
    } catch (failure) {
      return isRefusal(failure) ? false : null;
    }
  }
}

/** Words of the exchange that mean several dexes, such as `ALL_DEXS`; no builder dex is named like this (D66). */
export function isDexWord(dex: string): boolean {
  return dex.length <= 64 && /^[A-Z]+(?:_[A-Z]+)+$/.test(dex);
}

function hasDexWord({ dex }: UpstreamRequest): boolean {
  return typeof dex === 'string' && isDexWord(dex);
}

function plainRequest(type: string): UpstreamRequest | undefined {
  const entry = Object.entries(INFO_KINDS).find(([kind]) => kind === type)?.[1];
  return entry !== undefined && 'plain' in entry ? { type, ...entry.plain } : undefined;
}

type Refusal = UpstreamError & { readonly failure: { readonly kind: 'status'; readonly text: string } };

/** Whether the upstream rejected the query itself. */
export function isRefusal(error: unknown): error is Refusal {
  if (!(error instanceof UpstreamError) || error.failure.kind !== 'status') return false;
  return [400, 422, 501].includes(error.failure.status);
}

/** Whether the upstream rejected this query. The exchange's 500 `null` rejects the word, if the query has one as `dex`. */
export function isRefusalOf(query: UpstreamRequest, error: unknown): error is Refusal {
  return isRefusal(error) || (hasDexWord(query) && isNull(error));
}

/** Whether the exchange responded 500 `null`, which means that it has nothing of that name (D18). */
function isNull(error: unknown): error is Refusal {
  if (!(error instanceof UpstreamError) || error.failure.kind !== 'status') return false;
  return error.failure.status === 500 && error.failure.text.trim() === 'null';
}

/** Whether the error means an unknown coin: 500 `null` from the exchange, or the error code of a service like this one. */
export function isUnknownCoin(error: unknown): boolean {
  if (isNull(error)) return true;
  if (!(error instanceof UpstreamError) || error.failure.kind !== 'status') return false;
  return serviceCodeOf(error.failure.text) === 'unknown_coin';
}

import { ApiError, INFO_KINDS } from '@l4desk/protocol';
import type { InfoClient, UpstreamRequest } from '../exchange/info-client.ts';
import { UpstreamError } from '../exchange/upstream-error.ts';
import type { InfoCall } from './kind.ts';
import { serviceCodeOf } from './upstream-failure.ts';

/** The kinds that the upstream turned out not to serve: a node's own info server knows few (D63). */
export class UnservedKinds {
  readonly #info: InfoClient;
  readonly #types = new Set<string>();

  constructor(info: InfoClient) {
    this.#info = info;
  }

  get types(): readonly string[] {
    return [...this.#types];
  }

  /** Must be called after a success, which shows that the upstream serves the kind. */
  onServed(type: string): void {
    this.#types.delete(type);
  }

  /**
   * Explains a refusal by the upstream: the kind is not served, or it does not take the word that the caller sent as `dex`.
   * Resolves with undefined for any other error, and for a refusal whose reason is not known.
   */
  async explain(error: unknown, query: UpstreamRequest, call: InfoCall): Promise<ApiError | undefined> {
    if (!isRefusal(error)) return undefined;
    if (!(await this.#isServed(error, query, call))) {
      this.#types.add(query.type);
      return new ApiError('not_served_upstream', `The upstream of this service does not serve ${query.type}.`, {
        cause: error,
      });
    }
    if (typeof query.dex !== 'string' || !isDexWord(query.dex)) return undefined;
    return new ApiError(
      'invalid_request',
      `The exchange does not accept ${query.dex} as dex here. It stands for several dexes at once, which only some queries support: name one builder dex, or leave dex out.`,
      { path: 'dex', cause: error },
    );
  }

  /** Whether the upstream serves the kind at all, which its plainest request shows. */
  async #isServed(error: Refusal, query: UpstreamRequest, { account, clientGone }: InfoCall): Promise<boolean> {
    const code = serviceCodeOf(error.failure.text);
    if (code !== undefined) return code !== 'not_served_upstream' && code !== 'unsupported_type';
    if (this.#types.has(query.type)) return false;
    const plain = plainRequest(query.type);
    if (plain === undefined) return true;
    try {
      await this.#info.ask(plain, { account, signal: clientGone });
      return true;
    } catch (failure) {
      return !isRefusal(failure);
    }
  }
}

/** Words of the exchange that mean several dexes, such as `ALL_DEXS`; no builder dex is named like this (D66). */
export function isDexWord(dex: string): boolean {
  return dex.length <= 64 && /^[A-Z]+(?:_[A-Z]+)+$/.test(dex);
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

import type { Exchange } from './exchange.ts';

/** One query kind of the exchange. */
export interface InfoKind {
  readonly type: string;
  /** What a call costs of the exchange's limit per minute and address. */
  readonly weight: 2 | 20;
  /** Items of the response that cost one more for every 20 of them. */
  readonly itemsCost?: true;
  /** Gives the body, or undefined when the exchange would fail with 500 `null`. Throws InvalidInfoRequest. */
  answer(request: Readonly<Record<string, unknown>>, exchange: Exchange): unknown;
}

import type { ListedCoin } from '../feed/source.ts';

/** What the answers are made from. */
export interface InfoContext {
  readonly coins: readonly ListedCoin[];
}

/** One query kind: `answer` gives the body, or undefined when the exchange would fail with 500 `null`. */
export interface InfoKind {
  readonly type: string;
  answer(request: Readonly<Record<string, unknown>>, context: InfoContext): unknown;
}

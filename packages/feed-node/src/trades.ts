import { compare } from '@l4desk/decimal';
import type { Trade } from '@l4desk/feed/core';
import type { NodeFill } from '@l4desk/protocol/upstream';

/** Maximum number of fills kept while their other side is missing. */
const SINGLE_FILLS_MAX = 4_096;

/** Pairs the two fills of each execution (NODE-8): same trade id, price, size and time, and opposite sides. */
export class TradePairs {
  readonly #single = new Map<string, NodeFill>();

  /** Returns the trades that these fills complete, in order. */
  take(fills: readonly NodeFill[]): readonly Trade[] {
    const trades: Trade[] = [];
    for (const fill of fills) {
      const key = `${fill.coin} ${fill.tid}`;
      const other = this.#single.get(key);
      if (other === undefined || !isPair(fill, other)) {
        this.#single.set(key, fill);
        this.#forgetOldest();
      } else {
        this.#single.delete(key);
        trades.push(toTrade(other, fill));
      }
    }
    return trades;
  }

  #forgetOldest(): void {
    if (this.#single.size <= SINGLE_FILLS_MAX) return;
    const [oldest] = this.#single.keys();
    if (oldest !== undefined) this.#single.delete(oldest);
  }
}

function isPair(a: NodeFill, b: NodeFill): boolean {
  return a.side !== b.side && a.time === b.time && compare(a.px, b.px) === 0 && compare(a.sz, b.sz) === 0;
}

function toTrade(first: NodeFill, second: NodeFill): Trade {
  const taker = second.crossed && !first.crossed ? second : first;
  const { coin, px, sz, hash, time, tid, side } = taker;
  const [buyer, seller] = first.side === 'B' ? [first, second] : [second, first];
  return { coin, side, px, sz, hash, time, tid, users: [buyer.user, seller.user] };
}

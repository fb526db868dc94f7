import type { BookLevels, L4Order } from '@l4desk/protocol';

const SCALE = 10;

/** A decimal as an integer multiple of 10^-10. */
export function units(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(SCALE, '0'));
}

/** Formats it as the exchange does, with at least one digit after the decimal point. */
function printed(value: bigint): string {
  const digits = value.toString().padStart(SCALE + 1, '0');
  return `${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`.replace(/(\.\d+?)0+$/, '$1');
}

/** A price's group by plain arithmetic: `nSigFigs` figures, the last one a multiple of the step. */
function groupOf(px: bigint, side: string, nSigFigs: number, mantissa: number): bigint {
  const step = 10n ** BigInt(Math.max(0, px.toString().length - nSigFigs)) * BigInt(mantissa);
  const down = (px / step) * step;
  return side === 'B' || down === px ? down : down + step;
}

type Totals = ReadonlyMap<bigint, { readonly sz: bigint; readonly n: number }>;

function summed(parts: Iterable<readonly [px: bigint, total: { readonly sz: bigint; readonly n: number }]>): Totals {
  const sums = new Map<bigint, { sz: bigint; n: number }>();
  for (const [px, { sz, n }] of parts) {
    const sum = sums.get(px);
    if (sum === undefined) sums.set(px, { sz, n });
    else {
      sum.sz += sz;
      sum.n += n;
    }
  }
  return sums;
}

/** Size and number of orders at each price of both sides, from every order; orders of size zero do not count. */
export function priceTotals(levels: BookLevels): readonly [Totals, Totals] {
  const totals = (orders: readonly L4Order[]) => {
    const texts = new Map<string, bigint>();
    const px = (text: string) => {
      const known = texts.get(text) ?? units(text);
      texts.set(text, known);
      return known;
    };
    const sums = summed(orders.map(({ limitPx, sz }) => [px(limitPx), { sz: units(sz), n: 1 }]));
    return new Map([...sums].filter(([, { sz }]) => sz > 0n));
  };
  return [totals(levels[0]), totals(levels[1])];
}

/** The levels that `l2Book` must show for these totals. */
export function groupedTotals([bids, asks]: readonly [Totals, Totals], levels: number, nSigFigs = 0, mantissa = 1) {
  const sideOf = (side: string, totals: Totals) => {
    const grouped = [...totals].map(
      ([px, total]) => [nSigFigs === 0 ? px : groupOf(px, side, nSigFigs, mantissa), total] as const,
    );
    return [...summed(grouped)].slice(0, levels).map(([px, { sz, n }]) => ({ px: printed(px), sz: printed(sz), n }));
  };
  return [sideOf('B', bids), sideOf('A', asks)];
}

/** The levels that `l2Book` must show for these orders, computed from every order. */
export function bruteForce(book: BookLevels, levels: number, nSigFigs = 0, mantissa = 1) {
  return groupedTotals(priceTotals(book), levels, nSigFigs, mantissa);
}

/**
 * Places, owners and sweeps computed by reading every order of two plain lists, with only bigint and text. The package is
 * compared with it. It shares no code with the package or with the book.
 */

/** An order as the lists hold it. */
export interface ListedOrder {
  readonly oid: number;
  readonly user: string | null;
  readonly px: string;
  readonly sz: string;
}

/** Both sides, best price first and in queue order. */
export interface Lists {
  readonly B: readonly ListedOrder[];
  readonly A: readonly ListedOrder[];
}

export const SCALE = 30;
export const ONE = 10n ** BigInt(SCALE);
const values = new Map<string, bigint>();

/** The value of a non-negative decimal as a whole number of 10^-30; each text is parsed once. */
export function valueOf(text: string): bigint {
  const known = values.get(text);
  if (known !== undefined) return known;
  const [whole = '', fraction = ''] = text.split('.');
  const value = BigInt(whole + fraction.padEnd(SCALE, '0'));
  if (values.size < 200_000) values.set(text, value);
  return value;
}

/** A whole number of 10^-scale as the shortest decimal. */
export function shortest(value: bigint, scale = SCALE): string {
  const digits = value.toString().padStart(scale + 1, '0');
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/\.?0+$/, '');
}

/** A quotient, truncated after `places` decimals. */
export function quotientOf(numerator: bigint, denominator: bigint, places: number): readonly [string, string] {
  const fraction = ((numerator % denominator) * 10n ** BigInt(places)) / denominator;
  return [String(numerator / denominator), String(fraction).padStart(places, '0')];
}

/** The digits of a decimal, truncated after `decimals` of them, and rounded up if the next one is 5 or more. */
export function roundedTo(whole: string, fraction: string, decimals: number): string {
  const kept = BigInt(whole + fraction.slice(0, decimals)) + (Number(fraction[decimals]) >= 5 ? 1n : 0n);
  const digits = String(kept).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const significantDigits = (text: string) => text.replace('.', '').replace(/^0+/, '').length;

/** Ten significant digits: tries one number of decimals after another. */
export function tenDigits(numerator: bigint, denominator: bigint): string {
  const [whole, fraction] = quotientOf(numerator, denominator, 100);
  if (whole.length > 10) {
    return roundedTo(whole.slice(0, 10), whole.slice(10), 0) + '0'.repeat(whole.length - 10);
  }
  for (let decimals = 99; decimals >= 0; decimals -= 1) {
    const text = roundedTo(whole, fraction, decimals);
    if (significantDigits(text) === 10) return text;
  }
  return '0';
}

/** The place of every order of the wanted owners, bids first, then in the order of the lists. Addresses are in lower case. */
export function placesByOwner(
  lists: Lists,
  isWanted: (user: string) => boolean,
): ReadonlyMap<string, readonly object[]> {
  const places = new Map<string, object[]>();
  for (const side of ['B', 'A'] as const) {
    const orders = lists[side];
    let from = 0;
    while (from < orders.length) {
      // A level is a run of equal prices.
      const px = valueOf(orders[from]?.px ?? '');
      let to = from;
      while (to < orders.length && valueOf(orders[to]?.px ?? '') === px) to += 1;
      const level = orders.slice(from, to);
      const levelSz = shortest(sumOf(level));
      let ahead = 0n;
      for (const [place, { oid, user, px: limitPx, sz }] of level.entries()) {
        const szAhead = ahead;
        ahead += valueOf(sz);
        const owner = user?.toLowerCase();
        if (owner === undefined || !isWanted(owner)) continue;
        const own = places.get(owner) ?? [];
        places.set(owner, own);
        own.push({
          oid,
          side,
          limitPx,
          sz,
          ordersAhead: place,
          szAhead: shortest(szAhead),
          levelOrders: level.length,
          levelSz,
        });
      }
      from = to;
    }
  }
  return places;
}

export function sumOf(orders: readonly ListedOrder[]): bigint {
  return orders.reduce((sum, { sz }) => sum + valueOf(sz), 0n);
}

/** Price of the first order on a level that holds any size. */
export function bestOf(orders: readonly ListedOrder[]): bigint | undefined {
  const filled = orders.find(({ sz }) => valueOf(sz) > 0n);
  return filled === undefined ? undefined : valueOf(filled.px);
}

/** Sums by owner, largest first, ties by address, no owner last. */
function ranked(orders: readonly (readonly [user: string | null, sz: bigint])[]) {
  const sums = new Map<string, { user: string | null; count: number; sz: bigint }>();
  for (const [spelling, sz] of orders) {
    const user = spelling?.toLowerCase() ?? null;
    const before = sums.get(user ?? '') ?? { user, count: 0, sz: 0n };
    sums.set(user ?? '', { user, count: before.count + 1, sz: before.sz + sz });
  }
  const named = [...sums.values()].filter(({ user }) => user !== null);
  const byAddress = named.sort((a, b) => (String(a.user) < String(b.user) ? -1 : 1));
  const bySize = byAddress.sort((a, b) => (a.sz === b.sz ? 0 : a.sz > b.sz ? -1 : 1));
  return [...bySize, ...[...sums.values()].filter(({ user }) => user === null)];
}

type Amount = { readonly sz: string } | { readonly ntl: string; readonly szDecimals: number } | { readonly to: string };

/** What is taken from which order, lot by lot for a notional: no more than is paid for. */
function takenOf(lists: Lists, side: 'buy' | 'sell', amount: Amount) {
  const orders = side === 'buy' ? lists.A : lists.B;
  const taken: { readonly order: ListedOrder; readonly sz: bigint }[] = [];
  // Sizes in 10^-30, notionals in 10^-60.
  let left = 'sz' in amount ? valueOf(amount.sz) : 'ntl' in amount ? valueOf(amount.ntl) * ONE : 0n;
  for (const order of orders) {
    const [px, sz] = [valueOf(order.px), valueOf(order.sz)];
    if (sz === 0n) continue;
    let part: bigint;
    if ('to' in amount) {
      const away = side === 'buy' ? px - valueOf(amount.to) : valueOf(amount.to) - px;
      part = away > 0n ? 0n : sz;
    } else if ('sz' in amount) {
      part = left < sz ? left : sz;
      left -= part;
    } else if (px * sz <= left) {
      part = sz;
      left -= px * sz;
    } else {
      const lot = 10n ** BigInt(SCALE - amount.szDecimals);
      part = left / px - ((left / px) % lot);
      left -= px * part;
    }
    if (part > 0n) taken.push({ order, sz: part });
    if (part < sz) break;
  }
  return { first: orders.find(({ sz }) => valueOf(sz) > 0n), taken, left };
}

/** The orders that are taken from, in that order. */
export function sweptOf(lists: Lists, side: 'buy' | 'sell', amount: Amount): readonly object[] {
  return takenOf(lists, side, amount).taken.map(({ order: { oid, user, px, sz }, sz: part }) => {
    return { oid, user, px, sz, taken: shortest(part) };
  });
}

/** A market order. */
export function sweepOf(lists: Lists, side: 'buy' | 'sell', amount: Amount): object {
  const { first, taken, left } = takenOf(lists, side, amount);
  const filledSz = taken.reduce((sum, { sz }) => sum + sz, 0n);
  const filledNtl = taken.reduce((sum, { order, sz }) => sum + valueOf(order.px) * sz, 0n);
  const best = valueOf(first?.px ?? '0');
  // filledNtl ÷ filledSz against best, without a division.
  const gap = filledNtl - best * filledSz;
  const isPriced = best * filledSz > 0n;
  return {
    side,
    filledSz: shortest(filledSz),
    filledNtl: shortest(filledNtl, 2 * SCALE),
    unfilled: 'ntl' in amount ? shortest(left, 2 * SCALE) : shortest(left),
    vwap: filledSz === 0n ? null : tenDigits(filledNtl, filledSz * ONE),
    bestPx: first?.px ?? null,
    worstPx: taken.at(-1)?.order.px ?? null,
    slippageBps: isPriced ? roundedTo(...quotientOf((gap < 0n ? -gap : gap) * 10_000n, best * filledSz, 7), 6) : null,
    orders: taken.length,
    levels: new Set(taken.map(({ order }) => valueOf(order.px))).size,
    owners: ranked(taken.map(({ order, sz }) => [order.user, sz])).map(({ user, count, sz }) => ({
      user,
      orders: count,
      sz: shortest(sz),
    })),
  };
}

/** One resting order, with only the fields that the procedure needs. Texts are as received. */
export interface SpecOrder {
  readonly oid: number;
  readonly user: string;
  readonly side: 'B' | 'A';
  readonly px: string;
  sz: string;
}

export interface ListedOrder {
  readonly oid: number;
  readonly user: string | null;
  readonly limitPx: string;
  readonly sz: string;
}

/** A change of a block, as a message or a node's file has it. */
export interface SpecDiff {
  readonly oid: number;
  readonly user: string;
  readonly side: 'B' | 'A';
  readonly px: string;
  readonly raw_book_diff:
    | 'remove'
    | { readonly new: { readonly sz: string; readonly insertBefore?: number | null | undefined } }
    | { readonly update: { readonly origSz: string; readonly newSz: string } };
}

interface Level {
  readonly price: bigint;
  readonly queue: SpecOrder[];
}

/** A book in plain maps and arrays. Violations are passed to `onProblem`, and the change is skipped. */
export class SpecBook {
  readonly #orders = new Map<number, SpecOrder>();
  /** Levels of each side, best first. */
  readonly #levels: Record<'B' | 'A', Level[]> = { B: [], A: [] };
  readonly #onProblem: (problem: string) => void;

  constructor(onProblem: (problem: string) => void) {
    this.#onProblem = onProblem;
  }

  /** Adds the orders of a snapshot. */
  fill(levels: readonly [readonly ListedOrder[], readonly ListedOrder[]]): void {
    for (const [index, side] of (['B', 'A'] as const).entries())
      for (const { oid, user, limitPx: px, sz } of levels[index] ?? [])
        this.insert({ oid, user: user ?? '', side, px, sz });
  }

  /** Applies the changes of a block. */
  apply(diffs: readonly SpecDiff[]): void {
    for (const { oid, user, side, px, raw_book_diff: raw } of diffs) {
      if (raw === 'remove') this.remove(oid, { side, px });
      else if ('update' in raw) this.update(oid, { side, px }, raw.update.origSz, raw.update.newSz);
      // `insertBefore` is the only field that section 2.7 does not name. Queue order needs it.
      else this.insert({ oid, user, side, px, sz: raw.new.sz }, raw.new.insertBefore ?? undefined);
    }
  }

  get size(): number {
    return this.#orders.size;
  }

  /** Adds a resting order: behind all others at its price, or directly in front of one of them. */
  insert(order: SpecOrder, insertBefore?: number): void {
    if (this.#orders.has(order.oid)) {
      this.#onProblem(`new order ${order.oid} rests already`);
      return;
    }
    const queue = this.#level(order.side, order.px).queue;
    if (insertBefore === undefined) queue.push(order);
    else {
      const at = queue.findIndex((item) => item.oid === insertBefore);
      if (at < 0) {
        this.#onProblem(`order ${order.oid} is to stand in front of ${insertBefore}, which is not at ${order.px}`);
        return;
      }
      queue.splice(at, 0, order);
    }
    this.#orders.set(order.oid, order);
  }

  update(oid: number, at: { readonly side: string; readonly px: string }, origSz: string, newSz: string): void {
    const order = this.#known(oid, at, 'update');
    if (order === undefined) return;
    if (amount(order.sz) !== amount(origSz)) this.#onProblem(`order ${oid} rests with ${order.sz}, not ${origSz}`);
    order.sz = newSz;
  }

  remove(oid: number, at: { readonly side: string; readonly px: string }): void {
    const order = this.#known(oid, at, 'remove');
    if (order === undefined) return;
    this.#orders.delete(oid);
    const level = this.#level(order.side, order.px);
    level.queue.splice(level.queue.indexOf(order), 1);
    if (level.queue.length === 0) this.#levels[order.side].splice(this.#levels[order.side].indexOf(level), 1);
  }

  /** Checks, at the end of a block, that the best bid is below the best ask. Orders of size zero do not count. */
  checkCrossed(): void {
    const bid = this.#best('B');
    const ask = this.#best('A');
    if (bid !== undefined && ask !== undefined && bid.price >= ask.price) {
      this.#onProblem(`crossed: bid ${bid.queue[0]?.px}, ask ${ask.queue[0]?.px}`);
    }
  }

  /** Returns all orders of a side, from the best price outward, in queue order. */
  side(side: 'B' | 'A'): readonly SpecOrder[] {
    return this.#levels[side].flatMap((level) => level.queue);
  }

  /** Returns the best price of a side with its exact total and its number of orders. */
  best(side: 'B' | 'A'): { readonly px: string; readonly sz: string; readonly count: number } | undefined {
    const level = this.#levels[side][0];
    const [front] = level?.queue ?? [];
    if (level === undefined || front === undefined) return undefined;
    const total = level.queue.reduce((sum, order) => sum + amount(order.sz), 0n);
    return { px: front.px, sz: amountText(total), count: level.queue.length };
  }

  /** Describes the first difference between this book and a list of orders. Queue order counts, trailing zeros do not. */
  difference(levels: readonly [readonly ListedOrder[], readonly ListedOrder[]]): string | undefined {
    for (const [index, side] of (['B', 'A'] as const).entries()) {
      const mine = this.side(side);
      const other = levels[index] ?? [];
      for (let index = 0; index < Math.max(mine.length, other.length); index += 1) {
        const [a, b] = [mine[index], other[index]];
        if (a !== undefined && b !== undefined && isSame(a, b)) continue;
        return `side ${side}, index ${index}: here ${JSON.stringify(a)}, there ${JSON.stringify(b)}`;
      }
    }
    return undefined;
  }

  #best(side: 'B' | 'A'): Level | undefined {
    return this.#levels[side].find((level) => level.queue.some((order) => amount(order.sz) > 0n));
  }

  #known(
    oid: number,
    { side, px }: { readonly side: string; readonly px: string },
    what: string,
  ): SpecOrder | undefined {
    const order = this.#orders.get(oid);
    if (order === undefined) {
      this.#onProblem(`${what} of order ${oid}, which does not rest`);
      return undefined;
    }
    if (order.side !== side) this.#onProblem(`${what} of order ${oid} on side ${side}, it rests on ${order.side}`);
    if (amount(order.px) !== amount(px)) this.#onProblem(`${what} of order ${oid} at ${px}, it rests at ${order.px}`);
    return order;
  }

  /** Returns the level of a price, and creates it if it is missing. */
  #level(side: 'B' | 'A', px: string): Level {
    const levels = this.#levels[side];
    const price = amount(px);
    const sign = side === 'B' ? -1n : 1n;
    let from = 0;
    let to = levels.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const there = levels[middle];
      if (there !== undefined && sign * (there.price - price) < 0n) from = middle + 1;
      else to = middle;
    }
    const found = levels[from];
    if (found?.price === price) return found;
    const fresh: Level = { price, queue: [] };
    levels.splice(from, 0, fresh);
    return fresh;
  }
}

function isSame(mine: SpecOrder, { oid, user, limitPx, sz }: ListedOrder): boolean {
  return mine.oid === oid && mine.user === user && isEqual(mine.px, limitPx) && isEqual(mine.sz, sz);
}

/** Compares texts first, because nearly all numbers are printed the same way. */
function isEqual(one: string, other: string): boolean {
  return one === other || amount(one) === amount(other);
}

const DECIMALS = 18;

/** Returns a decimal string as a whole number of 10^-18, which is exact for everything an exchange prints. */
export function amount(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) throw new SyntaxError(`no decimal: ${JSON.stringify(text)}`);
  const [, sign = '', whole = '', fraction = ''] = match;
  if (fraction.length > DECIMALS) throw new RangeError(`more than ${DECIMALS} decimals: ${text}`);
  const units = BigInt(whole + fraction.padEnd(DECIMALS, '0'));
  return sign === '-' ? -units : units;
}

function amountText(units: bigint): string {
  const digits = String(units).padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -DECIMALS) : `${digits.slice(0, -DECIMALS)}.${fraction}`;
}

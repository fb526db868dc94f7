import type { BookChange, DecimalString, L4Order, Side } from '@l4desk/protocol';

const SCALE = 60;

/** The value of a plain decimal as a whole number of 10^-60. */
export function valueOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(SCALE, '0'));
}

/** A whole number of 10^-60 (or of another scale) as the shortest decimal. */
export function shortest(value: bigint, scale = SCALE): string {
  const digits = value.toString().padStart(scale + 1, '0');
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/\.?0+$/, '');
}

/**
 * The book as one flat list of orders per side; every result is found by checking every order. The engines are compared with
 * it. It returns only the kinds of its findings.
 */
export class ModelBook {
  readonly sides: Record<Side, L4Order[]> = { B: [], A: [] };
  private readonly template: L4Order;

  /** New orders get everything but oid, owner, price, size and side from `template`. */
  constructor(template: L4Order) {
    this.template = template;
  }

  find(oid: number): L4Order | undefined {
    return [...this.sides.B, ...this.sides.A].find((order) => order.oid === oid);
  }

  /** The finding of a change, or undefined if the change is applied. */
  apply(change: BookChange): string | undefined {
    const { oid, side } = change;
    const resting = this.find(oid);
    if (change.kind === 'insert') {
      const queue = this.sides[side];
      if (valueOf(change.sz) === 0n) return 'empty-insert';
      if (resting !== undefined) return 'duplicate-oid';
      const px = valueOf(change.px);
      let at = queue.findIndex((order) => (side === 'B' ? valueOf(order.limitPx) < px : valueOf(order.limitPx) > px));
      if (at < 0) at = queue.length;
      if (change.insertBefore !== null) {
        at = queue.findIndex((order) => order.oid === change.insertBefore && valueOf(order.limitPx) === px);
        if (at < 0) return 'unknown-neighbour';
      }
      const { px: limitPx, sz, user } = change;
      queue.splice(at, 0, { ...this.template, user, side, limitPx, sz, oid });
      return undefined;
    }
    if (resting === undefined) return 'unknown-oid';
    if (resting.side !== side) return 'side-mismatch';
    if (valueOf(resting.limitPx) !== valueOf(change.px)) return 'price-mismatch';
    const queue = this.sides[side];
    const at = queue.indexOf(resting);
    if (change.kind === 'remove') {
      queue.splice(at, 1);
    } else {
      if (valueOf(resting.sz) !== valueOf(change.origSz)) return 'size-mismatch';
      queue[at] = { ...resting, sz: change.newSz };
    }
    return undefined;
  }

  crossed(): string | undefined {
    const [bid] = this.sides.B.filter(({ sz }) => valueOf(sz) > 0n);
    const [ask] = this.sides.A.filter(({ sz }) => valueOf(sz) > 0n);
    if (bid === undefined || ask === undefined || valueOf(bid.limitPx) < valueOf(ask.limitPx)) return undefined;
    return 'crossed';
  }

  /** The rows of a side with prices grouped by a tick, found by going through every order. */
  rows(side: Side, tick: DecimalString | undefined): { px: bigint; orders: L4Order[] }[] {
    const rows: { px: bigint; orders: L4Order[] }[] = [];
    for (const order of this.sides[side]) {
      const px = bucketOf(side, valueOf(order.limitPx), tick);
      const last = rows.at(-1);
      if (last?.px === px) last.orders.push(order);
      else rows.push({ px, orders: [order] });
    }
    return rows;
  }
}

/** A price rounded to a multiple of the tick, bids down and asks up. */
export function bucketOf(side: Side, px: bigint, tick: DecimalString | undefined): bigint {
  if (tick === undefined) return px;
  const step = valueOf(tick);
  const below = (px / step) * step;
  return side === 'B' || below === px ? below : below + step;
}

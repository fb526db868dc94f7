/**
 * What moved in each block and what differs between two blocks, computed from the raw diffs and statuses with only maps, bigint
 * and text. The package is compared with it. It shares no code with the package or with the book.
 */

export interface RawChange {
  readonly kind: 'insert' | 'resize' | 'remove';
  readonly oid: number;
  readonly user: string;
  readonly side: 'B' | 'A';
  readonly px: string;
  readonly sz?: string;
  readonly origSz?: string;
  readonly newSz?: string;
  readonly insertBefore?: number | null;
}

export interface RawStatus {
  readonly status: string;
  readonly user: string;
  readonly order: { readonly oid: number; readonly cloid: string | null };
}

interface Order {
  readonly user: string;
  readonly side: 'B' | 'A';
  readonly px: string;
  readonly cloid: string | null;
  sz: bigint;
}

export interface Moved {
  readonly kind: string;
  readonly side: 'B' | 'A';
  readonly px: string;
  readonly sz: bigint;
}

const ONE = 10n ** 20n;

export function big(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(20, '0'));
}

export function plain(value: bigint): string {
  const sign = value < 0n ? '-' : '';
  const size = value < 0n ? -value : value;
  const fraction = String(size % ONE)
    .padStart(20, '0')
    .replace(/0+$/, '');
  return `${sign}${size / ONE}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Orders by oid and queues by level, as plain as can be. */
export class BruteBook {
  readonly orders = new Map<number, Order>();
  readonly #queues = new Map<string, number[]>();

  constructor(
    orders: Iterable<{
      oid: number;
      user: unknown;
      side: 'B' | 'A';
      limitPx: string;
      sz: string;
      cloid: string | null;
    }>,
  ) {
    for (const { oid, user, side, limitPx, sz, cloid } of orders) {
      this.#rest(oid, { user: String(user).toLowerCase(), side, px: plain(big(limitPx)), cloid, sz: big(sz) }, null);
    }
  }

  /** Applies a block and returns what each change moved. */
  apply(changes: readonly RawChange[], statuses: readonly RawStatus[]): readonly Moved[] {
    const own = statuses.filter(({ order }) => changes.some(({ oid }) => oid === order.oid));
    const words = (oid: number) =>
      own.filter((one) => one.order.oid === oid && one.status !== 'open' && one.status !== 'triggered');
    const moved: (Moved & { oid: number; user: string; cloid: string | null; act: string })[] = [];
    for (const [index, change] of changes.entries()) {
      const { oid, side } = change;
      const px = plain(big(change.px));
      const user = change.user.toLowerCase();
      const said = words(oid).at(-1)?.status;
      if (change.kind === 'insert') {
        const named = own.filter((one) => one.order.oid === oid && one.user.toLowerCase() === user);
        const cloid = named.at(-1)?.order.cloid ?? null;
        const sz = big(change.sz ?? '');
        this.#rest(oid, { user, side, px, cloid, sz }, change.insertBefore ?? null);
        moved.push({ act: 'in', oid, user, cloid, kind: 'added', side, px, sz });
        continue;
      }
      const order = this.orders.get(oid);
      if (order === undefined) throw new Error(`order ${oid} does not rest`);
      const { cloid } = order;
      if (change.kind === 'resize') {
        const [from, to] = [big(change.origSz ?? ''), big(change.newSz ?? '')];
        const leaves = changes.slice(index + 1).some((later) => later.oid === oid && later.kind === 'remove');
        let kind = 'executed';
        if (to > from) kind = 'grown';
        else if (!words(oid).some(({ status }) => status === 'filled') && said !== undefined && !leaves)
          kind = 'shrunk';
        order.sz = to;
        moved.push({ act: 're', oid, user, cloid, kind, side, px, sz: to > from ? to - from : from - to });
        continue;
      }
      const isExecuted = said === 'filled' || (said === undefined && (order.sz === 0n || this.#frontOf(side) === oid));
      this.#leave(oid);
      moved.push({ act: 'out', oid, user, cloid, kind: isExecuted ? 'executed' : 'canceled', side, px, sz: order.sz });
    }
    return requoted(moved);
  }

  /** The first order in the queue with any size at the best price. */
  #frontOf(side: 'B' | 'A'): number | undefined {
    let best: bigint | undefined;
    let front: number | undefined;
    for (const order of this.orders.values()) {
      if (order.side !== side || order.sz === 0n) continue;
      const px = big(order.px);
      if (best !== undefined && (side === 'B' ? px <= best : px >= best)) continue;
      best = px;
      front = this.#queues.get(`${side}${order.px}`)?.find((oid) => this.orders.get(oid)?.sz !== 0n);
    }
    return front;
  }

  #rest(oid: number, order: Order, before: number | null): void {
    const key = `${order.side}${order.px}`;
    const queue = this.#queues.get(key) ?? [];
    this.#queues.set(key, queue);
    queue.splice(before === null ? queue.length : queue.indexOf(before), 0, oid);
    this.orders.set(oid, order);
  }

  #leave(oid: number): void {
    const order = this.orders.get(oid) as Order;
    const queue = this.#queues.get(`${order.side}${order.px}`) ?? [];
    queue.splice(queue.indexOf(oid), 1);
    this.orders.delete(oid);
  }
}

/** Pairs orders that were canceled and placed again under the same cloid in one block. */
function requoted(
  moved: readonly (Moved & { oid: number; user: string; cloid: string | null; act: string })[],
): readonly Moved[] {
  const taken = new Set<number>();
  const kinds = moved.map(({ kind }) => kind);
  for (const [at, come] of moved.entries()) {
    if (come.act !== 'in' || come.cloid === null) continue;
    const gone = moved.findIndex((one, index) => {
      const isSame = one.user === come.user && one.cloid === come.cloid && one.oid !== come.oid;
      return one.kind === 'canceled' && isSame && !taken.has(index);
    });
    if (gone < 0) continue;
    taken.add(gone);
    kinds[gone] = 'requotedOut';
    kinds[at] = 'requotedIn';
  }
  return moved.map(({ side, px, sz }, index) => ({ kind: kinds[index] as string, side, px, sz }));
}

/** Sums by level and kind as sorted lines of text; kinds that moved nothing are left out. */
export function sumsOf(moved: readonly Moved[]): readonly string[] {
  const sums = new Map<string, { sz: bigint; count: number }>();
  for (const { kind, side, px, sz } of moved) {
    const key = `${side} ${px} ${kind}`;
    const before = sums.get(key) ?? { sz: 0n, count: 0 };
    if (sz > 0n) sums.set(key, { sz: before.sz + sz, count: before.count + 1 });
  }
  return [...sums].map(([key, { sz, count }]) => `${key} ${plain(sz)} in ${count}`).sort();
}

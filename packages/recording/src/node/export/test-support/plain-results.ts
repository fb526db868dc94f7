import type { BookLevels, ReadCoinBatch } from '@l4desk/protocol';

/** A decimal in billionths. */
export function units(text: string): bigint {
  const isNegative = text.startsWith('-');
  const [whole = '0', decimals = ''] = text.replace('-', '').split('.');
  const value = BigInt(whole + decimals.padEnd(9, '0'));
  return isNegative ? -value : value;
}

/** One change as in the tables, in their order. */
interface Fact {
  readonly height: number;
  readonly time: number;
  /** Index among all changes. */
  readonly at: number;
  readonly kind: 'insert' | 'resize' | 'remove';
  readonly oid: number;
  readonly owner: string;
  readonly side: 'B' | 'A';
  readonly px: bigint;
  /** `from` is null for an order that came, `to` for one that left. */
  readonly from: bigint | null;
  readonly to: bigint | null;
  /** The last status of its order in the block, ignoring those that only say that it rests. */
  readonly status: string | null;
  /** The size that the `executions` view counts for it, or 0. */
  readonly executed: bigint;
}

export function factsOf(batches: readonly ReadCoinBatch[], levels: BookLevels): readonly Fact[] {
  const sizes = new Map(levels.flat().map(({ oid, sz }): [number, bigint] => [oid, units(sz)]));
  const facts: Fact[] = [];
  for (const { height, time, changes, statuses } of batches) {
    for (const change of changes) {
      const { kind, oid, user: owner, side } = change;
      const words = statuses.filter(
        ({ order, status }) => order.oid === oid && status !== 'open' && status !== 'triggered',
      );
      const status = words.at(-1)?.status ?? null;
      const from = kind === 'insert' ? null : (sizes.get(oid) ?? 0n);
      const to = kind === 'insert' ? units(change.sz) : kind === 'resize' ? units(change.newSz) : null;
      const isExecuted =
        (kind === 'remove' && status === 'filled') || (kind === 'resize' && (status === null || status === 'filled'));
      const lost = (from ?? 0n) - (to ?? 0n);
      const executed = isExecuted && lost > 0n ? lost : 0n;
      facts.push({
        height,
        time,
        at: facts.length,
        kind,
        oid,
        owner,
        side,
        px: units(change.px),
        from,
        to,
        status,
        executed,
      });
      if (to === null) sizes.delete(oid);
      else sizes.set(oid, to);
    }
  }
  return facts;
}

const isCancelled = ({ kind, status }: Fact) => kind === 'remove' && status !== 'filled';
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const magnitude = (value: bigint) => (value < 0n ? -value : value);
const descending = (a: bigint | number, b: bigint | number) => (a > b ? -1 : a < b ? 1 : 0);

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const known = groups.get(keyOf(item));
    if (known === undefined) groups.set(keyOf(item), [item]);
    else known.push(item);
  }
  return groups;
}

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);

/** The lower of the two middle values. */
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? 0;

export function beforeSweep(facts: readonly Fact[]) {
  const executions = facts.filter(({ executed }) => executed > 0n);
  const [sweep] = [...grouped(executions, ({ height, side }) => `${height} ${side}`).values()]
    .map((own) => ({ first: own[0], size: sum(own.map(({ executed }) => executed)) }))
    .toSorted((a, b) => descending(a.size, b.size) || (a.first?.height ?? 0) - (b.first?.height ?? 0));
  const { height = 0, time = 0, side } = sweep?.first ?? {};
  const before = facts.filter((fact) => fact.side === side && fact.time >= time - 5_000 && fact.height < height);
  return [...grouped(before, ({ owner }) => owner)]
    .map(([owner, own]) => {
      const placed = own.filter(({ kind }) => kind === 'insert');
      const withdrawn = own.filter(isCancelled);
      const net = sum(placed.map(({ to }) => to ?? 0n)) - sum(withdrawn.map(({ from }) => from ?? 0n));
      return [owner, placed.length, withdrawn.length, net] as const;
    })
    .toSorted((a, b) => descending(magnitude(a[3]), magnitude(b[3])) || byText(a[0], b[0]))
    .slice(0, 10);
}

export function survivors(facts: readonly Fact[]) {
  const gone = new Map<number, number>();
  for (const { kind, oid, time } of facts) if (kind === 'remove' && !gone.has(oid)) gone.set(oid, time);
  const end = Math.max(...facts.map(({ time }) => time));
  const lives = [
    ...grouped(
      facts.filter(({ kind }) => kind === 'insert'),
      ({ oid, time }) => `${oid} ${time}`,
    ).values(),
  ];
  return [100, 500, 1_000, 5_000, 10_000, 60_000].flatMap((age) => {
    const watched = lives.flatMap(([born]) => (born !== undefined && born.time + age <= end ? [born] : []));
    const resting = watched.filter(({ oid, time }) => (gone.get(oid) ?? Number.POSITIVE_INFINITY) - time > age);
    return watched.length === 0 ? [] : [[age, watched.length, resting.length] as const];
  });
}

export function cancelsAndTrades(facts: readonly Fact[]) {
  return [...grouped(facts, ({ owner }) => owner)]
    .map(([owner, own]) => {
      const placed = own.filter(({ kind }) => kind === 'insert').length;
      const traded = own.filter(({ executed }) => executed > 0n).length;
      return [owner, placed, own.filter(isCancelled).length, traded] as const;
    })
    .toSorted((a, b) => b[1] - a[1] || byText(a[0], b[0]));
}

export function replaced(facts: readonly Fact[]) {
  const placeOf = ({ owner, side, px }: Fact) => `${owner} ${side} ${px}`;
  const inserts = grouped(
    facts.filter(({ kind }) => kind === 'insert'),
    placeOf,
  );
  const found = facts.filter(isCancelled).flatMap((gone) => {
    const again = (inserts.get(placeOf(gone)) ?? []).filter(
      ({ at, time }) => at > gone.at && time <= gone.time + 1_000,
    );
    return again.length === 0
      ? []
      : [{ owner: gone.owner, ms: Math.min(...again.map(({ time }) => time)) - gone.time }];
  });
  return [...grouped(found, ({ owner }) => owner)]
    .map(([owner, own]) => [owner, own.length, median(own.map(({ ms }) => ms))] as const)
    .toSorted((a, b) => b[1] - a[1] || byText(a[0], b[0]));
}

/** For each owner: orders that came and left, the lower median of their lifetimes, and how many were filled. */
export function lifetimes(facts: readonly Fact[]) {
  const born = new Map<number, number>();
  const lives: { readonly owner: string; readonly ms: number; readonly filled: boolean }[] = [];
  for (const { kind, oid, owner, time, status } of facts) {
    const start = born.get(oid);
    if (kind === 'insert') born.set(oid, time);
    if (kind === 'remove' && start !== undefined) lives.push({ owner, ms: time - start, filled: status === 'filled' });
  }
  return [...grouped(lives, ({ owner }) => owner)]
    .map(([owner, own]) => {
      return [owner, own.length, median(own.map(({ ms }) => ms)), own.filter(({ filled }) => filled).length] as const;
    })
    .toSorted((a, b) => b[1] - a[1] || byText(a[0], b[0]));
}

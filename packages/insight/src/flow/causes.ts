import { add, compare, parseBigUnits, significantDecimalsOf, subtract } from '@l4desk/decimal';
import type { BookChange, DecimalString, ExecutedOrder, L4Order, OrderStatus, ResizeChange } from '@l4desk/protocol';
import type { FlowKind } from './flow-event.ts';

/** What a change was, and how that is known. */
export interface Cause {
  readonly kind: FlowKind;
  readonly inferred: boolean;
  readonly reason: string | null;
}

/** Statuses that say that an order rests, but not why it changes. */
const RESTING: readonly string[] = ['open', 'triggered'];

const FILLED = 'filled';

/** The statuses of a block for the orders that it changed, except those that say that an order rests. */
export function wordsOf(
  statuses: readonly OrderStatus[],
  changes: readonly BookChange[],
): ReadonlyMap<number, readonly string[]> {
  const changed = new Set(changes.map(({ oid }) => oid));
  const words = new Map<number, string[]>();
  for (const { status, order } of statuses) {
    const { oid } = order;
    if (!changed.has(oid) || RESTING.includes(status)) continue;
    const own = words.get(oid);
    if (own === undefined) words.set(oid, [status]);
    else own.push(status);
  }
  return words;
}

/**
 * A maker's partial fill has no status. A status of the same block explains the resize only if the order does not leave
 * in that block: otherwise the status is about the leaving.
 */
export function causeOfResize(change: ResizeChange, words: readonly string[], leavesLater: boolean): Cause {
  if (isLarger(change.newSz, change.origSz)) return { kind: 'grown', inferred: false, reason: words.at(-1) ?? null };
  if (words.includes(FILLED)) return { kind: 'executed', inferred: false, reason: FILLED };
  const word = leavesLater ? undefined : words.at(-1);
  if (word !== undefined) return { kind: 'shrunk', inferred: false, reason: word };
  return { kind: 'executed', inferred: true, reason: null };
}

/**
 * Without a status, an order with nothing left was executed; so was the order that the next trade would have taken. No other
 * order can have been: price and time decide who trades.
 */
export function causeOfRemoval(words: readonly string[], isFront: boolean, isEmpty: boolean): Cause {
  const word = words.at(-1);
  if (word === FILLED) return { kind: 'executed', inferred: false, reason: word };
  if (word !== undefined) return { kind: 'canceled', inferred: false, reason: word };
  return { kind: isEmpty || isFront ? 'executed' : 'canceled', inferred: true, reason: null };
}

/** The cause of a change that a node's fills report as executed. */
export function executedFor(words: readonly string[]): Cause {
  return { kind: 'executed', inferred: false, reason: words.includes(FILLED) ? FILLED : null };
}

/**
 * Indexes of the changes that are certainly executions. The executed size in a node's fills must equal all that an order
 * lost in the block, or all that it lost before the rest of it was removed. If neither adds up, nothing is certain.
 */
export function certainExecutions(
  changes: readonly BookChange[],
  orders: readonly (L4Order | undefined)[],
  executed: readonly ExecutedOrder[],
): ReadonlySet<number> {
  const certain = new Set<number>();
  const sizes = new Map<number, DecimalString>();
  for (const { oid, sz } of executed) sizes.set(oid, add(sizes.get(oid) ?? '0', sz));
  for (const [oid, sz] of sizes) {
    const losses = changes.flatMap((change, place) => {
      if (change.oid !== oid) return [];
      if (change.kind === 'remove') return [{ place, isRest: true, lost: orders[place]?.sz ?? '0' }];
      if (change.kind === 'insert' || isLarger(change.newSz, change.origSz)) return [];
      return [{ place, isRest: false, lost: subtract(change.origSz, change.newSz) }];
    });
    const isSum = (of: typeof losses) => {
      const sum = of.reduce<DecimalString>((before, { lost }) => add(before, lost), '0');
      return compare(sum, sz) === 0;
    };
    const whole = [losses, losses.filter(({ isRest }) => !isRest)].find(isSum) ?? [];
    for (const { place } of whole) certain.add(place);
  }
  return certain;
}

function isLarger(a: string, b: string): boolean {
  const scale = Math.max(significantDecimalsOf(a), significantDecimalsOf(b));
  return (parseBigUnits(a, scale) ?? 0n) > (parseBigUnits(b, scale) ?? 0n);
}

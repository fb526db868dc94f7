import type { Finding, L4Book } from '@l4desk/book';
import {
  type Address,
  type BookChange,
  type CoinBatch,
  type DecimalString,
  type L4Order,
  lowerCaseAddress,
  ownCopy,
  readableStatuses,
  type Side,
} from '@l4desk/protocol';
import { isZero, shortest } from '../amounts.ts';
import { type Cause, causeOfRemoval, causeOfResize, certainExecutions, executedFor, wordsOf } from './causes.ts';
import type { FlowEvent, JoinedPlace } from './flow-event.ts';
import { Refills } from './refills.ts';
import { requotesOf } from './requotes.ts';

/** State that is carried from block to block to classify changes. */
export class FlowMemory {
  readonly refills = new Refills();
  private readonly users = new Map<Address, Address>();
  private readonly prices = new Map<DecimalString, Price>();

  /** An address in lower case; all its changes share one string. */
  userOf(spelling: Address): Address {
    const known = this.users.get(spelling);
    if (known !== undefined) return known;
    if (this.users.size >= USERS_MAX) this.users.clear();
    // Substrings of a message would keep the whole message in memory.
    const user = ownCopy(lowerCaseAddress(spelling));
    this.users.set(ownCopy(spelling), user);
    return user;
  }

  /** A price as printed and in its shortest form; all changes there share the two strings. */
  priceOf(printed: DecimalString): Price {
    const known = this.prices.get(printed);
    if (known !== undefined) return known;
    if (this.prices.size >= PRICES_MAX) this.prices.clear();
    const px = ownCopy(printed);
    const price = { px, level: shortest(px) };
    this.prices.set(px, price);
    return price;
  }
}

interface Price {
  readonly px: DecimalString;
  readonly level: DecimalString;
}

const USERS_MAX = 50_000;
const PRICES_MAX = 20_000;

export interface AppliedBlock {
  readonly events: readonly FlowEvent[];
  /** Broken expectations of the book. If there are any, the events must not be used. */
  readonly findings: readonly Finding[];
}

/** What the book shows about a change while it is being applied. */
interface Seen {
  order: L4Order | undefined;
  behind: number | undefined;
  place: JoinedPlace | undefined;
  isFront: boolean;
}

/**
 * Applies a block to a book and classifies each change. The book must equal the source's before the
 * block.
 */
export function recordBlock(book: L4Book, batch: CoinBatch, memory: FlowMemory): AppliedBlock {
  const { changes, time } = batch;
  // Statuses that break the format explain nothing here. The followed book reports them as a finding.
  const statuses = readableStatuses(batch.statuses) ?? [];
  const words = wordsOf(statuses, changes);
  const seen = changes.map((): Seen => ({ order: undefined, behind: undefined, place: undefined, isFront: false }));
  const look = (index: number): void => {
    const before = changes[index - 1];
    if (before?.kind === 'insert') (seen[index - 1] as Seen).place = placeOf(book, before.oid);
    const change = changes[index];
    if (change?.kind !== 'remove') return;
    const { oid, side } = change;
    const now = seen[index] as Seen;
    now.isFront = !words.has(oid) && frontOf(book, side) === oid;
    now.order = book.order(oid);
    now.behind = book.behind(oid);
  };
  const findings = book.apply(changes, statuses, time, look);
  if (findings.length > 0) return { events: [], findings };
  look(changes.length);
  return { events: eventsOf(book, batch, seen, words, memory), findings };
}

function eventsOf(
  book: L4Book,
  { changes, time, executed = [] }: CoinBatch,
  seen: readonly Seen[],
  words: ReadonlyMap<number, readonly string[]>,
  memory: FlowMemory,
): readonly FlowEvent[] {
  const orders = ordersOf(book, changes, seen);
  const certain = certainExecutions(changes, orders, executed);
  const causes = changes.map((change, index): Cause => {
    const said = words.get(change.oid) ?? [];
    if (certain.has(index)) return executedFor(said);
    if (change.kind === 'insert') return { kind: 'added', inferred: false, reason: null };
    if (change.kind === 'resize') return causeOfResize(change, said, leavesAfter(changes, index));
    return causeOfRemoval(said, seen[index]?.isFront === true, isZero(orders[index]?.sz ?? '0'));
  });
  const partners = requotesOf(changes, causes, orders);
  return changes.map((change, index): FlowEvent => {
    const { kind: act, oid, side } = change;
    const user = memory.userOf(change.user);
    const { px, level } = memory.priceOf(change.px);
    const order = orders[index] ?? null;
    const other = partners.get(index) ?? null;
    const cause = causes[index] as Cause;
    const kind = other === null ? cause.kind : act === 'insert' ? 'requotedIn' : 'requotedOut';
    if (kind === 'executed') memory.refills.executed(user, side, level, time);
    return {
      act,
      kind,
      inferred: cause.inferred,
      reason: cause.reason,
      oid,
      user,
      side,
      px,
      level,
      from: act === 'insert' ? '0' : act === 'resize' ? change.origSz : (order?.sz ?? '0'),
      to: act === 'insert' ? change.sz : act === 'resize' ? change.newSz : '0',
      cloid: order?.cloid ?? null,
      other,
      refill: act === 'insert' ? memory.refills.joined(user, side, level, time) : 0,
      place: seen[index]?.place ?? null,
      behind: (act === 'insert' ? change.insertBefore : seen[index]?.behind) ?? null,
      order,
    };
  });
}

/** The order of every insert and removal: as it rests after the block, or as it was when it left. */
function ordersOf(
  book: L4Book,
  changes: readonly BookChange[],
  seen: readonly Seen[],
): readonly (L4Order | undefined)[] {
  const gone = new Map<number, L4Order>();
  for (const { order } of seen) if (order !== undefined) gone.set(order.oid, order);
  return changes.map(({ kind, oid }, index) => {
    if (kind === 'remove') return seen[index]?.order;
    return kind === 'insert' ? (gone.get(oid) ?? book.order(oid)) : undefined;
  });
}

function leavesAfter(changes: readonly BookChange[], index: number): boolean {
  const oid = changes[index]?.oid;
  for (let later = index + 1; later < changes.length; later += 1) {
    if (changes[later]?.oid === oid && changes[later]?.kind === 'remove') return true;
  }
  return false;
}

function placeOf(book: L4Book, oid: number): JoinedPlace | undefined {
  const place = book.place(oid);
  return place && { ordersAhead: place.ordersAhead, szAhead: place.szAhead };
}

/** The order that the next trade would take: the first with any size, from the best price. */
function frontOf(book: L4Book, side: Side): number | undefined {
  const cursor = book.cursor(side);
  while (cursor.nextLevel()) {
    while (cursor.nextOrder()) if (cursor.sz > 0) return cursor.oid;
  }
  return undefined;
}

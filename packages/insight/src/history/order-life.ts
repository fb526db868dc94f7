import type { L4Book } from '@l4desk/book';
import type { Address, DecimalString, L4Order, Side } from '@l4desk/protocol';
import { shortest } from '../amounts.ts';
import type { FlowEvent, FlowKind, JoinedPlace } from '../flow/flow-event.ts';
import { type FlowSums, FlowTotals } from '../flow/flow-totals.ts';
import { type FoundChange, orderAtBirth, type QueueMember } from './level-queue.ts';
import type { BlockMark, TimeGap, TimeLine } from './time-line.ts';

/** One thing that happened to an order. */
export interface LifeEvent {
  readonly mark: BlockMark;
  /** Its place in the time line, and its index among the changes of its block. */
  readonly place: number;
  readonly index: number;
  readonly kind: FlowKind;
  readonly act: FlowEvent['act'];
  readonly inferred: boolean;
  readonly reason: string | null;
  readonly from: DecimalString;
  readonly to: DecimalString;
}

/** How an order began to rest. */
interface OrderBirth {
  readonly mark: BlockMark;
  readonly place: number;
  readonly sz: DecimalString;
  readonly joined: JoinedPlace | null;
  /** The order that it replaced under the same cloid, and how many times in a row its owner refilled the price. */
  readonly replaces: number | null;
  readonly refill: number;
}

/** What happened to the orders ahead of an order from when it joined until it left, or until now. */
interface AheadLife {
  readonly atBirth: readonly QueueMember[];
  /** What left of them, and what was inserted in front of it later (`added`, with `insertBefore`); exact and never netted. */
  readonly flow: FlowSums;
}

/** An order of a replacement chain: same owner, same cloid. */
interface ChainLink {
  readonly oid: number;
  readonly px: DecimalString;
  readonly sz: DecimalString;
  /** `born` is null if that was before the kept blocks; `left` is null while it rests. */
  readonly born: BlockMark | null;
  readonly left: BlockMark | null;
  readonly kind: FlowKind | null;
  /** Whether `kind` is inferred. */
  readonly inferred: boolean;
}

/** What a time line knows of one order. */
export interface OrderLife {
  readonly oid: number;
  readonly user: Address | null;
  readonly side: Side;
  readonly px: DecimalString;
  readonly cloid: string | null;
  /** Details as the book listed them; null if only a resize of it was seen. */
  readonly order: L4Order | null;
  /** Null if it has rested since before the first kept block, or arrived in a gap. */
  readonly birth: OrderBirth | null;
  readonly events: readonly LifeEvent[];
  /** How it left; null while it rests. */
  readonly end: LifeEvent | null;
  /**
   * Blocks of the chain from its birth until it left, or until the newest kept block; null without a birth, or if heights go back
   * meanwhile.
   */
  readonly lifetimeBlocks: number | null;
  /** Unseen stretches of its life. */
  readonly gaps: readonly TimeGap[];
  /** Null without a birth, or if a gap hides the queue. */
  readonly ahead: AheadLife | null;
  /** Oldest first; empty without a cloid. */
  readonly chain: readonly ChainLink[];
}

/**
 * The life of an order as far as a time line knows it; undefined if it is neither there nor in `book`, which must be at the
 * newest place.
 */
export function orderLife(line: TimeLine, book: L4Book, oid: number): OrderLife | undefined {
  const found = changesWhere(line, [oid], (event) => event.oid === oid);
  const resting = book.order(oid);
  const order = resting ?? found.findLast(({ event }) => event.order !== null)?.event.order ?? null;
  const first = found[0]?.event;
  if (order === null && first === undefined) return undefined;
  const events = found.map((one) => lifeEvent(line, one));
  const bornAt = found.findLastIndex(({ event }) => event.act === 'insert');
  const born = bornAt < 0 ? undefined : found[bornAt];
  const last = events.at(-1);
  const end = resting === undefined && last?.act === 'remove' ? last : null;
  const to = end?.place ?? line.last;
  const side = first?.side ?? (order as L4Order).side;
  const user = (first?.user ?? order?.user?.toLowerCase() ?? null) as Address | null;
  const birth = born && birthOf(line, born);
  const gaps = line.gaps.filter(({ place }) => place > (birth?.place ?? line.first) && place <= to);
  const isBack = gaps.some((gap) => gap.to.height < gap.from.height);
  return {
    oid,
    user,
    side,
    px: first?.px ?? (order as L4Order).limitPx,
    cloid: order?.cloid ?? null,
    order,
    birth: birth ?? null,
    events,
    end,
    lifetimeBlocks: birth === undefined || isBack ? null : line.markAt(to).height - birth.mark.height,
    gaps,
    ahead: born === undefined ? null : aheadLife(line, book, born, to),
    chain: user === null || typeof order?.cloid !== 'string' ? [] : chainOf(line, user, order.cloid),
  };
}

function birthOf(line: TimeLine, { event, place }: FoundChange): OrderBirth {
  return {
    mark: line.markAt(place),
    place,
    sz: event.to,
    joined: event.place,
    replaces: event.other,
    refill: event.refill,
  };
}

function lifeEvent(line: TimeLine, { event, place, index }: FoundChange): LifeEvent {
  const { act, kind, inferred, reason, from, to } = event;
  return { mark: line.markAt(place), place, index, act, kind, inferred, reason, from, to };
}

function aheadLife(line: TimeLine, book: L4Book, born: FoundChange, to: number): AheadLife | null {
  const { oid, side, level } = born.event;
  const atBirth = orderAtBirth(line, book, born);
  if (atBirth === undefined) return null;
  const ahead = new Set(atBirth.map((member) => member.oid));
  const totals = new FlowTotals();
  for (let place = born.place; place <= to; place += 1) {
    const block = line.blockAt(place);
    if (block?.mayHave(level) !== true) continue;
    const events = block.events();
    for (const event of place === born.place ? events.slice(born.index + 1) : events) {
      if (event.side !== side || event.level !== level) continue;
      if (event.oid === oid && event.act === 'remove') return { atBirth, flow: totals.total() };
      const joinsAhead =
        event.act === 'insert' && event.behind !== null && (event.behind === oid || ahead.has(event.behind));
      if (joinsAhead) ahead.add(event.oid);
      if (!ahead.has(event.oid)) continue;
      totals.add(event);
      if (event.act === 'remove') ahead.delete(event.oid);
    }
  }
  return { atBirth, flow: totals.total() };
}

function chainOf(line: TimeLine, user: Address, cloid: string): readonly ChainLink[] {
  const links = new Map<number, ChainLink>();
  for (const { event, place } of changesWhere(line, [cloid, user], (one) => one.cloid === cloid && one.user === user)) {
    const { oid, act, kind, inferred, px, from, to } = event;
    const mark = line.markAt(place);
    const rests = { left: null, kind: null, inferred: false };
    const known = links.get(oid) ?? { oid, px, sz: shortest(from), born: null, ...rests };
    if (act === 'insert') links.set(oid, { oid, px, sz: to, born: mark, ...rests });
    else links.set(oid, act === 'remove' ? { ...known, left: mark, kind, inferred } : known);
  }
  return [...links.values()];
}

/** The wanted changes, oldest first; every one of them contains all `values`. */
function changesWhere(
  line: TimeLine,
  values: readonly (number | string)[],
  isWanted: (event: FlowEvent) => boolean,
): readonly FoundChange[] {
  const found: FoundChange[] = [];
  for (let place = Math.max(0, line.first); place <= line.last; place += 1) {
    const block = line.blockAt(place);
    if (block?.mayHave(...values) !== true) continue;
    for (const [index, event] of block.events().entries()) if (isWanted(event)) found.push({ event, place, index });
  }
  return found;
}

import { formatUnits } from '@l4desk/decimal';
import type { Address, DecimalString, Side } from '@l4desk/protocol';
import type { QueueSlot } from './queue-orders.ts';

/** One change of a block, as the block's flow reports it. */
export interface QueueEvent {
  readonly act: 'insert' | 'resize' | 'remove';
  /** For an order that shrank or left: whether it was executed. */
  readonly kind: string;
  /** Whether the kind was concluded from the change, because nothing reports it. */
  readonly inferred?: boolean;
  readonly oid: number;
  /** In lower case. */
  readonly user: Address;
  readonly side: Side;
  /** Price in its shortest form. */
  readonly level: DecimalString;
  /** Size before and after; `0` if the order did not rest. */
  readonly from: DecimalString;
  readonly to: DecimalString;
  /** The oid directly behind an order that was inserted or removed; null for the back of the queue. */
  readonly behind: number | null;
}

/** A position in the stream. */
export interface QueueMoment {
  readonly height: number;
  /** Of the block, in ms. */
  readonly time: number;
}

/** A number of orders and their total size. */
export interface QueuePart {
  readonly orders: number;
  readonly sz: DecimalString;
}

/**
 * What happened to the queue in front of one order since it began to rest, or since it is watched. What was ahead at
 * first, plus what was inserted in front or grew there, equals what was executed, canceled and shrunk plus what is still ahead.
 */
export interface QueueLife {
  readonly oid: number;
  /** In lower case. */
  readonly user: Address;
  readonly side: Side;
  /** Price in its shortest form, and remaining size. */
  readonly px: DecimalString;
  readonly sz: DecimalString;
  /** Whether its arrival was seen, and when; otherwise `since` is when watching began. */
  readonly joined: boolean;
  readonly since: QueueMoment;
  readonly aheadAtFirst: QueuePart;
  readonly ahead: QueuePart;
  /** Orders that left, and their size; `executed` also has the size of partial executions. */
  readonly executed: QueuePart;
  readonly canceled: QueuePart;
  /** Size that orders in front of it lost and gained without leaving. */
  readonly shrunk: DecimalString;
  readonly grown: DecimalString;
  /** What was inserted in front of it (`insertBefore`), and behind it. */
  readonly insertedAhead: QueuePart;
  readonly joinedBehind: QueuePart;
  /** Executed size of the order itself. */
  readonly ownExecuted: DecimalString;
  /** Whether any of these executions, of itself or in front of it, is inferred. */
  readonly inferred: boolean;
  readonly level: QueuePart;
}

/** A number of orders and their total size in units. */
interface Part {
  orders: number;
  sz: bigint;
}

/** What is counted for one order. Sizes are in units that the caller knows. */
export interface Life {
  readonly user: Address;
  slot: QueueSlot;
  level: LifeLevel;
  readonly joined: boolean;
  readonly since: QueueMoment;
  readonly first: Part;
  readonly ahead: Part;
  readonly executed: Part;
  readonly canceled: Part;
  readonly insertedAhead: Part;
  readonly joinedBehind: Part;
  shrunk: bigint;
  grown: bigint;
  ownExecuted: bigint;
  inferred: boolean;
}

/** The price level in which an order rests. */
export interface LifeLevel {
  readonly side: Side;
  readonly px: DecimalString;
  readonly queue: Readonly<Part>;
}

/** Starts following an order. */
export function beginLife(begun: Pick<Life, 'user' | 'level' | 'slot' | 'ahead' | 'joined' | 'since'>): Life {
  return {
    ...begun,
    first: { ...begun.ahead },
    executed: nothing(),
    canceled: nothing(),
    insertedAhead: nothing(),
    joinedBehind: nothing(),
    shrunk: 0n,
    grown: 0n,
    ownExecuted: 0n,
    inferred: false,
  };
}

/** What is known of an order, whose units are `10^-scale`. */
export function printLife(life: Life, scale: number): QueueLife {
  const { user, slot, level, joined, since } = life;
  const size = (sz: bigint) => formatUnits(sz, scale);
  const part = ({ orders, sz }: Part): QueuePart => ({ orders, sz: size(sz) });
  return {
    oid: slot.oid,
    user,
    side: level.side,
    px: level.px,
    sz: size(slot.sz),
    joined,
    since,
    aheadAtFirst: part(life.first),
    ahead: part(life.ahead),
    executed: part(life.executed),
    canceled: part(life.canceled),
    shrunk: size(life.shrunk),
    grown: size(life.grown),
    insertedAhead: part(life.insertedAhead),
    joinedBehind: part(life.joinedBehind),
    ownExecuted: size(life.ownExecuted),
    inferred: life.inferred,
    level: part(level.queue),
  };
}

function nothing(): Part {
  return { orders: 0, sz: 0n };
}

function count(part: Part, sz: bigint): void {
  part.orders += 1;
  part.sz += sz;
}

/** Counts an order that was inserted into the queue. */
export function countInsert(life: Life, { rank, sz }: QueueSlot): void {
  if (rank > life.slot.rank) return count(life.joinedBehind, sz);
  count(life.insertedAhead, sz);
  count(life.ahead, sz);
}

/** Counts size that an order of the queue lost: all of it or a part; negative if it grew. */
export function countLoss(
  life: Life,
  slot: QueueSlot,
  lost: bigint,
  { act, kind, inferred = false }: QueueEvent,
): void {
  const isExecuted = kind === 'executed';
  if (slot.rank <= life.slot.rank && isExecuted && inferred && lost > 0n) life.inferred = true;
  if (slot.oid === life.slot.oid) {
    if (isExecuted) life.ownExecuted += lost;
    return;
  }
  if (slot.rank > life.slot.rank) return;
  life.ahead.sz -= lost;
  const leaves = act === 'remove';
  if (leaves) life.ahead.orders -= 1;
  if (isExecuted || leaves) {
    const part = isExecuted ? life.executed : life.canceled;
    part.sz += lost;
    if (leaves) part.orders += 1;
  } else if (lost > 0n) life.shrunk += lost;
  else life.grown -= lost;
}

/** Makes the units of all counts finer. */
export function rescaleLife(life: Life, factor: bigint): void {
  for (const part of [life.first, life.ahead, life.executed, life.canceled, life.insertedAhead, life.joinedBehind]) {
    part.sz *= factor;
  }
  life.shrunk *= factor;
  life.grown *= factor;
  life.ownExecuted *= factor;
}

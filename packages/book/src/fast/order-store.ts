import { formatUnits } from '@l4desk/decimal';
import { type DecimalString, extrasOf, type L4Order, ownCopy, type Side } from '@l4desk/protocol';
import { ODD_TEXT, printedDecimals } from '../engine/amount.ts';
import { type AsciiWriter, asciiBytes } from '../engine/ascii-writer.ts';
import type { DetailFields } from '../engine/details.ts';
import { packCloid, unpackCloid, writeCloid } from './cloid.ts';
import { DetailPool, OwnerPool } from './intern.ts';
import { OidTable } from './oid-table.ts';

export const NONE = -1;

/** An order takes 64 bytes, one cache line: eight doubles, or sixteen words. */
const DOUBLES = 8;

/**
 * A full buffer grows by an eighth: a book outgrows the size of its snapshot with the first block, then stays about that size.
 */
const GROWTH = 1.125;

// Offsets of its fields, in doubles from the slot…
const SZ = 1;
const TIMESTAMP = 2;

// … and in words from twice the slot.
const NEXT = 6;
const PREVIOUS = 7;
const LEVEL = 8;
const OWNER = 9;
const DETAIL = 10;
const FORM = 11;
const CLOID = 12;

// FORM: printed decimals of size and price, one byte each, and flags for how the rest is stored.
const DECIMALS = 0xff;
const PX_SHIFT = 8;
const CLOID_PACKED = 0x1_0000;
const CLOID_ODD = 0x2_0000;
const EXTRAS = 0x4_0000;

const BEFORE_OWNER = asciiBytes('{"user":"');
const BEFORE_SZ = asciiBytes('","sz":"');
const BEFORE_OID = asciiBytes('","oid":');
const BEFORE_TIMESTAMP = asciiBytes(',"timestamp":');
const NULL = asciiBytes('null');
const CLOSING = 125;

/**
 * The orders of a book, 64 bytes each in one buffer. An order is identified by its slot: the index of its oid among the doubles
 * of the buffer. The engine manages size, level and queue links; everything else is kept here, and returned unchanged.
 */
export class OrderStore {
  count = 0;
  private doubles = new Float64Array(0);
  private words = new Int32Array(0);
  private readonly coin: string;
  private table: OidTable;
  private owners = new OwnerPool();
  private details = new DetailPool();
  /** Values that the buffer cannot hold, by slot: all these maps are empty in an ordinary book. */
  private oddSz = new Map<number, DecimalString>();
  private oddPx = new Map<number, DecimalString>();
  private oddCloid = new Map<number, string>();
  private extras = new Map<number, Readonly<Record<string, unknown>>>();
  /** The price printed last, with its units, scale and decimals: the orders of a level print the same one. */
  private readonly printed = { px: -1, scale: 0, decimals: 0, text: '0' as DecimalString };
  /** The last details without fields beyond those of the specification: the orders of a block may share them. */
  private plain: DetailFields | undefined;
  /** Free slots are chained through NEXT. */
  private free = NONE;
  private end = 0;
  private found = new Int32Array(0);

  /** Allocates room for `expected` orders at once. */
  constructor(coin: string, expected: number) {
    this.coin = coin;
    this.table = new OidTable(expected);
    this.reserve(expected);
  }

  /** The same orders at the same slots. */
  copy(): OrderStore {
    const copy = new OrderStore(this.coin, 0);
    copy.count = this.count;
    copy.doubles = this.doubles.slice();
    copy.words = new Int32Array(copy.doubles.buffer);
    copy.table = this.table.copy();
    copy.owners = this.owners.copy();
    copy.details = this.details.copy();
    copy.oddSz = new Map(this.oddSz);
    copy.oddPx = new Map(this.oddPx);
    copy.oddCloid = new Map(this.oddCloid);
    copy.extras = new Map(this.extras);
    copy.free = this.free;
    copy.end = this.end;
    return copy;
  }

  find(oid: number): number {
    return this.table.find(this.doubles, oid);
  }

  /**
   * The slots of the orders of a block's changes, NONE for an order that does not rest. Orders are scattered across memory:
   * when they are looked up in sequence, many reads are in flight at a time, whereas looking each one up with its change would
   * wait for each. The result is valid until the next call.
   */
  findAll(changes: readonly { readonly oid: number }[]): Int32Array {
    if (this.found.length < changes.length) this.found = new Int32Array(changes.length * 2);
    const { doubles, found, table } = this;
    for (let index = 0; index < changes.length; index += 1) {
      found[index] = table.find(doubles, (changes[index] as { readonly oid: number }).oid);
    }
    return found;
  }

  /** The order at a slot; -1 if none rests there any more. */
  oid(slot: number): number {
    return this.doubles[slot] as number;
  }

  /** Remaining size in units of the book's size scale. */
  sz(slot: number): number {
    return this.doubles[slot + SZ] as number;
  }

  timestamp(slot: number): number {
    return this.doubles[slot + TIMESTAMP] as number;
  }

  /** The order behind it in its queue, or NONE. */
  next(slot: number): number {
    return this.words[slot * 2 + NEXT] as number;
  }

  setNext(slot: number, next: number): void {
    this.words[slot * 2 + NEXT] = next;
  }

  /** The order in front of it in its queue, or NONE. */
  previous(slot: number): number {
    return this.words[slot * 2 + PREVIOUS] as number;
  }

  setPrevious(slot: number, previous: number): void {
    this.words[slot * 2 + PREVIOUS] = previous;
  }

  levelOf(slot: number): number {
    return this.words[slot * 2 + LEVEL] as number;
  }

  /** A slot for an order that is not stored yet; the caller sets size and links. */
  add(oid: number, owner: string | null, detail: DetailFields, level: number, px: DecimalString): number {
    if (this.owners.isFull) this.dropUnused(this.owners, OWNER);
    if (this.details.isFull) this.dropUnused(this.details, DETAIL);
    const slot = this.takeSlot();
    const { doubles, words } = this;
    const word = slot * 2;
    doubles[slot] = oid;
    words[word + LEVEL] = level;
    words[word + OWNER] = this.owners.acquire(owner);
    words[word + FORM] = this.keepPx(slot, px) | this.keepDetail(slot, detail);
    this.table.set(doubles, oid, slot);
    this.count += 1;
    return slot;
  }

  /** Replaces the details of a stored order. */
  describe(slot: number, detail: DetailFields): void {
    const at = slot * 2 + FORM;
    const form = this.words[at] as number;
    if (isOdd(form)) this.dropOddDetail(slot);
    this.words[at] = (form & ~(CLOID_PACKED | CLOID_ODD | EXTRAS)) | this.keepDetail(slot, detail);
  }

  remove(slot: number): void {
    const { words } = this;
    const word = slot * 2;
    const form = words[word + FORM] as number;
    this.table.delete(this.doubles, this.oid(slot));
    this.doubles[slot] = NONE;
    words[word + OWNER] = NONE;
    words[word + DETAIL] = NONE;
    if (isOdd(form)) {
      this.dropOddDetail(slot);
      this.oddSz.delete(slot);
      this.oddPx.delete(slot);
    }
    words[word + NEXT] = this.free;
    this.free = slot;
    this.count -= 1;
  }

  setSize(slot: number, units: number, text: DecimalString): void {
    this.doubles[slot + SZ] = units;
    const at = slot * 2 + FORM;
    const form = this.words[at] as number;
    const decimals = printedDecimals(text);
    if (decimals === ODD_TEXT) this.oddSz.set(slot, ownCopy(text));
    else if ((form & DECIMALS) === ODD_TEXT) this.oddSz.delete(slot);
    this.words[at] = (form & ~DECIMALS) | decimals;
  }

  szText(slot: number, scale: number): DecimalString {
    const decimals = this.form(slot) & DECIMALS;
    if (decimals === ODD_TEXT) return this.oddSz.get(slot) as DecimalString;
    return formatUnits(this.sz(slot), scale, decimals);
  }

  /** The price as the order printed it; `px` is that of its level. */
  pxText(slot: number, px: number, scale: number): DecimalString {
    const decimals = (this.form(slot) >>> PX_SHIFT) & DECIMALS;
    if (decimals === ODD_TEXT) return this.oddPx.get(slot) as DecimalString;
    const { printed } = this;
    if (printed.px !== px || printed.decimals !== decimals || printed.scale !== scale) {
      printed.px = px;
      printed.decimals = decimals;
      printed.scale = scale;
      printed.text = formatUnits(px, scale, decimals);
    }
    return printed.text;
  }

  ownerNumber(slot: number): number {
    return this.words[slot * 2 + OWNER] as number;
  }

  ownerOf(slot: number): string | null {
    return this.owners.get(this.words[slot * 2 + OWNER] as number);
  }

  order(slot: number, side: Side, limitPx: DecimalString, szScale: number): L4Order {
    const { detail } = this.details.get(this.words[slot * 2 + DETAIL] as number);
    const order = {
      user: this.ownerOf(slot) as L4Order['user'],
      coin: this.coin,
      side,
      limitPx,
      sz: this.szText(slot, szScale),
      oid: this.oid(slot),
      timestamp: this.timestamp(slot),
      triggerCondition: detail.triggerCondition,
      isTrigger: detail.isTrigger,
      triggerPx: detail.triggerPx,
      isPositionTpsl: detail.isPositionTpsl,
      reduceOnly: detail.reduceOnly,
      orderType: detail.orderType,
      tif: detail.tif,
      cloid: this.cloidText(slot),
    };
    return (this.form(slot) & EXTRAS) === 0 ? order : { ...order, ...this.extras.get(slot) };
  }

  /**
   * Writes an order as JSON; `beforePx` goes between its owner and its price. Returns false if it has a value outside the
   * buffer.
   */
  writeJson(
    out: AsciiWriter,
    slot: number,
    beforePx: Uint8Array,
    px: number,
    pxScale: number,
    szScale: number,
  ): boolean {
    const form = this.form(slot);
    const owner = this.ownerOf(slot);
    if (isOdd(form) || owner === null) return false;
    out.copy(BEFORE_OWNER);
    out.text(owner);
    out.copy(beforePx);
    out.amount(px, pxScale, (form >>> PX_SHIFT) & DECIMALS);
    out.copy(BEFORE_SZ);
    out.amount(this.sz(slot), szScale, form & DECIMALS);
    out.copy(BEFORE_OID);
    out.whole(this.oid(slot));
    out.copy(BEFORE_TIMESTAMP);
    out.whole(this.timestamp(slot));
    out.copy(this.details.get(this.words[slot * 2 + DETAIL] as number).json);
    if ((form & CLOID_PACKED) !== 0) writeCloid(out, this.words, slot * 2 + CLOID);
    else out.copy(NULL);
    out.code(CLOSING);
    return true;
  }

  /** Multiplies every size by a factor above zero that keeps them whole and safe. */
  scaleSizes(factor: number): void {
    for (let slot = 0; slot < this.end; slot += DOUBLES) this.doubles[slot + SZ] = this.sz(slot) * factor;
  }

  private form(slot: number): number {
    return this.words[slot * 2 + FORM] as number;
  }

  private cloidText(slot: number): string | null {
    const form = this.form(slot);
    if ((form & CLOID_PACKED) !== 0) return unpackCloid(this.words, slot * 2 + CLOID);
    return (form & CLOID_ODD) !== 0 ? (this.oddCloid.get(slot) as string) : null;
  }

  private keepPx(slot: number, text: DecimalString): number {
    const decimals = printedDecimals(text);
    if (decimals === ODD_TEXT) this.oddPx.set(slot, ownCopy(text));
    return decimals << PX_SHIFT;
  }

  /** Stores the details and returns their bits for the form. */
  private keepDetail(slot: number, detail: DetailFields): number {
    this.doubles[slot + TIMESTAMP] = detail.timestamp;
    this.words[slot * 2 + DETAIL] = this.details.acquire(detail);
    return this.keepCloid(slot, detail.cloid) | this.keepExtras(slot, detail);
  }

  private dropOddDetail(slot: number): void {
    this.oddCloid.delete(slot);
    this.extras.delete(slot);
  }

  /** Lets a pool drop the values that no order refers to; `word` is the offset of the value's number in an order. */
  private dropUnused(pool: OwnerPool | DetailPool, word: number): void {
    const used = new Uint8Array(pool.end);
    for (let slot = 0; slot < this.end; slot += DOUBLES) {
      const id = this.words[slot * 2 + word] as number;
      if (id !== NONE) used[id] = 1;
    }
    pool.keep(used);
  }

  private keepExtras(slot: number, detail: DetailFields): number {
    if (detail === this.plain) return 0;
    const extras = extrasOf(detail);
    if (extras === undefined) {
      this.plain = detail;
      return 0;
    }
    this.extras.set(slot, extras);
    return EXTRAS;
  }

  private keepCloid(slot: number, cloid: string | null): number {
    if (cloid === null) return 0;
    if (packCloid(cloid, this.words, slot * 2 + CLOID)) return CLOID_PACKED;
    this.oddCloid.set(slot, cloid);
    return CLOID_ODD;
  }

  private takeSlot(): number {
    const slot = this.free;
    if (slot !== NONE) {
      this.free = this.next(slot);
      return slot;
    }
    if (this.end === this.doubles.length) this.reserve(Math.max(64, Math.ceil((this.end / DOUBLES) * GROWTH)));
    this.end += DOUBLES;
    return this.end - DOUBLES;
  }

  private reserve(orders: number): void {
    const doubles = new Float64Array(orders * DOUBLES);
    doubles.set(this.doubles);
    this.doubles = doubles;
    this.words = new Int32Array(doubles.buffer);
  }
}

/** Whether any value of an order is in a map outside the buffer. */
function isOdd(form: number): boolean {
  return (
    (form & (CLOID_ODD | EXTRAS)) !== 0 ||
    (form & DECIMALS) === ODD_TEXT ||
    ((form >>> PX_SHIFT) & DECIMALS) === ODD_TEXT
  );
}

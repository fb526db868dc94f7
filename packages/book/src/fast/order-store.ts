import { formatUnits } from '@l4desk/decimal';
import type { DecimalString, L4Order, Side } from '@l4desk/protocol';
import { ODD_TEXT, printedDecimals } from '../engine/amount.ts';
import { type AsciiWriter, asciiBytes } from '../engine/ascii-writer.ts';
import { type DetailFields, extrasOf } from '../engine/details.ts';
import { packCloid, unpackCloid, writeCloid } from './cloid.ts';
import { DetailPool, OwnerPool } from './intern.ts';
import { OidTable } from './oid-table.ts';

export const NONE = -1;

const NO_CLOID = 0;
const PACKED_CLOID = 1;
const ODD_CLOID = 2;

const BEFORE_OWNER = asciiBytes('{"user":"');
const BEFORE_OID = asciiBytes('","oid":');
const BEFORE_TIMESTAMP = asciiBytes(',"timestamp":');
const NULL = asciiBytes('null');
const CLOSING = 125;

/**
 * The orders of a book as a struct of arrays: an order is a slot, a whole number. Queue links, size and level belong to the
 * engine; everything else of an order is kept and given back here, to the letter.
 */
export class OrderStore {
  oid = new Float64Array(0);
  /** Remaining size in units of the book's size scale. */
  sz = new Float64Array(0);
  next = new Int32Array(0);
  previous = new Int32Array(0);
  level = new Int32Array(0);
  count = 0;
  private readonly coin: string;
  private readonly table: OidTable;
  private readonly owners = new OwnerPool();
  private readonly details = new DetailPool();
  private szDecimals = new Uint8Array(0);
  private owner = new Int32Array(0);
  private timestamp = new Float64Array(0);
  private detail = new Int32Array(0);
  private cloid = new Uint32Array(0);
  private cloidKind = new Uint8Array(0);
  /** What the arrays cannot hold, by slot: all of them are empty in an ordinary book. */
  private readonly oddSz = new Map<number, DecimalString>();
  private readonly oddPx = new Map<number, DecimalString>();
  private readonly oddCloid = new Map<number, string>();
  private readonly extras = new Map<number, Readonly<Record<string, unknown>>>();
  /** Free slots are chained through `next`. */
  private free = NONE;
  private used = 0;

  constructor(coin: string, expected: number) {
    this.coin = coin;
    this.table = new OidTable(expected);
    if (expected > 0) this.grow(expected);
  }

  find(oid: number): number {
    return this.table.find(this.oid, oid);
  }

  /** A slot for an order that is not there yet; the caller sets its size, level and links. */
  add(oid: number, owner: string | null, detail: DetailFields): number {
    const slot = this.takeSlot();
    this.oid[slot] = oid;
    this.table.set(this.oid, oid, slot);
    this.owner[slot] = this.owners.acquire(owner);
    this.timestamp[slot] = detail.timestamp;
    this.detail[slot] = this.details.acquire(detail);
    this.keepCloid(slot, detail.cloid);
    const extras = extrasOf(detail);
    if (extras !== undefined) this.extras.set(slot, extras);
    this.szDecimals[slot] = 0;
    this.count += 1;
    return slot;
  }

  remove(slot: number): void {
    this.table.delete(this.oid, this.oid[slot] as number);
    this.owners.release(this.owner[slot] as number);
    this.details.release(this.detail[slot] as number);
    if (this.szDecimals[slot] === ODD_TEXT) this.oddSz.delete(slot);
    if (this.cloidKind[slot] === ODD_CLOID) this.oddCloid.delete(slot);
    if (this.oddPx.size > 0) this.oddPx.delete(slot);
    if (this.extras.size > 0) this.extras.delete(slot);
    this.next[slot] = this.free;
    this.free = slot;
    this.count -= 1;
  }

  setSize(slot: number, units: number, text: DecimalString): void {
    this.sz[slot] = units;
    const decimals = printedDecimals(text);
    if (this.szDecimals[slot] === ODD_TEXT) this.oddSz.delete(slot);
    if (decimals === ODD_TEXT) this.oddSz.set(slot, text);
    this.szDecimals[slot] = decimals;
  }

  szText(slot: number, scale: number): DecimalString {
    const decimals = this.szDecimals[slot] as number;
    if (decimals === ODD_TEXT) return this.oddSz.get(slot) as DecimalString;
    return formatUnits(this.sz[slot] as number, scale, decimals);
  }

  /** Remembers a price text other than that of the order's level. */
  keepPx(slot: number, text: DecimalString): void {
    this.oddPx.set(slot, text);
  }

  pxText(slot: number, levelText: DecimalString): DecimalString {
    if (this.oddPx.size === 0) return levelText;
    return this.oddPx.get(slot) ?? levelText;
  }

  ownerOf(slot: number): string | null {
    return this.owners.get(this.owner[slot] as number);
  }

  order(slot: number, side: Side, levelText: DecimalString, szScale: number): L4Order {
    const { detail } = this.details.get(this.detail[slot] as number);
    const order = {
      user: this.ownerOf(slot) as L4Order['user'],
      coin: this.coin,
      side,
      limitPx: this.pxText(slot, levelText),
      sz: this.szText(slot, szScale),
      oid: this.oid[slot] as number,
      timestamp: this.timestamp[slot] as number,
      triggerCondition: detail.triggerCondition,
      isTrigger: detail.isTrigger,
      triggerPx: detail.triggerPx,
      isPositionTpsl: detail.isPositionTpsl,
      reduceOnly: detail.reduceOnly,
      orderType: detail.orderType,
      tif: detail.tif,
      cloid: this.cloidText(slot),
    };
    const extras = this.extras.size === 0 ? undefined : this.extras.get(slot);
    return extras === undefined ? order : { ...order, ...extras };
  }

  /** Writes an order as JSON; `head` is what stands between its owner and its size. False when it has something odd. */
  writeJson(out: AsciiWriter, slot: number, head: Uint8Array, szScale: number): boolean {
    const decimals = this.szDecimals[slot] as number;
    const cloidKind = this.cloidKind[slot] as number;
    const owner = this.ownerOf(slot);
    if (decimals === ODD_TEXT || cloidKind === ODD_CLOID || owner === null) return false;
    if (this.oddPx.size > 0 && this.oddPx.has(slot)) return false;
    if (this.extras.size > 0 && this.extras.has(slot)) return false;
    out.copy(BEFORE_OWNER);
    out.text(owner);
    out.copy(head);
    out.amount(this.sz[slot] as number, szScale, decimals);
    out.copy(BEFORE_OID);
    out.whole(this.oid[slot] as number);
    out.copy(BEFORE_TIMESTAMP);
    out.whole(this.timestamp[slot] as number);
    out.copy(this.details.get(this.detail[slot] as number).json);
    if (cloidKind === NO_CLOID) out.copy(NULL);
    else writeCloid(out, this.cloid, slot);
    out.code(CLOSING);
    return true;
  }

  /** Multiplies every size by a factor above zero that keeps them whole and safe. */
  scaleSizes(factor: number): void {
    for (let slot = 0; slot < this.used; slot += 1) this.sz[slot] = (this.sz[slot] as number) * factor;
  }

  private cloidText(slot: number): string | null {
    switch (this.cloidKind[slot]) {
      case PACKED_CLOID:
        return unpackCloid(this.cloid, slot);
      case ODD_CLOID:
        return this.oddCloid.get(slot) as string;
      default:
        return null;
    }
  }

  private keepCloid(slot: number, cloid: string | null): void {
    if (cloid === null) this.cloidKind[slot] = NO_CLOID;
    else if (packCloid(cloid, this.cloid, slot)) this.cloidKind[slot] = PACKED_CLOID;
    else {
      this.cloidKind[slot] = ODD_CLOID;
      this.oddCloid.set(slot, cloid);
    }
  }

  private takeSlot(): number {
    const free = this.free;
    if (free !== NONE) {
      this.free = this.next[free] as number;
      return free;
    }
    if (this.used === this.oid.length) this.grow(Math.max(64, Math.ceil(this.used * 1.5)));
    this.used += 1;
    return this.used - 1;
  }

  private grow(size: number): void {
    this.oid = grown(this.oid, new Float64Array(size));
    this.sz = grown(this.sz, new Float64Array(size));
    this.next = grown(this.next, new Int32Array(size));
    this.previous = grown(this.previous, new Int32Array(size));
    this.level = grown(this.level, new Int32Array(size));
    this.szDecimals = grown(this.szDecimals, new Uint8Array(size));
    this.owner = grown(this.owner, new Int32Array(size));
    this.timestamp = grown(this.timestamp, new Float64Array(size));
    this.detail = grown(this.detail, new Int32Array(size));
    this.cloid = grown(this.cloid, new Uint32Array(size * 4));
    this.cloidKind = grown(this.cloidKind, new Uint8Array(size));
  }
}

/** The larger array, with the smaller one's values at its start. */
export function grown<Values extends Float64Array | Int32Array | Uint32Array | Uint8Array>(
  from: NoInfer<Values>,
  to: Values,
): Values {
  to.set(from);
  return to;
}

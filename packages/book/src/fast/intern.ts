import { type L4OrderDetail, ownCopy } from '@l4desk/protocol';
import { asciiBytes, asciiJson } from '../engine/ascii-writer.ts';
import { hexDigit } from './hex.ts';
import { OidTable } from './oid-table.ts';

/** Values held once each under a small number, for as long as somebody refers to them. */
abstract class Pool<Value> {
  protected readonly values: (Value | undefined)[] = [];
  private readonly references: number[] = [];
  private readonly free: number[] = [];

  get(id: number): Value {
    return this.values[id] as Value;
  }

  release(id: number): void {
    const left = (this.references[id] as number) - 1;
    this.references[id] = left;
    if (left > 0) return;
    this.forget(this.values[id] as Value, id);
    this.values[id] = undefined;
    this.free.push(id);
  }

  protected abstract forget(value: Value, id: number): void;

  protected refer(id: number): number {
    this.references[id] = (this.references[id] as number) + 1;
    return id;
  }

  protected enter(value: Value): number {
    const id = this.free.pop() ?? this.values.length;
    this.values[id] = value;
    this.references[id] = 1;
    return id;
  }
}

/** Hexadecimal digits, from the end of an address, that a double holds as a whole number. */
const KEY_DIGITS = 13;

/**
 * Owners: a few thousand wallets hold fifty thousand orders. Null where a snapshot names none. An address is looked up by
 * the number that its last digits make, because a third of building a book went into looking it up by its text; what has
 * no such number, or shares it with another owner, still is.
 */
export class OwnerPool extends Pool<string | null> {
  private readonly byKey = new OidTable();
  private keys = new Float64Array(64);
  private readonly byText = new Map<string | null, number>();

  acquire(owner: string | null): number {
    const key = keyOf(owner);
    const found = key < 0 ? -1 : this.byKey.find(this.keys, key);
    if (found >= 0 && this.values[found] === owner) return this.refer(found);
    const known = this.byText.get(owner);
    if (known !== undefined) return this.refer(known);
    const id = this.enter(owner === null ? null : ownCopy(owner));
    if (key < 0 || found >= 0) this.byText.set(owner, id);
    else this.enterKey(key, id);
    return id;
  }

  protected override forget(owner: string | null, id: number): void {
    if (!this.byText.delete(owner)) this.byKey.delete(this.keys, this.keys[id] as number);
  }

  private enterKey(key: number, id: number): void {
    if (id >= this.keys.length) {
      const keys = new Float64Array(id * 2);
      keys.set(this.keys);
      this.keys = keys;
    }
    this.keys[id] = key;
    this.byKey.set(this.keys, key, id);
  }
}

/** The number that the last digits of a text make, or -1 when they are no lower-case hexadecimal digits. */
function keyOf(owner: string | null): number {
  if (owner === null || owner.length < KEY_DIGITS) return -1;
  let key = 0;
  for (let at = owner.length - KEY_DIGITS; at < owner.length; at += 1) {
    const digit = hexDigit(owner.charCodeAt(at));
    if (digit < 0) return -1;
    key = key * 16 + digit;
  }
  return key;
}

/** The fields that nearly every order shares with thousands of others. */
export type SharedDetail = Omit<L4OrderDetail, 'timestamp' | 'cloid'>;

interface DetailEntry {
  readonly key: string;
  readonly detail: SharedDetail;
  /** The fields as JSON, from the comma behind `timestamp` to the colon behind `cloid`. */
  readonly json: Uint8Array;
}

const RECENT = 8;

export class DetailPool extends Pool<DetailEntry> {
  private readonly ids = new Map<string, number>();
  /** Ids used last, most orders match one of them. */
  private readonly recent: number[] = [];

  acquire(detail: SharedDetail): number {
    for (const id of this.recent) {
      const entry = this.values[id];
      if (entry !== undefined && same(entry.detail, detail)) return this.refer(id);
    }
    const key = JSON.stringify(listed(detail));
    const known = this.ids.get(key);
    const id = known === undefined ? this.enterNew(key, detail) : this.refer(known);
    this.recent.unshift(id);
    if (this.recent.length > RECENT) this.recent.pop();
    return id;
  }

  protected override forget({ key }: DetailEntry): void {
    this.ids.delete(key);
  }

  private enterNew(key: string, detail: SharedDetail): number {
    const { triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif } = detail;
    const shared = { triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif };
    const json = asciiBytes(`,${asciiJson(shared).slice(1, -1)},"cloid":`);
    const id = this.enter({ key, detail: shared, json });
    this.ids.set(key, id);
    return id;
  }
}

function listed(detail: SharedDetail): readonly unknown[] {
  return [
    detail.triggerCondition,
    detail.isTrigger,
    detail.triggerPx,
    detail.isPositionTpsl,
    detail.reduceOnly,
    detail.orderType,
    detail.tif,
  ];
}

function same(a: SharedDetail, b: SharedDetail): boolean {
  return (
    a.tif === b.tif &&
    a.reduceOnly === b.reduceOnly &&
    a.orderType === b.orderType &&
    a.triggerCondition === b.triggerCondition &&
    a.isTrigger === b.isTrigger &&
    a.triggerPx === b.triggerPx &&
    a.isPositionTpsl === b.isPositionTpsl
  );
}

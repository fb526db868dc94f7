import { type L4OrderDetail, ownCopy } from '@l4desk/protocol';
import { asciiBytes, asciiJson } from '../engine/ascii-writer.ts';
import { packHex } from './hex.ts';
import { OidTable } from './oid-table.ts';

/** Number of values that a pool holds before it first checks which of them are used. */
const ROOM_MIN = 1_024;

/**
 * Values stored once each under a small number. References are not counted, because that would touch a distant memory location
 * for every order that arrives or leaves. When the number of values has doubled, the pool drops those that no order uses.
 */
abstract class Pool<Value> {
  protected values: (Value | undefined)[] = [];
  private free: number[] = [];
  private room = ROOM_MIN;

  /** Whether the number of values has doubled since the last `keep`. */
  get isFull(): boolean {
    return this.values.length - this.free.length >= this.room;
  }

  /** One more than the greatest number assigned so far. */
  get end(): number {
    return this.values.length;
  }

  get(id: number): Value {
    return this.values[id] as Value;
  }

  /** Drops all values except those whose entry in `used` is 1. */
  keep(used: Uint8Array): void {
    for (let id = 0; id < this.values.length; id += 1) {
      const value = this.values[id];
      if (value === undefined || used[id] === 1) continue;
      this.forget(value, id);
      this.values[id] = undefined;
      this.free.push(id);
    }
    this.room = Math.max(ROOM_MIN, (this.values.length - this.free.length) * 2);
  }

  /** Takes the values of another pool, under their numbers. */
  protected take(pool: Pool<Value>): void {
    this.values = [...pool.values];
    this.free = [...pool.free];
    this.room = pool.room;
  }

  protected abstract forget(value: Value, id: number): void;

  protected enter(value: Value): number {
    const id = this.free.pop() ?? this.values.length;
    this.values[id] = value;
    return id;
  }
}

/**
 * An address takes 32 bytes: four doubles, or eight words. Its last digits are in the first double, all digits in the words
 * after it.
 */
const DOUBLES = 4;
const FIRST_WORD = 2;
const ADDRESS_WORDS = 5;

/** The words of the address being looked up. */
const wanted = new Int32Array(ADDRESS_WORDS);

/**
 * Owners: a few thousand wallets hold fifty thousand orders. Null if a snapshot names none. Addresses are looked up by their
 * digits, which are stored side by side, because strings are scattered across memory. A text that is not a lower-case address,
 * or that ends like the address of another owner, is looked up as text.
 */
export class OwnerPool extends Pool<string | null> {
  private byEnd = new OidTable();
  private doubles = new Float64Array(64 * DOUBLES);
  private words = new Int32Array(this.doubles.buffer);
  private byText = new Map<string | null, number>();

  copy(): OwnerPool {
    const copy = new OwnerPool();
    copy.take(this);
    copy.byEnd = this.byEnd.copy();
    copy.doubles = this.doubles.slice();
    copy.words = new Int32Array(copy.doubles.buffer);
    copy.byText = new Map(this.byText);
    return copy;
  }

  acquire(owner: string | null): number {
    const isAddress = owner !== null && packHex(owner, wanted, 0, ADDRESS_WORDS);
    const end = (wanted[ADDRESS_WORDS - 1] as number) >>> 0;
    const found = isAddress ? this.byEnd.find(this.doubles, end) : -1;
    if (found >= 0 && this.holdsWanted(found)) return found / DOUBLES;
    const known = this.byText.get(owner);
    if (known !== undefined) return known;
    const id = this.enter(owner === null ? null : ownCopy(owner));
    if (isAddress && found < 0) this.enterWanted(id, end);
    else this.byText.set(owner, id);
    return id;
  }

  protected override forget(owner: string | null, id: number): void {
    if (!this.byText.delete(owner)) this.byEnd.delete(this.doubles, this.doubles[id * DOUBLES] as number);
  }

  private holdsWanted(at: number): boolean {
    const { words } = this;
    const word = at * 2 + FIRST_WORD;
    return (
      words[word] === wanted[0] &&
      words[word + 1] === wanted[1] &&
      words[word + 2] === wanted[2] &&
      words[word + 3] === wanted[3]
    );
  }

  private enterWanted(id: number, end: number): void {
    const at = id * DOUBLES;
    if (at >= this.doubles.length) {
      const doubles = new Float64Array(at * 2);
      doubles.set(this.doubles);
      this.doubles = doubles;
      this.words = new Int32Array(doubles.buffer);
    }
    this.doubles[at] = end;
    this.words.set(wanted, at * 2 + FIRST_WORD);
    this.byEnd.set(this.doubles, end, at);
  }
}

/** The fields that nearly every order shares with thousands of others. */
export type SharedDetail = Omit<L4OrderDetail, 'timestamp' | 'cloid'>;

interface DetailEntry {
  readonly key: string;
  readonly detail: SharedDetail;
  /** The fields as JSON, from the comma after `timestamp` to the colon after `cloid`. */
  readonly json: Uint8Array;
}

const RECENT = 8;

export class DetailPool extends Pool<DetailEntry> {
  private ids = new Map<string, number>();
  /** The most recently used ids; most orders match one of them. */
  private readonly recent: number[] = [];

  copy(): DetailPool {
    const copy = new DetailPool();
    copy.take(this);
    copy.ids = new Map(this.ids);
    return copy;
  }

  acquire(detail: SharedDetail): number {
    for (const id of this.recent) {
      const entry = this.values[id];
      if (entry !== undefined && same(entry.detail, detail)) return id;
    }
    const key = JSON.stringify(listed(detail));
    const known = this.ids.get(key);
    const id = known === undefined ? this.enterNew(key, detail) : known;
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

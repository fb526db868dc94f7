const EMPTY = -1;

/**
 * From oid to slot: open addressing with linear probing. Only slots are stored; the oid of a slot stands in the caller's
 * own array, which every call is given. A built-in Map takes about five times the memory.
 */
export class OidTable {
  private slots: Int32Array;
  private mask: number;
  private count = 0;

  /** Room for `expected` entries before it grows. */
  constructor(expected = 8) {
    let size = 16;
    while (size < expected * 2) size *= 2;
    this.slots = new Int32Array(size).fill(EMPTY);
    this.mask = size - 1;
  }

  /** The slot of `oid`, or -1. */
  find(oids: Float64Array, oid: number): number {
    const { slots, mask } = this;
    for (let at = hash(oid) & mask; ; at = (at + 1) & mask) {
      const slot = slots[at] as number;
      if (slot === EMPTY || oids[slot] === oid) return slot;
    }
  }

  /** Enters `oid` with its slot, in place of the slot it had. */
  set(oids: Float64Array, oid: number, slot: number): void {
    if ((this.count + 1) * 2 > this.slots.length) this.grow(oids);
    const { slots, mask } = this;
    for (let at = hash(oid) & mask; ; at = (at + 1) & mask) {
      const found = slots[at] as number;
      if (found === EMPTY) {
        slots[at] = slot;
        this.count += 1;
        return;
      }
      if (oids[found] === oid) {
        slots[at] = slot;
        return;
      }
    }
  }

  /** Takes `oid` out; its slot must still hold the oid. */
  delete(oids: Float64Array, oid: number): void {
    const { slots, mask } = this;
    let hole = hash(oid) & mask;
    for (; ; hole = (hole + 1) & mask) {
      const slot = slots[hole] as number;
      if (slot === EMPTY) return;
      if (oids[slot] === oid) break;
    }
    this.count -= 1;
    // Later entries of the run move up, so that no probe stops at a hole before its entry.
    for (let at = (hole + 1) & mask; ; at = (at + 1) & mask) {
      const slot = slots[at] as number;
      if (slot === EMPTY) break;
      const home = hash(oids[slot] as number) & mask;
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      slots[hole] = slot;
      hole = at;
    }
    slots[hole] = EMPTY;
  }

  private grow(oids: Float64Array): void {
    const old = this.slots;
    const size = old.length * 2;
    const slots = new Int32Array(size).fill(EMPTY);
    const mask = size - 1;
    for (let index = 0; index < old.length; index += 1) {
      const slot = old[index] as number;
      if (slot === EMPTY) continue;
      let at = hash(oids[slot] as number) & mask;
      while (slots[at] !== EMPTY) at = (at + 1) & mask;
      slots[at] = slot;
    }
    this.slots = slots;
    this.mask = mask;
  }
}

/** Both halves of an oid count: oids are past 32 bits. */
function hash(oid: number): number {
  const mixed = Math.imul(oid | 0, 0x9e3779b1) ^ Math.imul((oid / 0x100000000) | 0, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

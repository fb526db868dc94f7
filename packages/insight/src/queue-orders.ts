/** An order in a queue: its rank is lower than that of every order behind it. */
export interface QueueSlot {
  readonly oid: number;
  readonly rank: number;
  readonly sz: bigint;
}

type Slot = { -readonly [Field in keyof QueueSlot]: QueueSlot[Field] };

/** The orders of one price in queue order. Answers who is in front of whom. */
export class QueueOrders {
  private readonly slots = new Map<number, Slot>();
  private last = 0;
  private total = 0n;

  get orders(): number {
    return this.slots.size;
  }

  get sz(): bigint {
    return this.total;
  }

  get(oid: number): QueueSlot | undefined {
    return this.slots.get(oid);
  }

  /** Inserts an order directly in front of another, or at the back if `behind` is null or not in this queue. */
  insert(oid: number, sz: bigint, behind: number | null): QueueSlot {
    const next = behind === null ? undefined : this.slots.get(behind);
    const slot: Slot = { oid, rank: next === undefined ? this.last + 1 : this.rankBefore(next), sz };
    this.last = Math.max(this.last, slot.rank);
    this.slots.set(oid, slot);
    this.total += sz;
    return slot;
  }

  remove(oid: number): void {
    this.total -= this.slots.get(oid)?.sz ?? 0n;
    this.slots.delete(oid);
  }

  resize(oid: number, sz: bigint): void {
    const slot = this.slots.get(oid);
    if (slot === undefined) return;
    this.total += sz - slot.sz;
    slot.sz = sz;
  }

  /** The orders of a queue with what is in front of each. Only for a queue to which all orders were added at the back. */
  *fromFront(): Generator<{ readonly slot: QueueSlot; readonly ahead: { orders: number; sz: bigint } }> {
    const ahead = { orders: 0, sz: 0n };
    for (const slot of this.slots.values()) {
      yield { slot, ahead: { ...ahead } };
      ahead.orders += 1;
      ahead.sz += slot.sz;
    }
  }

  /** What is in front of an order. */
  aheadOf({ rank }: QueueSlot): { orders: number; sz: bigint } {
    const ahead = { orders: 0, sz: 0n };
    for (const slot of this.slots.values()) {
      if (slot.rank >= rank) continue;
      ahead.orders += 1;
      ahead.sz += slot.sz;
    }
    return ahead;
  }

  /** Multiplies every size. */
  scale(factor: bigint): void {
    for (const slot of this.slots.values()) slot.sz *= factor;
    this.total *= factor;
  }

  /** A rank between an order and the one in front of it. If no number is left between them, all orders are ranked again. */
  private rankBefore(next: Slot): number {
    let before = 0;
    for (const { rank } of this.slots.values()) {
      if (rank < next.rank && rank > before) before = rank;
    }
    const between = (before + next.rank) / 2;
    if (between > before && between < next.rank) return between;
    const ordered = [...this.slots.values()].sort((a, b) => a.rank - b.rank);
    for (const [index, slot] of ordered.entries()) slot.rank = index + 1;
    this.last = ordered.length;
    return next.rank - 0.5;
  }
}

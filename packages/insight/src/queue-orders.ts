/** An order in a queue: its rank is less than that of every order behind it. */
export interface QueueSlot {
  readonly oid: number;
  rank: number;
  sz: bigint;
}

/** The orders of one price in queue order, which can be asked who stands in front of whom. */
export class QueueOrders {
  private readonly slots = new Map<number, QueueSlot>();
  private last = 0;

  get orders(): number {
    return this.slots.size;
  }

  get sz(): bigint {
    return this.sumOf(() => true).sz;
  }

  get(oid: number): QueueSlot | undefined {
    return this.slots.get(oid);
  }

  /** Puts an order directly in front of another, or at the back where `behind` is null or rests elsewhere. */
  insert(oid: number, sz: bigint, behind: number | null): QueueSlot {
    const next = behind === null ? undefined : this.slots.get(behind);
    const slot: QueueSlot = { oid, rank: next === undefined ? this.last + 1 : this.rankBefore(next), sz };
    this.last = Math.max(this.last, slot.rank);
    this.slots.set(oid, slot);
    return slot;
  }

  remove(oid: number): void {
    this.slots.delete(oid);
  }

  /** What stands in front of an order. */
  aheadOf({ rank }: QueueSlot): { orders: number; sz: bigint } {
    return this.sumOf((slot) => slot.rank < rank);
  }

  /** Multiplies every size. */
  scale(factor: bigint): void {
    for (const slot of this.slots.values()) slot.sz *= factor;
  }

  private sumOf(isCounted: (slot: QueueSlot) => boolean): { orders: number; sz: bigint } {
    const sum = { orders: 0, sz: 0n };
    for (const slot of this.slots.values()) {
      if (!isCounted(slot)) continue;
      sum.orders += 1;
      sum.sz += slot.sz;
    }
    return sum;
  }

  /** A rank between an order and the one in front of it; when no number is left between them, all are ranked anew. */
  private rankBefore(next: QueueSlot): number {
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

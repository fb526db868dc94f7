import type { Address, DecimalString, Side } from '@l4desk/protocol';

/** An owner who returns to a price within this long after an execution there has refilled it, in ms of block time. */
const REFILL_MS = 5_000;

interface Execution {
  readonly time: number;
  readonly refills: number;
}

/** Recent executions by owner, side and price, to tell refills from other orders. Kept for `REFILL_MS`. */
export class Refills {
  /** Oldest first. */
  private readonly executions = new Map<string, Execution>();

  /** Takes an execution of an order of this owner here, in full or in part. */
  executed(user: Address, side: Side, level: DecimalString, time: number): void {
    const key = `${user}${side}${level}`;
    const refills = this.executions.get(key)?.refills ?? 0;
    this.executions.delete(key);
    this.executions.set(key, { time, refills });
  }

  /** Takes an order of this owner that begins to rest here. Returns which refill in a row it is, or 0 if it is none. */
  joined(user: Address, side: Side, level: DecimalString, time: number): number {
    this.forget(time);
    const key = `${user}${side}${level}`;
    const before = this.executions.get(key);
    if (before === undefined) return 0;
    const refills = before.refills + 1;
    this.executions.set(key, { time: before.time, refills });
    return refills;
  }

  private forget(time: number): void {
    for (const [key, execution] of this.executions) {
      if (execution.time + REFILL_MS >= time) return;
      this.executions.delete(key);
    }
  }
}

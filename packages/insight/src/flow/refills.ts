import type { Address, DecimalString, Side } from '@l4desk/protocol';

/** An owner who comes back to a price within this long after an execution there has refilled it, in ms of block time. */
const REFILL_MS = 5_000;

interface Execution {
  readonly time: number;
  readonly refills: number;
}

/** Who was executed where a moment ago, to tell refills from other orders (INS-28). Holds no more than `REFILL_MS`. */
export class Refills {
  /** Oldest first. */
  private readonly executions = new Map<string, Execution>();

  /** An order of this owner was executed here, or part of it. */
  executed(user: Address, side: Side, level: DecimalString, time: number): void {
    const key = `${user}${side}${level}`;
    const refills = this.executions.get(key)?.refills ?? 0;
    this.executions.delete(key);
    this.executions.set(key, { time, refills });
  }

  /** An order of this owner comes to rest here: returns which refill in a row it is, or 0. */
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

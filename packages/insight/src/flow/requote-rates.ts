import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { quotient } from '../amounts.ts';
import type { TimeLine } from '../history/time-line.ts';

/** The requotes of one block, by side and owner. */
interface Counted {
  readonly place: number;
  readonly keys: readonly string[];
}

const MINUTE_MS = 60_000n;

/**
 * How often each wallet requoted on each side, over all kept blocks up to a place (INS-47): a modify counts once, where its
 * new order came. It follows a place forward and backward for the price of the blocks it moves over.
 */
export class RequoteRates {
  private line: TimeLine | undefined;
  private place = -1;
  private counted: Counted[] = [];
  private counts = new Map<string, number>();

  /** Block time that is counted, without the gaps in it. */
  get spanMs(): number {
    const { line, place } = this;
    if (line === undefined || place < line.first) return 0;
    const end = line.markAt(place).time;
    const unseen = line.gaps
      .filter((gap) => gap.place <= place)
      .reduce((sum, { from, to }) => sum + to.time - from.time, 0);
    return Math.max(0, end - line.markAt(line.first).time - unseen);
  }

  /** Moves to a kept place. */
  moveTo(line: TimeLine, place: number): void {
    if (line !== this.line) {
      this.line = line;
      this.counted = [];
      this.counts.clear();
      this.place = line.first;
    }
    while ((this.counted.at(-1)?.place ?? -1) > place) this.forget(this.counted.pop());
    for (let next = Math.max(this.place, line.first) + 1; next <= place; next += 1) this.count(line, next);
    const fresh = this.counted.findIndex((one) => one.place > line.first);
    const gone = fresh < 0 ? this.counted.length : fresh;
    for (const one of this.counted.splice(0, gone)) this.forget(one);
    this.place = place;
  }

  /** Requotes a minute, one decimal, half up; null of no time. The address is in lower case. */
  perMinute(user: Address, side: Side): DecimalString | null {
    const { spanMs } = this;
    if (spanMs <= 0) return null;
    return quotient(BigInt(this.counts.get(keyOf(user, side)) ?? 0) * MINUTE_MS, BigInt(spanMs), 1);
  }

  private count(line: TimeLine, place: number): void {
    const events = line.blockAt(place)?.events ?? [];
    const keys = events.flatMap(({ kind, user, side }) => (kind === 'requotedIn' ? [keyOf(user, side)] : []));
    if (keys.length === 0) return;
    this.counted.push({ place, keys });
    for (const key of keys) this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  private forget(counted: Counted | undefined): void {
    for (const key of counted?.keys ?? []) {
      const left = (this.counts.get(key) ?? 0) - 1;
      if (left > 0) this.counts.set(key, left);
      else this.counts.delete(key);
    }
  }
}

function keyOf(user: Address, side: Side): string {
  return `${side}${user}`;
}

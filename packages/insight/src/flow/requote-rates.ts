import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { unitQuotient } from '../amounts.ts';
import type { TimeLine } from '../history/time-line.ts';

/**
 * The requotes of one block. Thousands of blocks are counted; as one string each they cost a garbage collection next to nothing.
 */
interface Counted {
  readonly place: number;
  /** Side and owner of each, separated by spaces. */
  readonly requotes: string;
}

const MINUTE_MS = 60_000;

/**
 * How often each wallet requoted on each side, over all kept blocks up to a place. A modify counts once, where its new
 * order was placed. Moving to another place, forward or backward, costs as much as the blocks in between.
 */
export class RequoteRates {
  private line: TimeLine | undefined;
  private place = -1;
  private counted: Counted[] = [];
  /** By side and owner. */
  private readonly counts = new Map<string, number>();
  private span = 0;
  /** Rates computed at this place, by count: many wallets have the same. */
  private readonly rates = new Map<number, DecimalString>();

  /** Block time counted, without the gaps in it. */
  get spanMs(): number {
    return this.span;
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
    this.span = spanUpTo(line, place);
    this.rates.clear();
  }

  /** Requotes per minute, one decimal, rounded half up; null if no time is counted. `user` must be in lower case. */
  perMinute(user: Address, side: Side): DecimalString | null {
    if (this.span <= 0) return null;
    const count = this.counts.get(keyOf(side, user)) ?? 0;
    const known = this.rates.get(count);
    if (known !== undefined) return known;
    const rate = unitQuotient(count * MINUTE_MS, this.span, 1);
    this.rates.set(count, rate);
    return rate;
  }

  private count(line: TimeLine, place: number): void {
    const events = line.blockAt(place)?.events() ?? [];
    const keys = events.flatMap(({ kind, side, user }) => (kind === 'requotedIn' ? [keyOf(side, user)] : []));
    if (keys.length === 0) return;
    this.counted.push({ place, requotes: keys.join(' ') });
    for (const key of keys) this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  private forget(counted: Counted | undefined): void {
    for (const key of counted?.requotes.split(' ') ?? []) {
      const left = (this.counts.get(key) ?? 0) - 1;
      if (left > 0) this.counts.set(key, left);
      else this.counts.delete(key);
    }
  }
}

function keyOf(side: Side, user: Address): string {
  return `${side}${user}`;
}

function spanUpTo(line: TimeLine, place: number): number {
  if (place < line.first) return 0;
  const unseen = line.gaps
    .filter((gap) => gap.place <= place)
    .reduce((sum, { from, to }) => sum + to.time - from.time, 0);
  return Math.max(0, line.markAt(place).time - line.markAt(line.first).time - unseen);
}

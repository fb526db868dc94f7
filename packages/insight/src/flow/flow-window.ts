import type { BlockMark, HistoryBlock, TimeLine } from '../history/time-line.ts';
import { FlowTotals } from './flow-totals.ts';
import { moveOf, packMoves, unpackMoves } from './moves.ts';

/** The windows that are shown, in ms of block time. */
export const FLOW_SPANS_MS = [5_000, 60_000] as const;

/** A block within the span. */
interface Counted {
  readonly mark: BlockMark;
  /** See `packMoves`. */
  readonly moves: string;
}

/**
 * What moved in the last `spanMs` before a place, by block times; with a span of 0, in the block of the place only. Moving to
 * another place, forward or backward, costs as much as the blocks in between.
 */
export class FlowWindow {
  readonly totals = new FlowTotals();
  readonly spanMs: number;
  private line: TimeLine | undefined;
  /** Blocks within the span, oldest first, and the place of the newest one. */
  private readonly within: Counted[] = [];
  private place = -1;
  private reach = false;

  constructor(spanMs: number) {
    this.spanMs = spanMs;
  }

  /** Whether the whole span is known: false just after a gap and where memory begins. */
  get isWhole(): boolean {
    return this.reach;
  }

  /** How much of the span up to the place is known, in ms. */
  get knownMs(): number {
    if (this.reach) return this.spanMs;
    const { line } = this;
    const before = this.place - this.within.length;
    // The state before the oldest block in the span is known, unless a gap hid how it came about.
    if (line === undefined || this.within.length === 0 || before < line.first) return 0;
    return Math.max(0, line.markAt(this.place).time - line.markAt(before).time);
  }

  /** Moves to a kept place. */
  moveTo(line: TimeLine, place: number): void {
    const steps = Math.abs(place - this.place);
    if (line !== this.line || steps > this.within.length + 1 || !this.follow(line, place)) this.start(line, place);
    this.line = line;
    this.place = place;
    this.fitOldest(line);
  }

  /** Moves the newest end. Returns false if a gap lies in between. */
  private follow(line: TimeLine, place: number): boolean {
    for (let next = this.place + 1; next <= place; next += 1) {
      const block = next < line.first ? undefined : line.blockAt(next);
      if (block === undefined) return false;
      this.within.push(this.addBlock(block));
    }
    for (let last = this.place; last > place; last -= 1) {
      const counted = this.within.pop();
      if (counted === undefined) return false;
      this.removeBlock(counted);
    }
    return true;
  }

  private start(line: TimeLine, place: number): void {
    this.totals.clear();
    this.within.length = 0;
    const block = line.blockAt(place);
    if (block !== undefined) this.within.push(this.addBlock(block));
  }

  /** Moves the oldest end to where the span begins. */
  private fitOldest(line: TimeLine): void {
    const { within } = this;
    const end = line.markAt(this.place).time;
    const isWithin = ({ mark }: Pick<Counted, 'mark'>) => mark.time > end - this.spanMs;
    while (within.length > 1 && !isWithin(within[0] as Counted)) this.dropOldest();
    if (this.spanMs === 0) {
      while (within.length > 1) this.dropOldest();
      this.reach = within.length > 0;
      return;
    }
    this.reach = true;
    for (;;) {
      const before = this.place - within.length;
      const block = before < line.first ? undefined : line.blockAt(before);
      if (block === undefined) {
        // The state before all kept blocks: known from its own time on.
        this.reach = before >= line.first && line.markAt(before).time <= end - this.spanMs;
        return;
      }
      if (!isWithin(block)) return;
      within.unshift(this.addBlock(block));
    }
  }

  private dropOldest(): void {
    const counted = this.within.shift();
    if (counted !== undefined) this.removeBlock(counted);
  }

  private addBlock(block: HistoryBlock): Counted {
    const moves = block.events().map(moveOf);
    for (const move of moves) this.totals.addMove(move);
    return { mark: block.mark, moves: packMoves(moves) };
  }

  private removeBlock({ moves }: Counted): void {
    for (const move of unpackMoves(moves)) this.totals.removeMove(move);
  }
}

import { compareWithLevels, describeDifference, describeFinding, type Finding, L4Book } from '@l4desk/book';
import type { RecordingReader } from '../format/reader.ts';
import type { Keyframe, RecordedBlock, RecordingGap } from '../format/types.ts';

/** Result of replaying a whole recording. */
export interface ReplayReport {
  readonly coin: string;
  /** The first and last height with a known book. Null in a recording without a book. */
  readonly from: number | null;
  readonly to: number | null;
  /** Recorded blocks: those that changed the book. */
  readonly blocks: number;
  /** Entries of the coin in these blocks. Equal to `blocks`, because a recording has one coin. */
  readonly entries: number;
  readonly changes: number;
  readonly statuses: number;
  readonly gaps: readonly RecordingGap[];
  readonly keyframes: number;
  /** Whether every checksum and every keyframe equals that of the replayed book. `not compared` without `verify`. */
  readonly checksums: 'equal' | 'different' | 'not compared';
  /** Number of checksums compared, including those of keyframes. */
  readonly compared: number;
  /** The first differences, one sentence each. */
  readonly differences: readonly string[];
  /** Orders that rest at the end. */
  readonly orders: number;
}

/** The most differences reported. One is enough to fail; a few help to find the cause. */
const DIFFERENCES_MAX = 10;

/** Replays a whole recording. With `verify`, compares the book with every checksum and every keyframe. */
export async function replayRecording(
  recording: RecordingReader,
  { verify }: { readonly verify: boolean },
): Promise<ReplayReport> {
  const walk = new Walk(recording.header.coin, verify);
  for await (const event of recording.events()) {
    if (event.kind === 'keyframe') walk.keyframe(event.keyframe);
    else if (event.kind === 'block') walk.block(event.block);
    else walk.gap(event.gap);
  }
  return walk.report();
}

class Walk {
  readonly #coin: string;
  readonly #verify: boolean;
  readonly #gaps: RecordingGap[] = [];
  readonly #differences: string[] = [];
  #book: L4Book | undefined;
  #isContinuous = false;
  #from: number | null = null;
  #to: number | null = null;
  #blocks = 0;
  #changes = 0;
  #statuses = 0;
  #keyframes = 0;
  #compared = 0;

  constructor(coin: string, verify: boolean) {
    this.#coin = coin;
    this.#verify = verify;
  }

  gap(gap: RecordingGap): void {
    this.#gaps.push(gap);
    this.#isContinuous = false;
  }

  keyframe({ height, levels, checksum }: Keyframe): void {
    const before = this.#book;
    if (this.#verify && this.#isContinuous && before !== undefined) {
      this.#compare(height, before, checksum);
      const difference = compareWithLevels(levels, before);
      if (difference !== undefined) this.#differ(height, describeDifference(difference));
    }
    const { book, findings } = L4Book.build(this.#coin, levels);
    this.#findings(height, findings);
    if (this.#verify) this.#compare(height, book, checksum);
    this.#book = book;
    this.#isContinuous = true;
    this.#keyframes += 1;
    this.#from ??= height;
    this.#to = height;
  }

  block({ height, time, changes, statuses, checksum }: RecordedBlock): void {
    this.#blocks += 1;
    this.#changes += changes.length;
    this.#statuses += statuses.length;
    this.#to = height;
    const book = this.#book;
    if (book === undefined) return;
    this.#findings(height, book.apply(changes, statuses, time));
    if (this.#verify && checksum !== undefined) this.#compare(height, book, checksum);
  }

  report(): ReplayReport {
    const outcome = this.#differences.length > 0 ? 'different' : this.#compared > 0 ? 'equal' : 'not compared';
    return {
      coin: this.#coin,
      from: this.#from,
      to: this.#to,
      blocks: this.#blocks,
      entries: this.#blocks,
      changes: this.#changes,
      statuses: this.#statuses,
      gaps: this.#gaps,
      keyframes: this.#keyframes,
      checksums: outcome,
      compared: this.#compared,
      differences: this.#differences,
      orders: this.#book?.orderCount ?? 0,
    };
  }

  #compare(height: number, book: L4Book, checksum: string): void {
    this.#compared += 1;
    const own = book.checksum();
    if (own !== checksum) this.#differ(height, `checksum ${checksum} was recorded, the book has ${own}`);
  }

  #findings(height: number, findings: readonly Finding[]): void {
    for (const finding of findings) this.#differ(height, describeFinding(finding));
  }

  #differ(height: number, problem: string): void {
    if (this.#differences.length < DIFFERENCES_MAX) this.#differences.push(`block ${height}: ${problem}`);
  }
}

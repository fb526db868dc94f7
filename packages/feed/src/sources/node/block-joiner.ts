import { isQuiet, type NodeLine } from './node-line.ts';

/** The streams that make a block of the book. */
export type BookStream = 'diffs' | 'statuses';

/** One block of the chain, all coins together; null where the node left the line out because it had no events. */
export interface NodeBlock {
  readonly height: number;
  readonly time: number;
  readonly diffs: NodeLine | null;
  readonly statuses: NodeLine | null;
}

/** Blocks that a stream skips, both bounds included. */
export interface MissingBlocks {
  readonly stream: BookStream;
  readonly from: number;
  readonly to: number;
}

/** What a joiner tells. */
export interface JoinerEvents {
  /** A block of which every line is there, in rising height. */
  block(block: NodeBlock): void;
  /** Blocks that will not come, told as soon as the first line behind them is read. */
  missing(blocks: MissingBlocks): void;
  /** The node leaves out blocks without events: from now on a missing one cannot be told from a quiet one. */
  leavesOutQuiet(): void;
}

/** Lines a stream may be ahead of the other. */
const AHEAD_LINES_MAX = 512;
const AHEAD_BYTES_MAX = 1 << 26;

/** Skips that were seen before any empty line, after which a node is taken to leave out quiet blocks. */
const SKIPS_MAX = 3;

interface Queue {
  lines: NodeLine[];
  bytes: number;
  /** The greatest height that was read. */
  read: number | null;
}

/**
 * Joins the lines of the by-block files into blocks. Numbers are consecutive, so a missing one is known at once (NODE-3),
 * unless the node leaves out blocks without events: one that was ever seen to write an empty line does not (NODE-4).
 */
export class BlockJoiner {
  readonly #events: JoinerEvents;
  readonly #queues: Readonly<Record<BookStream, Queue>> = { diffs: emptyQueue(), statuses: emptyQueue() };
  /** The height of the last block; null before the first. */
  #height: number | null;
  #writesQuiet: boolean | null = null;
  #skips = 0;
  /** The last block that was reported missing. */
  #missingTo = 0;
  #repeats = 0;

  /** `height` is the last block that was taken in before, null for a start at whatever comes first. */
  constructor(height: number | null, events: JoinerEvents) {
    this.#events = events;
    this.#height = height;
    for (const queue of Object.values(this.#queues)) queue.read = height;
  }

  get height(): number | null {
    return this.#height;
  }

  /** Lines of heights that were read before. */
  get repeats(): number {
    return this.#repeats;
  }

  /** Whether every block has a line, so that a missing number is a lost block; null while that is not known. */
  get writesQuiet(): boolean | null {
    return this.#writesQuiet;
  }

  /** Whether there is room for more lines of a stream: it may not run far ahead of the other. */
  hasRoom(stream: BookStream): boolean {
    const { lines, bytes } = this.#queues[stream];
    return lines.length < AHEAD_LINES_MAX && bytes < AHEAD_BYTES_MAX;
  }

  push(stream: BookStream, line: NodeLine): void {
    const queue = this.#queues[stream];
    if (queue.read !== null && line.height <= queue.read) {
      this.#repeats += 1;
      return;
    }
    if (isQuiet(line)) this.sawQuiet();
    const skipped = queue.read !== null && line.height > queue.read + 1;
    const from = (queue.read ?? 0) + 1;
    queue.read = line.height;
    queue.lines.push(line);
    queue.bytes += line.bytes.length;
    if (skipped && this.#writesQuiet !== false) this.#onSkip({ stream, from, to: line.height - 1 });
    this.#drain();
  }

  /** A line without events was read in any stream. */
  sawQuiet(): void {
    this.#writesQuiet = true;
  }

  #onSkip(blocks: MissingBlocks): void {
    // The other stream lacks them too.
    if (blocks.to <= this.#missingTo) return;
    this.#missingTo = blocks.to;
    this.#skips += 1;
    this.#events.missing(blocks);
    if (this.#writesQuiet === true || this.#skips < SKIPS_MAX) return;
    this.#writesQuiet = false;
    this.#events.leavesOutQuiet();
  }

  #drain(): void {
    const { diffs, statuses } = this.#queues;
    for (;;) {
      const [diff] = diffs.lines;
      const [status] = statuses.lines;
      if (diff === undefined || status === undefined) return;
      const height = Math.min(diff.height, status.height);
      const isWhole = diff.height === status.height;
      // Before the first block, what only one stream has lies before the start.
      const isQuietBlock = !isWhole && this.#height !== null && this.#writesQuiet === false;
      if (diff.height === height) shift(diffs);
      if (status.height === height) shift(statuses);
      if (!isWhole && !isQuietBlock) continue;
      this.#height = height;
      this.#events.block({
        height,
        time: (diff.height === height ? diff : status).time,
        diffs: diff.height === height ? diff : null,
        statuses: status.height === height ? status : null,
      });
    }
  }
}

function emptyQueue(): Queue {
  return { lines: [], bytes: 0, read: null };
}

function shift(queue: Queue): void {
  queue.bytes -= queue.lines.shift()?.bytes.length ?? 0;
}

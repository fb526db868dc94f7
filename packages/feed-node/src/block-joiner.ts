import type { BookStream, JoinerEvents, LineJoiner, MissingBlocks } from './joiner.ts';
import { isQuiet, type NodeLine } from './node-line.ts';

/** Maximum lines and bytes that one stream may be ahead of the other. */
const AHEAD_LINES_MAX = 512;
const AHEAD_BYTES_MAX = 1 << 26;

/** Number of skips seen before any empty line after which the node is assumed to leave out quiet blocks. */
const SKIPS_MAX = 3;

interface Queue {
  lines: NodeLine[];
  bytes: number;
  /** The greatest height read. */
  read: number | null;
}

/**
 * Joins lines of the by-block files. A missing block number shows at once (NODE-3), unless the node leaves out blocks
 * without events, which one that ever wrote an empty line does not (NODE-4).
 */
export class BlockJoiner implements LineJoiner {
  readonly #events: JoinerEvents;
  readonly #fillsWithinMs: number;
  readonly #queues: Readonly<Record<BookStream, Queue>> = { diffs: emptyQueue(), statuses: emptyQueue() };
  /** The height of the last block; null before the first. */
  #height: number | null = null;
  #writesQuiet: boolean | null = null;
  #skips = 0;
  /** The last block reported as missing. */
  #missingTo = 0;
  /** The greatest height whose fills were read; null before the first. */
  #fills: number | null = null;
  /** The last block reported without its fills. No block waits for fills until they have reached this height. */
  #gaveUpAt = 0;
  /** When the first block began to wait for its fills; null if none waits. */
  #waitsSince: number | null = null;

  /** A block waits at most `fillsWithinMs` for the line of its fills. */
  constructor(events: JoinerEvents, fillsWithinMs: number) {
    this.#events = events;
    this.#fillsWithinMs = fillsWithinMs;
  }

  get height(): number | null {
    return this.#height;
  }

  hasRoom(stream: BookStream): boolean {
    const { lines, bytes } = this.#queues[stream];
    return lines.length < AHEAD_LINES_MAX && bytes < AHEAD_BYTES_MAX;
  }

  push(stream: BookStream, line: NodeLine, now: number): void {
    const queue = this.#queues[stream];
    if (queue.read !== null && line.height <= queue.read) return;
    if (isQuiet(line)) this.sawQuiet();
    const skipped = queue.read !== null && line.height > queue.read + 1;
    const from = (queue.read ?? 0) + 1;
    queue.read = line.height;
    queue.lines.push(line);
    queue.bytes += line.bytes.length;
    if (skipped && this.#writesQuiet !== false) this.#onSkip({ stream, from, to: line.height - 1 });
    this.#drain(now);
  }

  sawQuiet(): void {
    this.#writesQuiet = true;
  }

  get leavesOutQuiet(): boolean {
    return this.#writesQuiet === false;
  }

  sawFills(height: number, now: number): void {
    this.#fills = Math.max(this.#fills ?? 0, height);
    this.#drain(now);
  }

  statusesAhead(): readonly NodeLine[] {
    const { diffs, statuses } = this.#queues;
    return statuses.lines.filter(({ height }) => height > (diffs.read ?? Number.POSITIVE_INFINITY));
  }

  /** Does nothing: the number of the next line shows what was lost. */
  damaged(): void {}

  settle(now: number): void {
    this.#drain(now);
  }

  settleAt(): number | null {
    return this.#waitsSince === null ? null : this.#waitsSince + this.#fillsWithinMs;
  }

  /** Whether a block that lacks only the line of its fills waits for it: not if fills are late anyway or absent. */
  #awaitsFills(height: number, now: number): boolean {
    const isKnown = this.#fills === null || this.#fills >= height || this.leavesOutQuiet;
    if (isKnown || (this.#fills ?? 0) < this.#gaveUpAt) {
      this.#waitsSince = null;
      return false;
    }
    this.#waitsSince ??= now;
    if (now - this.#waitsSince < this.#fillsWithinMs) return true;
    this.#gaveUpAt = height;
    this.#waitsSince = null;
    return false;
  }

  #onSkip(blocks: MissingBlocks): void {
    // Already reported for the other stream.
    if (blocks.to <= this.#missingTo) return;
    this.#missingTo = blocks.to;
    this.#skips += 1;
    this.#events.missing(blocks);
    if (this.#writesQuiet === true || this.#skips < SKIPS_MAX) return;
    this.#writesQuiet = false;
    this.#events.leavesOutQuiet();
  }

  #drain(now: number): void {
    const { diffs, statuses } = this.#queues;
    for (;;) {
      const [diff] = diffs.lines;
      const [status] = statuses.lines;
      if (diff === undefined || status === undefined) return;
      const height = Math.min(diff.height, status.height);
      const isWhole = diff.height === status.height;
      // Before the first block, lines of only one stream are from before the start.
      const isQuietBlock = !isWhole && this.#height !== null && this.#writesQuiet === false;
      if ((isWhole || isQuietBlock) && this.#awaitsFills(height, now)) return;
      if (diff.height === height) shift(diffs);
      if (status.height === height) shift(statuses);
      if (!isWhole && !isQuietBlock) continue;
      this.#height = height;
      this.#events.block({
        height,
        time: (diff.height === height ? diff : status).time,
        diffs: diff.height === height ? [diff] : [],
        statuses: status.height === height ? [status] : [],
      });
    }
  }
}

function emptyQueue(): Queue {
  return { lines: [], bytes: 0, read: null };
}

function shift(queue: Queue): void {
  const line = queue.lines.shift();
  if (line === undefined) return;
  queue.bytes -= line.bytes.length;
}

import type { BookStream, JoinerEvents, LineJoiner } from './joiner.ts';
import type { NodeLine } from './node-line.ts';

interface OpenBlock {
  readonly height: number;
  readonly time: number;
  readonly diffs: NodeLine[];
  readonly statuses: NodeLine[];
}

interface StreamState {
  /** The greatest height read, and when it was first read. */
  read: number | null;
  readAt: number;
  /** Rows and bytes that are held. */
  rows: number;
  bytes: number;
  /** Whether rows of finished blocks are being read again. */
  comesAgain: boolean;
}

/** A row of a block arrives at most this long after the first row of the next block, in ms. If it is later, its coin is lost. */
const LATE_MS = 30;

/** Maximum rows and bytes held while one stream is ahead of the other. */
const AHEAD_ROWS_MAX = 200_000;
const AHEAD_BYTES_MAX = 1 << 27;

/**
 * Joins rows of the streaming files (NODE-11). A block is complete when both files are past it by two blocks, or by one
 * for `LATE_MS`, because a row may come after the first row of the next block.
 */
export class StreamJoiner implements LineJoiner {
  readonly #events: JoinerEvents;
  readonly #streams: Readonly<Record<BookStream, StreamState>> = { diffs: freshStream(), statuses: freshStream() };
  readonly #blocks = new Map<number, OpenBlock>();
  /** The last finished block; null before the start is known. */
  #height: number | null = null;
  #toldQuiet = false;

  constructor(events: JoinerEvents) {
    this.#events = events;
  }

  get height(): number | null {
    return this.#height;
  }

  hasRoom(stream: BookStream): boolean {
    const { rows, bytes } = this.#streams[stream];
    return rows < AHEAD_ROWS_MAX && bytes < AHEAD_BYTES_MAX;
  }

  push(stream: BookStream, line: NodeLine, now: number): void {
    const state = this.#streams[stream];
    const { height } = line;
    if (this.#height !== null && height <= this.#height) {
      if (stream === 'diffs' && !state.comesAgain) this.#events.late(line);
      return;
    }
    state.comesAgain = false;
    if (state.read === null || height > state.read) {
      state.read = height;
      state.readAt = now;
    }
    this.#add(stream, line);
    this.#start();
    this.settle(now);
  }

  /** Does nothing: quiet blocks have no rows in these files. */
  sawQuiet(): void {}

  readonly leavesOutQuiet = true;

  /** Does nothing: blocks are held long enough anyway. */
  sawFills(): void {}

  statusesAhead(): readonly NodeLine[] {
    const { read } = this.#streams.diffs;
    const ahead = [...this.#blocks.values()].filter(({ height }) => height > (read ?? Number.POSITIVE_INFINITY));
    return ahead.flatMap(({ statuses }) => statuses);
  }

  damaged(stream: BookStream): void {
    // A status only adds details of an order beyond its owner, price and size.
    if (stream === 'statuses' || this.#height === null) return;
    const state = this.#streams.diffs;
    const to = (state.read ?? this.#height) + 1;
    this.#events.missing({ stream, from: this.#height + 1, to });
    for (const height of this.#blocks.keys()) if (height <= to) this.#drop(height);
    this.#height = Math.max(this.#height, to);
    state.comesAgain = true;
  }

  /** Reports the blocks that are complete. */
  settle(now: number): void {
    for (let block = this.#lowest(); block !== undefined; block = this.#lowest()) {
      if (this.#height === null || this.#doneAt(block.height) > now) return;
      const { height, time, diffs, statuses } = block;
      this.#drop(height);
      if (height > this.#height + 1 && !this.#toldQuiet) {
        this.#toldQuiet = true;
        this.#events.leavesOutQuiet();
      }
      this.#height = height;
      this.#events.block({ height, time, diffs, statuses });
    }
  }

  settleAt(): number | null {
    const block = this.#lowest();
    if (block === undefined || this.#height === null) return null;
    const at = this.#doneAt(block.height);
    return Number.isFinite(at) ? at : null;
  }

  #add(stream: BookStream, line: NodeLine): void {
    const { height, time, bytes } = line;
    let block = this.#blocks.get(height);
    if (block === undefined) {
      block = { height, time, diffs: [], statuses: [] };
      this.#blocks.set(height, block);
    }
    block[stream].push(line);
    const state = this.#streams[stream];
    state.rows += 1;
    state.bytes += bytes.length;
  }

  /** Reading began in the middle of a block of each stream: the first complete block is the one after both. */
  #start(): void {
    if (this.#height !== null) return;
    const { diffs, statuses } = this.#streams;
    if (diffs.read === null || statuses.read === null) return;
    const firsts = (['diffs', 'statuses'] as const).map((stream) =>
      Math.min(...[...this.#blocks.values()].filter((block) => block[stream].length > 0).map(({ height }) => height)),
    );
    this.#height = Math.max(...firsts);
    for (const height of this.#blocks.keys()) if (height <= this.#height) this.#drop(height);
  }

  /** When both streams are done with a block; infinite until each has a row of a later block. */
  #doneAt(height: number): number {
    return Math.max(doneAt(this.#streams.diffs, height), doneAt(this.#streams.statuses, height));
  }

  #lowest(): OpenBlock | undefined {
    let lowest: OpenBlock | undefined;
    for (const block of this.#blocks.values()) if (lowest === undefined || block.height < lowest.height) lowest = block;
    return lowest;
  }

  #drop(height: number): void {
    const block = this.#blocks.get(height);
    if (block === undefined) return;
    this.#blocks.delete(height);
    for (const stream of ['diffs', 'statuses'] as const) {
      const state = this.#streams[stream];
      for (const { bytes } of block[stream]) {
        state.rows -= 1;
        state.bytes -= bytes.length;
      }
    }
  }
}

function freshStream(): StreamState {
  return { read: null, readAt: 0, rows: 0, bytes: 0, comesAgain: false };
}

function doneAt({ read, readAt }: StreamState, height: number): number {
  if (read === null || read <= height) return Number.POSITIVE_INFINITY;
  return read >= height + 2 ? Number.NEGATIVE_INFINITY : readAt + LATE_MS;
}

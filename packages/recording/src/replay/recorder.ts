import type { L4Book } from '@l4desk/book';
import { type CoinBatch, type OrderStatus, readableStatuses, type StatusesMode } from '@l4desk/protocol';
import { gapFrame, headerFrame } from '../format/documents.ts';
import { FRAME_KIND, type RawFrame } from '../format/frame.ts';
import { type FrameContent, SegmentWriter } from '../format/segment-writer.ts';
import type { RecordedPosition } from '../format/types.ts';

/** What to record, and how often keyframes, checksums and writes come. Durations are in ms of block time. */
export interface RecorderSettings {
  readonly coin: string;
  /** Where the blocks come from, without secrets. */
  readonly source: string;
  readonly statuses: StatusesMode;
  /** The most time between two keyframes. More keyframes make it faster to reach any height and make the file longer. */
  readonly keyframeMs?: number;
  /** The least time between two keyframes, even if more of them would add next to nothing. */
  readonly keyframeMsMin?: number;
  /** The share of the blocks' bytes that keyframes may add beyond one keyframe every `keyframeMs`. */
  readonly keyframeShare?: number;
  /** Time between two checksums of the whole book. */
  readonly checksumMs?: number;
  /** Limits of blocks that are written together. Until then they are in memory only; `flush` writes them earlier. */
  readonly chunkMs?: number;
  readonly chunkBytes?: number;
  /**
   * Where the previous recording ended, and why it did not continue. The blocks between the two become the first entry in the
   * list of gaps. There is no gap if this recording begins at that same block.
   */
  readonly after?: { readonly height: number; readonly reason: string };
}

export const RECORDER_DEFAULTS = {
  keyframeMs: 900_000,
  keyframeMsMin: 60_000,
  keyframeShare: 0.1,
  checksumMs: 60_000,
  chunkMs: 1_000,
  chunkBytes: 262_144,
} as const;

/**
 * Thrown when the height goes back: the chain was rolled back, or this is another chain. Such a book needs a recording of its
 * own.
 */
export class HeightWentBack extends Error {
  readonly code = 'height_went_back';
  readonly retryable = false;

  constructor(last: number, next: number) {
    super(`The chain went back from block ${last} to block ${next}.`);
    this.name = 'HeightWentBack';
  }
}

/**
 * Turns one followed book into the frames of a recording. It receives every book that was built, every block that was applied,
 * and every loss. What was not seen goes to the list of gaps. Frames are passed to `write` in order.
 */
export class Recorder {
  readonly #settings: RecorderSettings & Required<Omit<RecorderSettings, 'after'>>;
  readonly #now: () => number;
  readonly #write: (frame: RawFrame) => void;
  readonly #segment: SegmentWriter;
  #last: RecordedPosition | undefined;
  #lossReason: string | undefined;
  #isInStep = false;
  #keyframeTime = 0;
  /** Bytes of the last keyframe, and of the blocks written since, before compression. */
  #keyframeBytes = 0;
  #blockBytes = 0;
  #checksumTime = 0;
  #chunkTime = 0;

  /** `now` returns the time to put in the header, in ms. */
  constructor(settings: RecorderSettings, write: (frame: RawFrame) => void, now: () => number) {
    this.#settings = { ...RECORDER_DEFAULTS, ...settings };
    this.#write = write;
    this.#now = now;
    this.#segment = new SegmentWriter(settings.coin);
  }

  /** Height of the last block or book that was recorded; undefined before the first. */
  get height(): number | undefined {
    return this.#last?.height;
  }

  /** Records a newly built book at `position`. Throws HeightWentBack, without writing anything. */
  onBook(book: L4Book, position: RecordedPosition): void {
    const last = this.#last;
    if (last !== undefined && position.height < last.height) throw new HeightWentBack(last.height, position.height);
    this.flush();
    if (last === undefined) {
      this.#write(this.#header(book, position));
      const { after } = this.#settings;
      if (after !== undefined && position.height > after.height) {
        this.#write(gapFrame({ after: after.height, before: position.height, reason: after.reason }));
      }
    } else {
      const isMissing = position.height > last.height && (position.epoch !== last.epoch || position.seq !== last.seq);
      const reason = this.#lossReason ?? (position.epoch === last.epoch ? 'upstream-gap' : 'upstream-epoch');
      if (isMissing) this.#write(gapFrame({ after: last.height, before: position.height, reason }));
    }
    this.#keyframe(book, position);
    this.#isInStep = true;
    this.#lossReason = undefined;
  }

  /** Records a block that was just applied to `book`. Blocks are not recorded while the book is lost. */
  onBlock(book: L4Book, batch: CoinBatch): void {
    const last = this.#last;
    if (!this.#isInStep || last === undefined) return;
    const { epoch, height, time, seq, prevSeq, changes } = batch;
    const isContinuous = epoch === last.epoch && prevSeq === last.seq && height > last.height;
    if (!isContinuous) {
      this.onLost('upstream-gap');
      this.onBook(book, { epoch, height, time, seq });
      return;
    }
    const statuses = this.#statusesOf(batch);
    if (statuses === undefined) {
      // The owner of the book detects this as well and rebuilds it.
      this.onLost('malformed');
      return;
    }
    if (this.#segment.blocks === 0) this.#chunkTime = time;
    const isChecked = time - this.#checksumTime >= this.#settings.checksumMs;
    const block = { height, time, seq, prevSeq, changes, statuses };
    this.#segment.block(isChecked ? { ...block, checksum: book.checksum() } : block);
    if (isChecked) this.#checksumTime = time;
    this.#last = { epoch, height, time, seq };
    if (this.#isKeyframeDue(time)) {
      this.flush();
      this.#keyframe(book, this.#last);
    } else if (time - this.#chunkTime >= this.#settings.chunkMs || this.#segment.bytes >= this.#settings.chunkBytes) {
      this.flush();
    }
  }

  /** Reports that the book is no longer known. The reason goes to the list of gaps once the book is known again. */
  onLost(reason: string): void {
    this.#isInStep = false;
    this.#lossReason ??= reason;
  }

  /** Writes the blocks that are only in memory. */
  flush(): void {
    const content = this.#segment.takeBlocks();
    if (content === undefined) return;
    this.#blockBytes += content.bytes.length;
    this.#write(frameOf(FRAME_KIND.blocks, content));
  }

  /** Writes what is left. Call it before closing the file. */
  end(): void {
    this.flush();
    const last = this.#last;
    if (last !== undefined && this.#lossReason !== undefined) {
      this.#write(gapFrame({ after: last.height, before: null, reason: this.#lossReason }));
    }
  }

  /**
   * A keyframe is due after `keyframeMs`. It is due earlier once its bytes, beyond one keyframe every `keyframeMs`, are a small
   * share of those of the blocks. So a busy book of few orders gets one a minute, and keyframes never make the file much
   * longer.
   */
  #isKeyframeDue(time: number): boolean {
    const { keyframeMs, keyframeMsMin, keyframeShare } = this.#settings;
    const age = time - this.#keyframeTime;
    if (age >= keyframeMs) return true;
    const added = this.#keyframeBytes * (1 - age / keyframeMs);
    return age >= keyframeMsMin && added <= keyframeShare * (this.#blockBytes + this.#segment.bytes);
  }

  #keyframe(book: L4Book, position: RecordedPosition): void {
    const sides = [book.orders('B'), book.orders('A')] as const;
    const content = this.#segment.keyframe(position, sides, book.checksum());
    this.#keyframeBytes = content.bytes.length;
    this.#blockBytes = 0;
    this.#write(frameOf(FRAME_KIND.keyframe, content));
    this.#last = position;
    this.#keyframeTime = position.time;
    this.#checksumTime = position.time;
  }

  #header(book: L4Book, { epoch, height }: RecordedPosition): RawFrame {
    const { coin, source, statuses } = this.#settings;
    const { pxScale, szScale } = book.cursor('B');
    return headerFrame(
      { coin, source, epoch, pxDecimals: pxScale, szDecimals: szScale, statuses, createdAt: this.#now() },
      height,
    );
  }

  /** Returns the statuses to record, or undefined if they cannot be read. */
  #statusesOf({ statuses, changes }: CoinBatch): readonly OrderStatus[] | undefined {
    const read = readableStatuses(statuses);
    if (read === undefined) return undefined;
    if (this.#settings.statuses === 'all' || read.length === 0) return read;
    const oids = new Set(changes.map(({ oid }) => oid));
    return read.filter(({ order }) => oids.has(order.oid));
  }
}

function frameOf(kind: number, { from, to, bytes }: FrameContent): RawFrame {
  return { kind, from, to, bytes };
}

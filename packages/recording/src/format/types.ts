import type { BookChange, BookLevels, OrderStatus, StatusesMode } from '@l4desk/protocol';

/** The first frame: what was recorded. */
export interface RecordingHeader {
  readonly coin: string;
  /** Where the blocks came from, as a URL or a sentence without secrets. */
  readonly source: string;
  /** Epoch of the sequence at the start. Later keyframes may have another one. */
  readonly epoch: string;
  /** The most decimals among the prices and sizes at the start. Later values may have more; each stores its own number. */
  readonly pxDecimals: number;
  readonly szDecimals: number;
  /** `book`: the statuses of orders in a block's diffs; `all`: every status of the coin in blocks that change its book. */
  readonly statuses: StatusesMode;
  /** When recording began, in ms since the Unix epoch, by the recorder's clock. */
  readonly createdAt: number;
}

/** The position of a book: the end of block `height`, whose time is in ms, at `seq` of `epoch`. */
export interface RecordedPosition {
  readonly epoch: string;
  readonly height: number;
  readonly time: number;
  readonly seq: number;
}

/** The whole book at one height, with its checksum. */
export interface Keyframe extends RecordedPosition {
  readonly levels: BookLevels;
  readonly checksum: string;
}

/** One block that changed the book. If a checksum was recorded, it is that of the book after the block. */
export interface RecordedBlock {
  readonly height: number;
  readonly time: number;
  readonly seq: number;
  readonly prevSeq: number;
  readonly changes: readonly BookChange[];
  readonly statuses: readonly OrderStatus[];
  readonly checksum?: string;
}

/**
 * Blocks that were not seen: those above `after` and below `before`. `before` is null if recording ended before the coin was seen
 * again. The keyframe that follows holds the book at `before`.
 */
export interface RecordingGap {
  readonly after: number;
  readonly before: number | null;
  /**
   * One of `BOOK_LOSS_REASONS` of `@l4desk/protocol`, or `damaged`, `recorder-stopped`, `recorder-failed`, `recorder-behind`,
   * `disk-failed`.
   */
  readonly reason: string;
}

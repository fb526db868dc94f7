import type { BookChange, BookLevels, OrderStatus, StatusesMode } from '@l4desk/protocol';

/** What a recording is of: its first frame. */
export interface RecordingHeader {
  readonly coin: string;
  /** Where the blocks came from, as a URL or a sentence without secrets. */
  readonly source: string;
  /** Epoch of the sequence at the start; later keyframes may carry another one. */
  readonly epoch: string;
  /** Most decimals of prices and sizes at the start. Later values may have more: each carries its own. */
  readonly pxDecimals: number;
  readonly szDecimals: number;
  /** `book`: the statuses of orders in a block's diffs; `all`: every status of the coin in blocks that change its book. */
  readonly statuses: StatusesMode;
  /** When recording began, ms since the Unix epoch, by the recorder's clock. */
  readonly createdAt: number;
}

/** Where a book stands: at the end of block `height`, whose time is in ms, at `seq` of `epoch`. */
export interface RecordedPosition {
  readonly epoch: string;
  readonly height: number;
  readonly time: number;
  readonly seq: number;
}

/** The whole book at one height, with the checksum of BOOK-16. */
export interface Keyframe extends RecordedPosition {
  readonly levels: BookLevels;
  readonly checksum: string;
}

/** One block that changed the book, with the checksum of the book after it where one was recorded. */
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
 * Blocks that were not seen: those above `after` and below `before`. `before` is null where recording ended without seeing the
 * coin again. The keyframe that follows is the book at `before`.
 */
export interface RecordingGap {
  readonly after: number;
  readonly before: number | null;
  /** One of `BOOK_LOSS_REASONS` of `@l4desk/protocol`, or `damaged`, `recorder-stopped`, `recorder-failed`, `recorder-behind`, `disk-failed`. */
  readonly reason: string;
}

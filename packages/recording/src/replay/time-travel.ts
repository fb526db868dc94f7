import { describeFinding, type Finding, L4Book } from '@l4desk/book';
import type { L4BookSnapshot } from '@l4desk/protocol';
import type { RecordingReader } from '../format/reader.ts';
import { RecordingError } from '../format/recording-error.ts';
import type { RecordedPosition, RecordingGap } from '../format/types.ts';

/** The book of a recording at one height. */
export interface RecordedBook {
  readonly book: L4Book;
  /** The position of the book: the last block at or below the requested height that changed it. */
  readonly position: RecordedPosition;
}

/**
 * Returns the book at a height, or at the end of the recording. Throws RecordingError `not_recorded`, with a message that names
 * the gap, the start or the end, or RecordingError `damaged`.
 */
export async function bookAt(recording: RecordingReader, height?: number): Promise<RecordedBook> {
  const { range } = recording;
  if (range === null) throw new RecordingError('not_recorded', 'The recording holds no book.');
  const asked = height ?? range.to;
  const gap = recording.gaps.find((item) => isInside(item, asked));
  if (gap !== undefined) throw notSeen(asked, gap);
  if (asked < range.from) {
    throw new RecordingError('not_recorded', `Block ${asked} is not recorded: the recording begins at ${range.from}.`);
  }
  if (asked > range.to) {
    throw new RecordingError('not_recorded', `Block ${asked} is not recorded: the recording ends at ${range.to}.`);
  }
  let book: L4Book | undefined;
  let position: RecordedPosition | undefined;
  for await (const event of recording.events(asked)) {
    if (event.kind === 'gap') {
      if (isInside(event.gap, asked)) throw notSeen(asked, event.gap);
      if (event.gap.after >= asked) break;
    } else if (event.kind === 'keyframe') {
      const { keyframe } = event;
      if (keyframe.height > asked) break;
      const built = L4Book.build(recording.header.coin, keyframe.levels);
      throwFinding(keyframe.height, built.findings);
      book = built.book;
      const { epoch, time, seq } = keyframe;
      position = { epoch, height: keyframe.height, time, seq };
    } else if (book !== undefined && position !== undefined) {
      const { height: at, time, seq, changes, statuses } = event.block;
      if (at > asked) break;
      throwFinding(at, book.apply(changes, statuses, time));
      position = { epoch: position.epoch, height: at, time, seq };
    }
  }
  if (book === undefined || position === undefined) {
    throw new RecordingError('damaged', `The keyframe before block ${asked} is damaged.`);
  }
  return { book, position };
}

/** Returns the response of `l4BookSnapshot` at a height. Throws like `bookAt`. */
export async function snapshotAt(recording: RecordingReader, height?: number): Promise<L4BookSnapshot> {
  const { book, position } = await bookAt(recording, height);
  const { epoch, seq, time } = position;
  return { coin: recording.header.coin, time, height: position.height, epoch, seq, levels: book.levels() };
}

/** Describes a gap of the recording as one sentence. */
export function describeGap({ after, before, reason }: RecordingGap): string {
  const until = before === null ? 'the end' : `block ${before}`;
  return `the blocks after ${after} and before ${until} were not seen (${reason})`;
}

function isInside({ after, before }: RecordingGap, height: number): boolean {
  return height > after && (before === null || height < before);
}

function notSeen(height: number, gap: RecordingGap): RecordingError {
  return new RecordingError('not_recorded', `Block ${height} is in a gap: ${describeGap(gap)}.`);
}

function throwFinding(height: number, [finding]: readonly Finding[]): void {
  if (finding === undefined) return;
  throw new RecordingError('damaged', `Block ${height} contradicts the recorded book: ${describeFinding(finding)}.`);
}

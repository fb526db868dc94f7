import { join } from 'node:path';
import { L4Book } from '@l4desk/book';
import type { ReadCoinBatch } from '@l4desk/protocol';
import type { BookCapture } from '@l4desk/testkit';
import { RecordingFile } from '../../node/index.ts';
import { Recorder, type RecorderSettings } from '../recorder.ts';

/** A recorder running on a capture, and the file it writes. */
export interface CaptureRecording {
  readonly path: string;
  readonly recorder: Recorder;
  readonly file: RecordingFile;
  /** Records the next blocks. */
  readonly record: (batches: readonly ReadCoinBatch[]) => void;
  /** Simulates blocks that were not seen: the book is lost, moves on, and is known again after them. */
  readonly miss: (batches: readonly ReadCoinBatch[], reason: string) => void;
  /** Ends the recording properly. */
  readonly end: () => void;
}

/** Starts recording a capture, from its snapshot, to a new file in a folder. */
export function recordCapture(
  capture: BookCapture,
  folder: string,
  settings: Partial<RecorderSettings> = {},
): CaptureRecording {
  const path = join(folder, 'btc.l4rec');
  const file = new RecordingFile(path);
  const recorder = new Recorder(
    { coin: 'BTC', source: 'a capture', statuses: 'book', ...settings },
    (frame) => file.write(frame),
    () => 1_778_002_752_000,
  );
  const { book } = L4Book.build('BTC', capture.levels);
  const [first] = capture.batches;
  if (first === undefined) throw new Error('a capture without blocks');
  const { epoch } = first;
  recorder.onBook(book, { epoch, height: first.height - 1, time: first.time - 67, seq: first.prevSeq });
  const apply = ({ changes, statuses, time, height }: ReadCoinBatch) => {
    if (book.apply(changes, statuses, time).length > 0) throw new Error(`a finding in block ${height}`);
  };
  return {
    path,
    recorder,
    file,
    record: (batches) => {
      for (const batch of batches) {
        apply(batch);
        recorder.onBlock(book, batch);
      }
    },
    miss: (batches, reason) => {
      recorder.onLost(reason);
      for (const batch of batches) apply(batch);
      const last = batches.at(-1);
      if (last !== undefined) recorder.onBook(book, last);
    },
    end: () => {
      recorder.end();
      file.end();
    },
  };
}

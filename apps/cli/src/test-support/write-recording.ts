import { L4Book } from '@l4desk/book';
import type { BookLevels, CoinBatch } from '@l4desk/protocol';
import { type RecordedPosition, Recorder } from '@l4desk/recording';
import { RecordingFile } from '@l4desk/recording/node';

/** Writes a recording that begins with a book at a position and has these blocks. */
export function writeRecording(
  path: string,
  coin: string,
  start: RecordedPosition & { readonly levels: BookLevels },
  batches: readonly CoinBatch[] = [],
): void {
  const file = new RecordingFile(path);
  const recorder = new Recorder(
    { coin, source: 'a test', statuses: 'book' },
    (frame) => file.write(frame),
    () => 0,
  );
  const { levels, ...position } = start;
  const { book } = L4Book.build(coin, levels);
  recorder.onBook(book, position);
  for (const batch of batches) {
    book.apply(batch.changes, batch.statuses, batch.time);
    recorder.onBlock(book, batch);
  }
  recorder.end();
  file.end();
}

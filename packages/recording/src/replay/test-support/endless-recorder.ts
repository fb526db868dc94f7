// Records a generated book to a file, as fast as it can and without end. Arguments: `<path> <seed>`. Prints the last height of
// each frame after writing it, which acknowledges the frame.
import { writeSync } from 'node:fs';
import { L4Book } from '@l4desk/book';
import { RecordingFile } from '../../node/recording-file.ts';
import { Recorder } from '../recorder.ts';
import { EndlessChanges } from './endless-changes.ts';

const [path = '', seed = '1'] = process.argv.slice(2);
const EPOCH = '5f2d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2a';
const blocks = new EndlessChanges(Number(seed));
const file = new RecordingFile(path);
const recorder = new Recorder(
  { coin: 'BTC', source: 'a test', statuses: 'book', keyframeMs: 2_000, checksumMs: 300, chunkMs: 200 },
  (frame) => {
    file.write(frame);
    writeSync(1, `${frame.to}\n`);
  },
  () => 0,
);
const { book } = L4Book.build('BTC', [[], []]);
recorder.onBook(book, { epoch: EPOCH, height: 0, time: 0, seq: 0 });
for (let height = 1; ; height += 1) {
  const changes = blocks.next();
  const time = height * 67;
  book.apply(changes, [], time);
  recorder.onBlock(book, {
    coin: 'BTC',
    epoch: EPOCH,
    height,
    time,
    seq: height,
    prevSeq: height - 1,
    changes,
    statuses: [],
  });
}

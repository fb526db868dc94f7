// Records a made-up book into a file, as fast as it can and without end: `<path> <seed>`. Prints the last height of each frame
// after it was written, which acknowledges it.
import { writeSync } from 'node:fs';
import { L4Book } from '@l4desk/book';
import type { BookChange, DecimalString } from '@l4desk/protocol';
import { RecordingFile } from '../../node/recording-file.ts';
import { Recorder } from '../recorder.ts';

const [path = '', seed = '1'] = process.argv.slice(2);
const EPOCH = '5f2d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2a';
const ORDERS_MAX = 500;

let state = Number(seed) >>> 0;
/** A whole number from 0 up to, not including, `below` (a linear congruence is chance enough here). */
function below(limit: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

const resting: Extract<BookChange, { kind: 'insert' }>[] = [];
let oid = 0;

function change(): BookChange {
  if (resting.length > ORDERS_MAX || (resting.length > 0 && below(3) === 0)) {
    const [order] = resting.splice(below(resting.length), 1);
    if (order !== undefined) {
      const { user, side, px } = order;
      return { kind: 'remove', oid: order.oid, user, side, px };
    }
  }
  oid += 1 + below(9);
  const isBid = below(2) === 0;
  const insert = {
    kind: 'insert',
    oid,
    user: `0x${String(below(9)).repeat(40)}`,
    side: isBid ? 'B' : 'A',
    px: `${isBid ? 900 + below(99) : 1_001 + below(99)}.${below(10)}` as DecimalString,
    sz: `${below(9)}.${1 + below(9_999)}` as DecimalString,
    insertBefore: null,
  } as const;
  resting.push(insert);
  return insert;
}

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
  const changes = Array.from({ length: 1 + below(40) }, change);
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

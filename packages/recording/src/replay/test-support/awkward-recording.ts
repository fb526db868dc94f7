import { L4Book } from '@l4desk/book';
import type { BookChange, DecimalString, OrderStatus } from '@l4desk/protocol';
import { order, orderStatus, wallet } from '@l4desk/testkit';
import { RecordingFile } from '../../node/recording-file.ts';
import { Recorder } from '../recorder.ts';

/** Decimals that a float cannot hold, and forms that a float would change. */
export const AMOUNTS = [
  '0.1',
  '0.3',
  '77540.0',
  '9007199254740993',
  '123456789012.123456',
  '0.00000001',
  '5',
  '81307.10',
] as const satisfies readonly string[];

/** Records one order for each amount. Each is then resized to the next amount, and the first is filled. */
export function awkwardRecording(path: string): void {
  const file = new RecordingFile(path);
  const recorder = new Recorder(
    { coin: 'BTC', source: 'a "test", of commas', statuses: 'all' },
    (frame) => file.write(frame),
    () => 5,
  );
  const bid = (sz: string, at: number) => order({ oid: 10 + at, side: 'B', limitPx: '0.1', sz: sz as DecimalString });
  const orders = AMOUNTS.map(bid);
  const ask = order({
    oid: 1,
    side: 'A',
    limitPx: '9007199254740993.5',
    sz: '0.7',
    cloid: null,
  });
  const { book } = L4Book.build('BTC', [orders, [ask]]);
  const epoch = 'e';
  recorder.onBook(book, { epoch, height: 100, time: 1_790_000_000_123, seq: 0 });
  const apply = (height: number, changes: readonly BookChange[], statuses: readonly OrderStatus[]) => {
    const time = 1_790_000_000_123 + height;
    if (book.apply(changes, statuses, time).length > 0) throw new Error('the made-up blocks contradict the book');
    recorder.onBlock(book, {
      coin: 'BTC',
      epoch,
      height,
      time,
      seq: height - 100,
      prevSeq: height - 101,
      changes,
      statuses,
    });
  };
  const place = { user: orders[0]?.user ?? wallet(1), side: 'B', px: '0.1' as DecimalString } as const;
  apply(
    101,
    orders.map(({ oid, sz }, at) => {
      return { kind: 'resize', ...place, oid, origSz: sz, newSz: AMOUNTS[at + 1] ?? '0.2' };
    }),
    [],
  );
  const first = bid(AMOUNTS[1], 0);
  apply(102, [{ kind: 'remove', ...place, oid: 10 }], [orderStatus(first, 'filled')]);
  recorder.onLost('missing-block');
  recorder.onBook(book, { epoch, height: 110, time: 1_790_000_000_999, seq: 20 });
  recorder.end();
  file.end();
}

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { L4Book } from '@l4desk/book';
import { decodeL4BookSnapshot } from '@l4desk/protocol';
import { Chance, order, orderStatus, SourceBook } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import type { SnapshotBytes } from '../api.ts';
import type { CoinView } from '../blocks/upstream-block.ts';
import { readServerMessage } from '../sources/server-message.ts';
import { SnapshotServer } from './snapshot-server.ts';

const EPOCH = '6f1c9f6e-6f1b-4a35-9a0c-0f7f5a1f2b3c';

/** A snapshot server over one book that the test advances. */
class Rig {
  readonly truth = new SourceBook('BTC', new Chance(5));
  readonly desk = new SnapshotServer((coin) => (coin === 'BTC' ? this.view : null));
  view: CoinView | null = null;

  goLive(): void {
    const { book } = L4Book.build('BTC', this.truth.levels());
    this.view = { book, height: 100, time: 6_700, epoch: EPOCH, seq: 3 };
    this.desk.serve('BTC');
  }

  /** A block in which nothing changed for the coin. */
  quietBlock(): void {
    if (this.view === null) throw new Error('not live');
    this.view = { ...this.view, height: this.view.height + 1 };
    this.desk.dropStale();
  }

  block(): void {
    if (this.view === null) throw new Error('not live');
    const { diffs, statuses } = this.truth.block();
    const { book, height, seq } = this.view;
    const data = { Updates: { time: 1, height: height + 1, order_statuses: statuses, book_diffs: diffs } };
    const message = readServerMessage(JSON.stringify({ channel: 'l4Book', data }), () => true);
    if (message.kind !== 'block') throw new Error(message.kind);
    const changes = message.block.changes.flatMap((change) =>
      change.side === null ? [] : [{ ...change, side: change.side }],
    );
    book.apply(changes, message.block.statuses, 1);
    this.view = { ...this.view, height: height + 1, seq: seq + 1 };
    this.desk.dropStale();
  }
}

const never = () => new AbortController().signal;

const read = ({ bytes }: SnapshotBytes) => decodeL4BookSnapshot(JSON.parse(Buffer.from(bytes).toString()), 'BTC');
const heightOf = ({ bytes, encoding }: SnapshotBytes) =>
  read({ encoding, bytes: encoding === 'gzip' ? gunzipSync(bytes) : bytes }).height;

describe('a snapshot', () => {
  test('[SNAP-2, SNAP-5, SNAP-7, SNAP-8, SNAP-9] has the fields of the specification and the book at its height', async () => {
    const rig = new Rig();
    rig.goLive();
    const response = await rig.desk.request('BTC', 'identity', never());
    const value = JSON.parse(Buffer.from(response.bytes).toString());
    expect(Object.keys(value)).toEqual(['coin', 'time', 'height', 'epoch', 'seq', 'levels']);
    expect(value).toMatchObject({ coin: 'BTC', time: 6_700, height: 100, epoch: EPOCH, seq: 3 });
    expect(read(response).levels).toEqual(rig.truth.levels());
  });

  test('[SNAP-21] keeps a null tif and unknown order types and conditions as received', async () => {
    const rig = new Rig();
    const strange = order({ tif: null, orderType: 'Someday Limit', triggerCondition: 'Moon is full' });
    const { book } = L4Book.build('BTC', [[strange], []]);
    const later = order({ oid: 2, tif: 'Someday', orderType: 'Peg', triggerCondition: 'Tide is out' });
    const { user, limitPx: px, sz } = later;
    if (user === null) throw new Error('nobody’s order');
    book.apply([{ kind: 'insert', oid: 2, user, side: 'B', px, sz, insertBefore: null }], [orderStatus(later)], 1);
    rig.view = { book, height: 101, time: 1, epoch: EPOCH, seq: 1 };
    rig.desk.serve('BTC');
    const [bids] = read(await rig.desk.request('BTC', 'identity', never())).levels;
    expect(bids).toEqual([strange, later]);
  });

  test('is serialised and compressed once for all requests at one height', async () => {
    const rig = new Rig();
    rig.goLive();
    const encodings = ['identity', 'gzip', 'br', 'gzip', 'identity', 'gzip'] as const;
    const responses = await Promise.all(encodings.map((encoding) => rig.desk.request('BTC', encoding, never())));
    responses.push(await rig.desk.request('BTC', 'br', never()));
    expect(rig.desk.counters).toEqual({ served: 7, serialised: 1, compressed: 2 });
    const plain = Buffer.from(responses[0]?.bytes ?? []);
    for (const { encoding, bytes } of responses) {
      const buffer = Buffer.from(bytes);
      const text = encoding === 'gzip' ? gunzipSync(buffer) : encoding === 'br' ? brotliDecompressSync(buffer) : buffer;
      expect(text.equals(plain)).toBe(true);
    }
    rig.block();
    expect(read(await rig.desk.request('BTC', 'identity', never()))).toMatchObject({ height: 101, seq: 4 });
    expect(rig.desk.counters.serialised).toBe(2);
  });

  test('[SNAP-6, SNAP-19] requested while an older one is being compressed shows the book as it is afterwards', async () => {
    const rig = new Rig();
    rig.goLive();
    const first = rig.desk.request('BTC', 'gzip', never());
    rig.block();
    const second = rig.desk.request('BTC', 'identity', never());
    const third = rig.desk.request('BTC', 'identity', never());
    rig.block();
    const heights = (await Promise.all([first, second, third])).map(heightOf);
    expect(heights).toEqual([100, 102, 102]);
    expect(rig.desk.counters).toMatchObject({ served: 3, serialised: 2 });
  });

  test('[SNAP-19] has the height of the last block even if that block did not change the coin', async () => {
    const rig = new Rig();
    rig.goLive();
    expect(read(await rig.desk.request('BTC', 'identity', never()))).toMatchObject({ height: 100, seq: 3 });
    rig.quietBlock();
    expect(read(await rig.desk.request('BTC', 'identity', never()))).toMatchObject({ height: 101, seq: 3 });
  });

  test('[SNAP-18] is abandoned for a caller that aborts, and for no other caller', async () => {
    const rig = new Rig();
    const impatient = new AbortController();
    const [one, two] = [
      rig.desk.request('BTC', 'identity', impatient.signal),
      rig.desk.request('BTC', 'identity', never()),
    ];
    impatient.abort(new Error('enough'));
    await expect(one).rejects.toThrow('enough');
    await expect(rig.desk.request('BTC', 'identity', impatient.signal)).rejects.toThrow('enough');
    rig.goLive();
    expect(heightOf(await two)).toBe(100);
  });

  test('that cannot be serialised rejects its callers, and the next request tries again', async () => {
    const rig = new Rig();
    rig.goLive();
    const view = rig.view;
    if (view === null) throw new Error('not live');
    const broken = Object.create(view.book, {
      levelsJson: {
        value: () => {
          throw new Error('out of memory');
        },
      },
    });
    rig.view = { ...view, book: broken };
    await expect(rig.desk.request('BTC', 'identity', never())).rejects.toThrow('out of memory');
    rig.view = view;
    expect(heightOf(await rig.desk.request('BTC', 'identity', never()))).toBe(100);
  });
});

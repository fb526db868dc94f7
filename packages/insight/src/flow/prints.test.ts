import { L4Book } from '@l4desk/book';
import type { BookChange, CoinBatch, DecimalString, Side } from '@l4desk/protocol';
import { generatedCapture, order, realCapture, wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { History } from '../history/history.ts';
import { BruteBook, big, plain } from '../test-support/brute-flow.ts';
import { printsOf } from './prints.ts';

const EPOCH = '5f2d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2a';

/** Two asks of one wallet at 101.0, one of another at 102.5, and a bid at 99.0. */
function eventsOf(changes: readonly BookChange[], executed: CoinBatch['executed'] = []) {
  const history = new History('BTC');
  const ask = (oid: number, limitPx: DecimalString, user: number) =>
    order({ oid, limitPx, sz: '2.0', side: 'A', user: wallet(user) });
  const bid = order({ oid: 90, limitPx: '99.0', sz: '1', side: 'B', user: wallet(3) });
  const asks = [ask(11, '101.0', 1), ask(12, '101.0', 1), ask(13, '102.5', 2)];
  history.begin(L4Book.build('BTC', [[bid], asks]).book, { height: 1, time: 0, epoch: EPOCH, seq: 0 }, '');
  const batch = {
    coin: 'BTC',
    epoch: EPOCH,
    height: 2,
    time: 100,
    seq: 1,
    prevSeq: 0,
    changes,
    statuses: [],
    executed,
  };
  return history.add(batch)?.events() ?? [];
}

const at = (oid: number, user: number, px: DecimalString, side: Side = 'A') => ({ oid, user: wallet(user), side, px });

describe('prints of a block', () => {
  it('are one for each side, with exact sums, the average price, and the orders and owners that were taken from', () => {
    const events = eventsOf(
      [
        { kind: 'resize', ...at(11, 1, '101.0'), origSz: '2.0', newSz: '0.0' },
        { kind: 'remove', ...at(11, 1, '101.0') },
        { kind: 'remove', ...at(12, 1, '101.0') },
        { kind: 'resize', ...at(13, 2, '102.5'), origSz: '2.0', newSz: '1.5' },
        { kind: 'resize', ...at(90, 3, '99.0', 'B'), origSz: '1', newSz: '0.75' },
      ],
      [{ oid: 90, sz: '0.25' }],
    );
    expect(printsOf(events)).toEqual([
      {
        side: 'buy',
        sz: '4.5',
        ntl: '455.25',
        px: '101.1666667',
        from: '101.0',
        to: '102.5',
        orders: 3,
        owners: 2,
        inferred: 3,
      },
      {
        side: 'sell',
        sz: '0.25',
        ntl: '24.75',
        px: '99.0',
        from: '99.0',
        to: '99.0',
        orders: 1,
        owners: 1,
        inferred: 0,
      },
    ]);
  });

  const capture = realCapture() ?? generatedCapture();
  it(`equal an independent computation after each block of ${capture.name}`, () => {
    const { levels, batches } = capture;
    const [first] = batches;
    if (first === undefined) throw new Error('a recording has blocks');
    const history = new History('BTC');
    const start = { height: first.height - 1, time: first.time - 67, epoch: first.epoch, seq: first.prevSeq };
    history.begin(L4Book.build('BTC', levels).book, start, '');
    const brute = new BruteBook(levels.flat());
    let count = 0;
    for (const batch of batches) {
      const moved = brute.apply(batch.changes, batch.statuses).filter(({ kind, sz }) => kind === 'executed' && sz > 0n);
      const prints = printsOf(history.add(batch)?.events() ?? []);
      for (const side of ['A', 'B'] as const) {
        const own = moved.filter((one) => one.side === side);
        const print = prints.find((one) => (one.side === 'buy' ? 'A' : 'B') === side);
        const sz = own.reduce((sum, one) => sum + one.sz, 0n);
        const ntl = own.reduce((sum, one) => sum + (one.sz * big(one.px)) / 10n ** 20n, 0n);
        expect([print?.sz ?? '0', print?.ntl ?? '0']).toEqual([plain(sz), plain(ntl)]);
        count += prints.length;
      }
    }
    expect(count).toBeGreaterThan(0);
  });
});

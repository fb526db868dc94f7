import { L4Book } from '@l4desk/book';
import type { BookChange } from '@l4desk/protocol';
import { order, wallet } from '@l4desk/testkit';
import { expect, it } from 'vitest';
import { differenceBetween } from './difference.ts';
import { History } from './history.ts';

it('levels that differ have their prices as printed', () => {
  const epoch = '5f2d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2a';
  const user = wallet(1);
  const bids = [order({ oid: 1, limitPx: '100.0', sz: '2.0', side: 'B', user })];
  const history = new History('BTC');
  history.begin(L4Book.build('BTC', [bids, []]).book, { height: 1, time: 1_000, epoch, seq: 0 }, '');
  const changes: readonly BookChange[] = [
    { kind: 'remove', oid: 1, user, side: 'B', px: '100.0' },
    { kind: 'insert', oid: 2, user, side: 'A', px: '100.50', sz: '1.0', insertBefore: null },
  ];
  history.add({ coin: 'BTC', epoch, height: 2, time: 1_100, seq: 1, prevSeq: 0, changes, statuses: [] });
  for (const [from, to] of [
    [history.first, history.last],
    [history.last, history.first],
  ] as const) {
    expect(differenceBetween(history, from, to).levels.map(({ side, px }) => side + px)).toEqual(['B100.0', 'A100.50']);
  }
});

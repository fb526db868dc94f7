import { L4Book } from '@l4desk/book';
import { type BookChange, type DecimalString, decodeUpdates, type Side } from '@l4desk/protocol';
import { Chance, generatedCapture, order, realCapture, type SourceBlock, SourceBook, wallet } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import { groupedTotals, priceTotals } from '../test-support/l2-book.ts';
import { CoinLevels } from './coin-levels.ts';

const WHOLE = Number.MAX_SAFE_INTEGER;

/** nSigFigs, mantissa, levels. */
const VIEWS = [
  [null, null, 20],
  [null, null, 3],
  [5, null, 20],
  [5, 2, 20],
  [5, 5, 20],
  [4, null, 20],
  [3, null, 5],
  [2, null, 20],
] as const;

const shown = (levels: CoinLevels, nSigFigs: number | null, mantissa: number | null, limit: number) =>
  (['B', 'A'] as const).map((side) => JSON.parse(`[${levels.json(side, { nSigFigs, mantissa }, limit)}]`));

/** Compares every view with the sums of the orders of the book. */
function expectEqual(levels: CoinLevels, totals: ReturnType<typeof priceTotals>, note = ''): void {
  for (const [nSigFigs, mantissa, limit] of VIEWS) {
    const expected = groupedTotals(totals, limit, nSigFigs ?? 0, mantissa ?? 1);
    expect(shown(levels, nSigFigs, mantissa, limit), `${note} ${nSigFigs}/${mantissa}`).toEqual(expected);
  }
}

function changesOf({ diffs }: SourceBlock): readonly BookChange[] {
  const entry = { coin: 'BTC', seq: 1, prev_seq: 0, order_statuses: [], book_diffs: diffs };
  return (
    decodeUpdates({ time: 1, block_height: 1, epoch: 'e', cursor: '', book_diffs: [entry] }).coins[0]?.changes ?? []
  );
}

const captures = [realCapture() ?? generatedCapture()];

describe.each(captures.map((capture) => [capture.name, capture] as const))('%s', (_name, capture) => {
  test('has levels that equal the sums of its orders, block by block', () => {
    const { book } = L4Book.build('BTC', capture.levels);
    const coin = new CoinLevels(book);
    for (const [index, { changes, statuses, time }] of capture.batches.entries()) {
      book.apply(changes, statuses, time);
      coin.follow(changes);
      if (index === 0 || index === 25) expectEqual(coin, priceTotals(book.levels()), `block ${index}`);
      else for (const [nSigFigs, mantissa, limit] of VIEWS) shown(coin, nSigFigs, mantissa, limit);
    }
    const totals = priceTotals(book.levels());
    expectEqual(coin, totals, 'the last block');
    expect(shown(coin, 3, null, WHOLE)).toEqual(groupedTotals(totals, WHOLE, 3));
  });
});

test('follows seeded books of many sizes exactly, including sizes that become finer', () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const source = new SourceBook('BTC', new Chance(seed), seed * 12);
    const { book } = L4Book.build('BTC', source.levels());
    const coin = new CoinLevels(book);
    for (let count = 0; count < 40; count += 1) {
      const changes = changesOf(source.block(1 + (seed % 7)));
      expect(book.apply(changes, [], 0)).toEqual([]);
      coin.follow(changes);
      expectEqual(coin, priceTotals(source.levels()), `seed ${seed}, block ${count}`);
    }
  }
});

test('keeps levels exact that become empty, await removal, appear in between or exceed a double', () => {
  const bid = (oid: number, px: string) => order({ oid, limitPx: px as DecimalString, sz: '1.0' });
  const { book } = L4Book.build('BTC', [[bid(1, '81307.0'), bid(2, '81306.0'), bid(3, '79999.0')], []]);
  const coin = new CoinLevels(book);
  const at = (oid: number, px: string, side: Side = 'B') => ({ oid, user: wallet(1), side, px: px as DecimalString });
  const blocks: readonly (readonly BookChange[])[] = [
    [{ kind: 'resize', ...at(1, '81307.0'), origSz: '1.0', newSz: '0.0' }],
    [{ kind: 'remove', ...at(1, '81307') }],
    [{ kind: 'insert', ...at(4, '80500.0'), sz: '2.5', insertBefore: null }],
    [{ kind: 'insert', ...at(5, '81310.0', 'A'), sz: '0.00001', insertBefore: null }],
    [{ kind: 'insert', ...at(6, '81310.5', 'A'), sz: '7', insertBefore: null }],
    [{ kind: 'insert', ...at(7, '99999.0', 'A'), sz: '12345678901234567890.5', insertBefore: null }],
    [{ kind: 'remove', ...at(5, '81310.0', 'A') }],
    [
      { kind: 'remove', ...at(2, '81306.0') },
      { kind: 'remove', ...at(3, '79999.0') },
      { kind: 'remove', ...at(4, '80500.0') },
    ],
  ];
  expectEqual(coin, priceTotals(book.levels()));
  for (const [index, changes] of blocks.entries()) {
    expect(book.apply(changes, [], 0)).toEqual([]);
    coin.follow(changes);
    expectEqual(coin, priceTotals(book.levels()), `block ${index}`);
  }
});

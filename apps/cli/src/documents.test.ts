import { join } from 'node:path';
import { type BookDiff, type CoinBatch, type DecimalString, decodeUpdates, type Side } from '@l4desk/protocol';
import { diff, order, temporaryDirectory, wallet } from '@l4desk/testkit';
import { beforeAll, expect, it } from 'vitest';
import { RunningCommand } from './test-support/command.ts';
import { writeRecording } from './test-support/write-recording.ts';

const COIN = 'xyz:GOLD';
const EPOCH = '5f2d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2a';
const [one, two, three, four] = [wallet(0xa1), wallet(0xb2), wallet(0xc3), wallet(0xd4)];
const ONE_IN_CAPITALS = `0x${one.slice(2).toUpperCase()}` as const;

/** An order of a queue: the number and size of the orders ahead of it, and of all on its level. */
function place(oid: number, side: Side, limitPx: string, sz: string, ahead: [number, string], level: [number, string]) {
  const [ordersAhead, szAhead] = ahead;
  const [levelOrders, levelSz] = level;
  return { oid, side, limitPx, sz, ordersAhead, szAhead, levelOrders, levelSz };
}

/** The whole documents, computed apart from this repository's code with exact fractions. */
const cases = [
  {
    title: 'queue: a wallet in capitals, its orders on both sides, fields as sent and sums in shortest form',
    words: ['queue', ONE_IN_CAPITALS],
    height: 100,
    expected: {
      orders: [
        place(2, 'B', '99.90', '100.0', [1, '100'], [3, '253']),
        place(5, 'B', '90.0', '1.25', [0, '0'], [1, '1.25']),
        place(6, 'A', '100.0', '127', [0, '0'], [3, '255']),
      ],
    },
  },
  {
    title: 'owners: equal sizes by address, a mid between ticks, shares at a half rounded up',
    words: ['owners', '--within-bps', '20'],
    height: 100,
    expected: {
      mid: '99.95',
      withinBps: '20',
      bids: [
        { user: one, orders: 1, sz: '100', share: '0.390625' },
        { user: three, orders: 1, sz: '100', share: '0.390625' },
        { user: two, orders: 1, sz: '53', share: '0.207031' },
        { user: four, orders: 1, sz: '3', share: '0.011719' },
      ],
      asks: [
        { user: one, orders: 1, sz: '127', share: '0.496094' },
        { user: two, orders: 1, sz: '126', share: '0.492188' },
        { user: four, orders: 1, sz: '2', share: '0.007813' },
        { user: three, orders: 1, sz: '1', share: '0.003906' },
      ],
    },
  },
  {
    title: 'sweep: slippage at a half is rounded up',
    words: ['sweep', '--side', 'buy', '--sz', '256'],
    height: 100,
    expected: {
      side: 'buy',
      filledSz: '256',
      filledNtl: '25600.1',
      unfilled: '0',
      vwap: '100.0003906',
      bestPx: '100.0',
      worstPx: '100.1',
      slippageBps: '0.039063',
      orders: 4,
      levels: 2,
      owners: [
        { user: one, orders: 1, sz: '127' },
        { user: two, orders: 1, sz: '126' },
        { user: four, orders: 1, sz: '2' },
        { user: three, orders: 1, sz: '1' },
      ],
    },
  },
  {
    title: 'sweep: a notional, rounded down to the decimals of sizes',
    words: ['sweep', '--side', 'buy', '--ntl', '1234.56'],
    height: 101,
    expected: {
      side: 'buy',
      filledSz: '12.345',
      filledNtl: '1234.5',
      unfilled: '0.06',
      vwap: '100.0000000',
      bestPx: '100.0',
      worstPx: '100.0',
      slippageBps: '0.000000',
      orders: 1,
      levels: 1,
      owners: [{ user: one, orders: 1, sz: '12.345' }],
    },
  },
  {
    title: 'sweep: an empty side',
    words: ['sweep', '--side', 'buy', '--sz', '2'],
    height: 102,
    expected: {
      side: 'buy',
      filledSz: '0',
      filledNtl: '0',
      unfilled: '2',
      vwap: null,
      bestPx: null,
      worstPx: null,
      slippageBps: null,
      orders: 0,
      levels: 0,
      owners: [],
    },
  },
  {
    title: 'owners: a book without asks has no mid',
    words: ['owners'],
    height: 102,
    expected: { mid: null, withinBps: '10', bids: [], asks: [] },
  },
  { title: 'queue: a wallet without an order', words: ['queue', wallet(0xee)], height: 102, expected: { orders: [] } },
];

let path: string;

/** A recording of three heights: a book, then one more ask, then no ask. */
beforeAll(async () => {
  const folder = await temporaryDirectory();
  path = join(folder.path, 'gold.l4rec');
  const rests = (oid: number, side: Side, limitPx: DecimalString, sz: DecimalString, user = one) =>
    order({ coin: COIN, oid, side, limitPx, sz, user });
  const bids = [
    rests(1, 'B', '99.90', '100', three),
    rests(2, 'B', '99.90', '100.0', ONE_IN_CAPITALS),
    rests(3, 'B', '99.90', '53.000', two),
    rests(4, 'B', '99.8', '3.00', four),
    rests(5, 'B', '90.0', '1.25'),
  ];
  const asks = [
    rests(6, 'A', '100.0', '127'),
    rests(7, 'A', '100.0', '126.0', two),
    rests(8, 'A', '100.0', '2', four),
    rests(9, 'A', '100.1', '1.0', three),
  ];
  const late = { oid: 10, side: 'A', px: '100.2', user: one, coin: COIN } as const;
  const gone = asks.map(({ oid, limitPx: px, user }) => {
    return diff.remove({ oid, side: 'A', px, user: user ?? one, coin: COIN });
  });
  const batches = [[diff.insert('0.125', late)], [diff.remove(late), ...gone]].map((diffs, index) =>
    batchOf(index, diffs),
  );
  writeRecording(path, COIN, { levels: [bids, asks], epoch: EPOCH, height: 100, time: 7_000, seq: 3 }, batches);
  return () => folder[Symbol.asyncDispose]();
});

function batchOf(index: number, book_diffs: readonly BookDiff[]): CoinBatch {
  const entry = { coin: COIN, seq: 4 + index, prev_seq: 3 + index, order_statuses: [], book_diffs };
  const [height, time] = [101 + index, 7_067 + index * 67];
  const updates = { time, block_height: height, epoch: EPOCH, cursor: '', book_diffs: [entry] };
  return decodeUpdates(updates).coins[0] as CoinBatch;
}

it.each(cases)('$title', async ({ words, height, expected }) => {
  const command = new RunningCommand([...words, '--from', path, '--at', String(height), '--json'], {});
  expect([await command.code, command.err]).toEqual([0, '']);
  const position = { coin: COIN, height, epoch: EPOCH, seq: height - 97 };
  // As text: the order of the fields is documented too.
  expect(command.out).toBe(`${JSON.stringify({ ...position, ...expected })}\n`);
});

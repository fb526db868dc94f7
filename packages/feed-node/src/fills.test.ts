import { readNodeFill } from '@l4desk/protocol/upstream';
import { nodeRecording } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import { BlockExecutions, TradePairs } from './fills.ts';

const SELLER = '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5';
const BUYER = '0x1624a8af8b91cc781586b4d7a33b8e693dc11015';
const event = (user: string, side: string, more: object = {}) => [
  user,
  {
    coin: 'BTC',
    px: '81308.0',
    sz: '0.00033',
    side,
    time: 1_778_002_753_024,
    hash: '0x0',
    oid: 1,
    crossed: side === 'B',
    tid: 7,
    ...more,
  },
];
const fill = (...of: Parameters<typeof event>) => readNodeFill(event(...of));

describe('fills', () => {
  test('[NODE-8] of both sides of an execution form a trade, with the side that crossed', () => {
    const pairs = new TradePairs();
    expect(pairs.take([fill(SELLER, 'A')])).toEqual([]);
    expect(pairs.take([fill(BUYER, 'B', { sz: '0.000330' })])).toEqual([
      {
        coin: 'BTC',
        side: 'B',
        px: '81308.0',
        sz: '0.000330',
        hash: '0x0',
        time: 1_778_002_753_024,
        tid: 7,
        users: [BUYER, SELLER],
      },
    ]);
    const sold = pairs.take([fill(BUYER, 'B', { crossed: false }), fill(SELLER, 'A', { crossed: true })]);
    expect(sold).toMatchObject([{ side: 'A', users: [BUYER, SELLER] }]);
  });

  test('[NODE-8] of one side alone, or of two sides that do not match, form no trade', () => {
    const pairs = new TradePairs();
    expect(pairs.take([fill(SELLER, 'A', { coin: '#7' })])).toEqual([]);
    expect(pairs.take([fill(SELLER, 'A'), fill(BUYER, 'A')])).toEqual([]);
    expect(pairs.take([fill(BUYER, 'B', { px: '81309.0' })])).toEqual([]);
    expect(() => readNodeFill({ coin: 'BTC' })).toThrow('fill');
    expect(() => fill(SELLER, 'A', { sz: 1 })).toThrow('fill.sz');
    expect(() => fill(SELLER, 'A', { oid: '1' })).toThrow('fill.oid');
  });

  const recordings = [nodeRecording('by_block')].filter((recording) => recording !== undefined);
  test.each(recordings)(
    '[NODE-8] of the recording form 11 trades from all 22 fills (skipped without the recording)',
    (recording) => {
      const pairs = new TradePairs();
      const trades = recording.fills.flatMap((line) => pairs.take(JSON.parse(line).events.map(readNodeFill)));
      expect(trades).toHaveLength(11);
      for (const { users } of trades) expect(users[0]).not.toBe(users[1]);
    },
  );
});

const sized = (oid: number, sz: string, crossed = false) =>
  readNodeFill([
    '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5',
    { coin: 'BTC', px: '1', sz, side: 'B', time: 1, hash: '0x0', oid, crossed, tid: 1 },
  ]);

test('sums the fills of each resting order and ignores the side that crossed', () => {
  const executions = new BlockExecutions();
  executions.take(7, 'BTC', [sized(1, '0.1'), sized(9, '0.3', true), sized(2, '1')]);
  executions.take(7, 'ETH', [sized(5, '2')]);
  executions.take(7, 'BTC', [sized(1, '0.20')]);
  executions.take(8, 'BTC', [sized(1, '4')]);
  expect([...executions.of(7)]).toEqual([
    [
      'BTC',
      [
        { oid: 1, sz: '0.3' },
        { oid: 2, sz: '1' },
      ],
    ],
    ['ETH', [{ oid: 5, sz: '2' }]],
  ]);
  expect([...executions.of(8).keys()]).toEqual(['BTC']);
});

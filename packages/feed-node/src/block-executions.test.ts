import { readNodeFill } from '@l4desk/protocol/upstream';
import { expect, test } from 'vitest';
import { BlockExecutions } from './block-executions.ts';

const fill = (oid: number, sz: string, crossed = false) =>
  readNodeFill([
    '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5',
    { coin: 'BTC', px: '1', sz, side: 'B', time: 1, hash: '0x0', oid, crossed, tid: 1 },
  ]);

test('sums the fills of each resting order and ignores the side that crossed', () => {
  const executions = new BlockExecutions();
  executions.take(7, 'BTC', [fill(1, '0.1'), fill(9, '0.3', true), fill(2, '1')]);
  executions.take(7, 'ETH', [fill(5, '2')]);
  executions.take(7, 'BTC', [fill(1, '0.20')]);
  executions.take(8, 'BTC', [fill(1, '4')]);
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

test('ignores fills of reported blocks and bounds the waiting ones', () => {
  const executions = new BlockExecutions();
  expect(executions.of(7).size).toBe(0);
  executions.take(7, 'BTC', [fill(1, '1')]);
  expect(executions.of(7).size).toBe(0);
  for (let height = 8; height <= 8 + 1_024; height += 1) executions.take(height, 'BTC', [fill(1, '1')]);
  expect([executions.of(8).size, executions.of(9).size]).toEqual([0, 1]);
});

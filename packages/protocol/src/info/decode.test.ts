import { describe, expect, it } from 'vitest';
import { WireFormatError } from '../wire-format-error.ts';
import { decodeL4BookSnapshot } from './decode.ts';

const order = (side: 'B' | 'A', more: object = {}) => ({
  user: '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5',
  coin: 'BTC',
  side,
  limitPx: '81307.0',
  sz: '0.18385',
  oid: 412036241776,
  timestamp: 1778002736649,
  triggerCondition: 'N/A',
  isTrigger: false,
  triggerPx: '0.0',
  isPositionTpsl: false,
  reduceOnly: false,
  orderType: 'Limit',
  tif: 'Alo',
  cloid: null,
  ...more,
});

const snapshot = (levels: readonly [bids: readonly object[], asks: readonly object[]]) => ({
  coin: 'BTC',
  time: 1778002752957,
  height: 985148181,
  epoch: '3f2a9c1e-6b1d-4c58-9f0e-2d7a1b8c4e55',
  seq: 41,
  levels,
});

describe('[SNAP-2, SNAP-7, UP-15] a snapshot holds orders of its own coin, each on its own side', () => {
  const decode = (bids: readonly object[], asks: readonly object[]) =>
    decodeL4BookSnapshot(snapshot([bids, asks]), 'BTC');

  it('is read if they are', () => {
    expect(decode([order('B')], [order('A'), order('A')]).levels.map((side) => side.length)).toEqual([1, 2]);
  });

  it.each([
    ['the first bid', [order('B', { coin: 'ETH' })], [], 'snapshot.levels[0][0].coin'],
    ['a later bid', [order('B'), order('B', { coin: 'ETH' })], [], 'snapshot.levels[0][1].coin'],
    ['a later ask', [order('B')], [order('A'), order('A', { coin: 'xyz:BTC' })], 'snapshot.levels[1][1].coin'],
  ])('is rejected if %s is of another coin', (_, bids, asks, path) => {
    expect(() => decode(bids, asks)).toThrow(new WireFormatError(path, 'must be BTC'));
  });

  it('is rejected if an ask is among the bids', () => {
    expect(() => decode([order('B'), order('A')], [])).toThrow(
      new WireFormatError('snapshot.levels[0][1].side', 'must be B'),
    );
  });

  it('is rejected if the whole snapshot is of another coin', () => {
    expect(() => decodeL4BookSnapshot(snapshot([[], []]), 'ETH')).toThrow(
      new WireFormatError('snapshot.coin', 'must be ETH'),
    );
  });
});

it.each([
  ['a price', { limitPx: '-81307.0' }, 'limitPx'],
  ['a size', { sz: '-0.18385' }, 'sz'],
  ['a size of minus zero', { sz: '-0.0' }, 'sz'],
])('[DEC-5, UP-15] a snapshot with %s below zero is rejected', (_, fields, field) => {
  expect(() => decodeL4BookSnapshot(snapshot([[order('B', fields)], []]), 'BTC')).toThrow(
    new WireFormatError(`snapshot.levels[0][0].${field}`, 'must be a non-negative decimal string'),
  );
});

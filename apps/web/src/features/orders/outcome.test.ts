import { formatUnits } from '@l4desk/decimal';
import { ORDER_STATUSES } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goneOf, isFinal, outcomeText, phaseOf, shareText, statusWords } from './outcome.ts';
import { entry, order } from './test-support/orders.ts';

const text = (status: string, fields = {}) => outcomeText('historicalOrders', entry(status, fields));

describe('the outcome of an order', () => {
  // As in the recorded data: sz is what remained, 0.18385 of 0.30747, and 0.0 for a filled order.
  it.each([
    ['canceled', { sz: '0.18385' }, 'partly filled, then canceled (40.2 %)'],
    ['canceled', {}, 'canceled, nothing filled'],
    ['filled', { sz: '0.0' }, 'filled'],
    ['iocCancelRejected', {}, 'rejected, nothing filled'],
    ['badAloPxRejected', { sz: '0.1' }, 'partly filled, then rejected (67.5 %)'],
    ['scheduledCancel', { sz: '0.30746' }, 'partly filled, then canceled (< 0.1 %)'],
    ['canceled', { sz: '0.00001' }, 'partly filled, then canceled (> 99.9 %)'],
    ['open', {}, 'resting, nothing filled'],
    ['open', { sz: '0.18385' }, 'resting, partly filled (40.2 %)'],
    ['open', { isTrigger: true }, 'waiting for its trigger'],
    ['triggered', { isTrigger: true }, 'triggered'],
    // The exchange shrinks reduce-only orders with their position.
    ['canceled', { sz: '0.18385', reduceOnly: true }, 'partly filled or cut, then canceled (40.2 %)'],
    // Sizes that follow the position are reported as 0.0; one recorded order has sz above origSz.
    ['canceled', { sz: '0.0', origSz: '0.0' }, 'canceled'],
    ['open', { sz: '0.00465', origSz: '0.0' }, ''],
    // Contradictory values give no outcome.
    ['filled', { sz: '0.1' }, ''],
    ['canceled', { sz: '0.0' }, ''],
  ])('%s %j: %s', (status, fields, expected) => {
    expect(text(status, fields)).toBe(expected);
  });

  it('[HIST-10] derives nothing from an unknown status', () => {
    expect(text('someNewCanceled', { sz: '0.1' })).toBe('');
    expect(phaseOf('someNewCanceled')).toBe('other');
  });

  it('treats every known status except open and triggered as final', () => {
    const going = ORDER_STATUSES.filter((status) => !isFinal(phaseOf(status)));
    expect(going).toEqual(['open', 'triggered']);
  });

  it('[HIST-11] shows the later status for an earlier entry', () => {
    const found = outcomeText('historicalOrders', entry('open'), entry('marginCanceled'));
    expect(found).toBe('later: marginCanceled');
  });

  it('treats an open order of a call without statuses as resting', () => {
    expect(outcomeText('frontendOpenOrders', { order: order({ sz: '0.1' }) })).toBe('resting, partly filled (67.5 %)');
  });
});

it('[DEC-6] never shows a part as nothing or all, however many digits there are', () => {
  const digits = fc.bigInt({ min: 1n, max: 10n ** 30n });
  fc.assert(
    fc.property(digits, digits, (a, b) => {
      const [sz, origSz] = [formatUnits(a, 0), formatUnits(b, 0)];
      const gone = goneOf(sz, origSz);
      expect(gone).toBe(a === b ? 'nothing' : a < b ? 'part' : 'unknown');
      // Half up to a tenth of a percent, in whole numbers.
      const tenths = a < b ? (2n * 1000n * (b - a) + b) / (2n * b) : 0n;
      const part = tenths === 0n ? '< 0.1 %' : tenths === 1000n ? '> 99.9 %' : `${formatUnits(tenths, 1, 1)} %`;
      expect(shareText(sz, origSz)).toBe(a === b ? '0 %' : a < b ? part : '');
    }),
  );
});

it('lets a long status break only between its words', () => {
  expect(statusWords('positionFlipAtOpenInterestCapRejected')).toEqual([
    'position',
    'Flip',
    'At',
    'Open',
    'Interest',
    'Cap',
    'Rejected',
  ]);
  expect(statusWords('BTC')).toEqual(['BTC']);
});

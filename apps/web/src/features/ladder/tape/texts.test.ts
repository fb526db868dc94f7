import { describe, expect, it } from 'vitest';
import { detailText, isEmptyLeaving, kindText, reasonText, whyText } from './texts.ts';

it('[WEB-62] a reason is short enough to stand beside what happened', () => {
  const reasons = [
    'scheduledCancel',
    'openInterestCapCanceled',
    'siblingFilledCanceled',
    'iocCancelRejected',
    'canceled',
    'filled',
    null,
  ];
  expect(reasons.map(reasonText)).toEqual(['scheduled', 'open interest cap', 'sibling filled', 'ioc', '', '', '']);
});

it('[WEB-62] an order that left after all of it was executed is not shown as an execution of nothing', () => {
  const executed = { kind: 'executed', sz: '0.0', reason: 'filled', refill: 0 } as const;
  expect([isEmptyLeaving(executed), detailText(executed)]).toEqual([true, 'all executed, gone']);
  const part = { ...executed, sz: '0.00001' } as const;
  expect([isEmptyLeaving(part), detailText({ ...part, refill: 2 })]).toEqual([false, 'refill 2']);
  expect(isEmptyLeaving({ kind: 'cancelled', sz: '0' })).toBe(false);
});

describe('[WEB-100] a row of the tape', () => {
  it('has a star exactly where what it says is inferred', () => {
    expect(kindText('executed', true)).toBe('× executed*');
    expect(kindText('executed', false)).toBe('× executed');
  });

  it('says what an execution is known from', () => {
    const executed = { kind: 'executed', inferred: false, reason: null } as const;
    expect(whyText(executed)).toBe('the fills of the node say it');
    expect(whyText({ ...executed, reason: 'filled' })).toBe('status filled');
    expect(whyText({ ...executed, inferred: true })).toBe('inferred: nothing says it');
    expect(whyText({ ...executed, kind: 'added' })).toBe('');
  });
});

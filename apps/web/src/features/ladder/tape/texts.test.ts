import { describe, expect, it } from 'vitest';
import { detailText, isEmptyLeaving, kindText, reasonText, whyText } from './texts.ts';

it('[WEB-62] shortens a reason so that it fits beside what happened', () => {
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

it('[WEB-62] does not show an order that left fully executed as an execution of zero', () => {
  const executed = { kind: 'executed', sz: '0.0', reason: 'filled', refill: 0 } as const;
  expect([isEmptyLeaving(executed), detailText(executed)]).toEqual([true, 'all executed, gone']);
  const part = { ...executed, sz: '0.00001' } as const;
  expect([isEmptyLeaving(part), detailText({ ...part, refill: 2 })]).toEqual([false, 'refill 2']);
  expect(isEmptyLeaving({ kind: 'cancelled', sz: '0' })).toBe(false);
});

describe('[WEB-100] a row of the tape', () => {
  it('has a star exactly where its kind is inferred', () => {
    expect(kindText('executed', true)).toBe('× executed*');
    expect(kindText('executed', false)).toBe('× executed');
  });

  it('says how an execution is known', () => {
    const executed = { kind: 'executed', inferred: false, reason: null } as const;
    expect(whyText(executed)).toBe('the fills of the node say it');
    expect(whyText({ ...executed, reason: 'filled' })).toBe('status filled');
    expect(whyText({ ...executed, inferred: true })).toBe('inferred: nothing says it');
    expect(whyText({ ...executed, kind: 'added' })).toBe('');
  });
});

import { describe, expect, it } from 'vitest';
import { kindText, reasonText, whyText } from './texts.ts';

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

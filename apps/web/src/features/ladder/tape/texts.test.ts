import { expect, it } from 'vitest';
import { reasonText } from './texts.ts';

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

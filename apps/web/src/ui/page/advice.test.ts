import { ServiceError, TransportError, WireFormatError } from '@l4desk/client';
import { ERROR_CODES, type ErrorBody, type HttpErrorCode } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { adviceOf, commonError } from './advice.ts';

function refused(error: HttpErrorCode, extra: Partial<ErrorBody> & Record<string, unknown> = {}, waitMs?: number) {
  const status = ERROR_CODES[error].status;
  return new ServiceError(status, { error, message: 'a sentence', code: status, msg: 'a sentence', ...extra }, waitMs);
}

describe('failures become instructions', () => {
  it.each(Object.keys(ERROR_CODES) as HttpErrorCode[])(
    '%s has a title, whole sentences and the catalogue’s value of retryable',
    (code) => {
      const { title, text, retryable } = adviceOf(refused(code), 'utc');
      expect(title).not.toBe('');
      expect(text).toMatch(/[.!?]$/);
      expect(retryable).toBe(ERROR_CODES[code].retryable);
    },
  );

  it('[BILL-8] says for insufficient credits how many were needed, how many are left, and when they reset', () => {
    const body = { needed: 25, used: 1191, limit: 1200, resets_at: Date.UTC(2026, 11, 1) };
    expect(adviceOf(refused('credits_exhausted', body), 'utc')).toEqual({
      retryable: false,
      title: 'Not refreshed: 25 credits needed, 9 left',
      text: '1,191 of 1,200 credits of this month are used; they reset at 2026-12-01 00:00:00 UTC. Until then “l4desk accounts set-plan” can raise the limit. Loaded data, kept minutes, recordings and Usage work without credits. Nothing was charged; the data on screen is from the last successful load.',
    });
    const first = adviceOf(refused('credits_exhausted', { ...body, used: 1200, needed: 1 }), 'utc', false);
    expect(first.title).toBe('Not loaded: 1 credit needed, 0 left');
    expect(first.text).not.toContain('from the last successful load');
    const held = adviceOf(refused('credits_exhausted', { ...body, used: 1100 }), 'utc');
    expect(held.title).toBe('Not refreshed: 25 credits needed, 100 left, reserved by calls in progress');
  });

  it('mentions earlier numbers only if some are shown', () => {
    for (const error of [refused('upstream_error'), refused('upstream_timeout'), new TransportError('network', 'no')]) {
      expect(adviceOf(error, 'utc').text).toContain('from the last successful load');
      expect(adviceOf(error, 'utc', false).text).not.toContain('from the last successful load');
    }
  });

  it('uses the service’s message for insufficient credits without details', () => {
    expect(adviceOf(refused('credits_exhausted'), 'utc', false)).toMatchObject({
      title: 'Not loaded: too few credits',
      text: 'A sentence. Nothing was charged.',
    });
  });

  it.each([
    [refused('upstream_busy', {}, 2_000), true, 2_000],
    [refused('upstream_timeout'), true, undefined],
    [refused('wrong_credential'), false, undefined],
    [refused('invalid_request', { path: 'users[3]' }), false, undefined],
    [new TransportError('network', 'no'), true, undefined],
    [new TransportError('status', 'HTTP 502', { status: 502 }), true, undefined],
    [new WireFormatError('/info', 'must be text'), false, undefined],
    [new RangeError('row 3 of 2'), false, undefined],
  ])('%s', (error, retryable, waitMs) => {
    const advice = adviceOf(error, 'utc');
    expect([advice.retryable, advice.waitMs]).toEqual([retryable, waitMs]);
  });
});

it('[WEB-208] a kind that the upstream does not serve is one error for all calls, and not worth a retry', () => {
  const body = { error: 'not_served_upstream', message: 'no', code: 501, msg: 'no' } as const;
  const errors = [new ServiceError(501, body), new ServiceError(501, body)];
  expect(commonError(errors)).toBe(errors[0]);
  expect(commonError([errors[0], new Error('another')])).toBeUndefined();
  const exhausted = [refused('credits_exhausted'), refused('credits_exhausted')];
  expect(commonError(exhausted)).toBe(exhausted[0]);
  expect(adviceOf(errors[0], 'utc').retryable).toBe(false);
});

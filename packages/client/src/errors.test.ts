import { ERROR_CODES, type HttpErrorCode } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { errorOfResponse, ServiceError, TransportError } from './errors.ts';

it.each(Object.keys(ERROR_CODES) as HttpErrorCode[])('%s is retryable as listed in the catalogue', (code) => {
  const { status, retryable } = ERROR_CODES[code];
  const body = { error: code, message: 'A sentence.', code: status, msg: 'A sentence.' };
  const error = errorOfResponse(status, JSON.stringify(body), null);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ code, status, retryable });
});

it.each(['needed', 'used', 'limit', 'resets_at'])(
  '[BILL-8] does not take credits whose %s is not a number for an error of the service',
  (field) => {
    const body = { error: 'credits_exhausted', message: 'A sentence.', code: 402, msg: 'A sentence.' };
    const counts = { needed: 25, used: 9, limit: 10, resets_at: 1_796_083_200_000 };
    expect(errorOfResponse(402, JSON.stringify({ ...body, ...counts }), null)).toMatchObject({ body: counts });
    expect(errorOfResponse(402, JSON.stringify({ ...body, ...counts, [field]: '9' }), null)).toBeInstanceOf(
      TransportError,
    );
  },
);

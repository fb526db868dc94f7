// @vitest-environment happy-dom
import { ServiceError, TransportError } from '@l4desk/client';
import type { ErrorBody } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { signInAdvice } from './sign-in-page.tsx';

function refused(error: ErrorBody['error'], status: number, change: Partial<ErrorBody> = {}): ServiceError {
  return new ServiceError(status, { error, message: 'a sentence', code: status, msg: 'a sentence', ...change });
}

describe('sign-in errors are instructions', () => {
  it.each([
    [refused('unauthorized', 401, { path: 'apiKey' }), false, 'apiKey', /Check that you copied all of it/],
    [refused('unauthorized', 401), true, undefined, /Restart the service for a new one/],
    [refused('wrong_credential', 403, { path: 'serviceKey' }), false, 'serviceKey', /belongs in the other field/],
    [refused('too_many_attempts', 429, { path: 'apiKey' }), false, 'apiKey', /or wait a minute/],
    [refused('too_many_requests', 429), false, undefined, /^A sentence\.$/],
    [refused('forbidden_origin', 403), false, undefined, /does not accept this address. A sentence\./],
    [refused('shutting_down', 503), false, undefined, /^A sentence\.$/],
    [new TransportError('network', 'no'), false, undefined, /Check that it is running/],
  ])('%s', (error, byLink, field, text) => {
    expect(signInAdvice(error, byLink)).toEqual({ field, text: expect.stringMatching(text) });
  });
});

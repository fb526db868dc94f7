import { describe, expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { CLOSE_CODES } from './close-codes.ts';
import { CLOSE_CATALOGUE, ERROR_CATALOGUE, STREAM_ERROR_CATALOGUE } from './error-catalogue.ts';
import { ERROR_CODES, type HttpErrorCode, STREAM_ERRORS } from './error-codes.ts';

const SENTENCE = /^[A-Z`].*[.]$/;
const CODES = Object.keys(ERROR_CODES) as HttpErrorCode[];

describe('the catalogue of errors', () => {
  it.each(CODES)('[INFO-5] %s has a sentence, a meaning, a remedy and a place', (code) => {
    const { message, meaning, remedy, places } = ERROR_CATALOGUE[code];
    for (const text of [message, meaning, remedy]) expect(text).toMatch(SENTENCE);
    // Printed in JSON and logs as it is.
    expect(message).not.toContain('`');
    expect(places.length).toBeGreaterThan(0);
  });

  it('marks faults of the request as not retryable, and temporary failures as retryable', () => {
    const retryable = CODES.filter((code) => ERROR_CODES[code].retryable);
    expect(retryable).toEqual([
      'request_timeout',
      'too_many_attempts',
      'too_many_requests',
      'upstream_error',
      'upstream_timeout',
      'upstream_busy',
      'book_not_ready',
      'ledger_unavailable',
      'database_unavailable',
      'shutting_down',
      'internal_error',
    ]);
  });

  it('has every close code and every error of the stream, with a meaning and a remedy', () => {
    expect(CLOSE_CATALOGUE.map(({ code }) => code)).toEqual(Object.values(CLOSE_CODES));
    const starts = Object.values(STREAM_ERRORS);
    expect(
      starts.filter((start) => !STREAM_ERROR_CATALOGUE.some(({ sentence }) => sentence.startsWith(start))),
    ).toEqual([]);
    for (const { meaning, remedy } of [...CLOSE_CATALOGUE, ...STREAM_ERROR_CATALOGUE]) {
      expect(meaning).toMatch(SENTENCE);
      expect(remedy).toMatch(SENTENCE);
    }
  });
});

describe('ApiError', () => {
  it.each(CODES)('has the status and message of the catalogue for %s', (code) => {
    const { status, message } = ERROR_CATALOGUE[code];
    expect(new ApiError(code)).toMatchObject({ name: 'ApiError', code, status, message });
  });

  it('accepts a more specific message, and keeps its details with either', () => {
    const cause = new Error('disk full');
    const details = { path: 'coin', headers: { 'Retry-After': '1' }, cause };
    expect(new ApiError('book_not_ready', details)).toMatchObject({
      ...details,
      message: ERROR_CATALOGUE.book_not_ready.message,
    });
    const message = 'The book of BTC is not ready yet.';
    expect(new ApiError('book_not_ready', message, details)).toMatchObject({ ...details, message });
    const bare = new ApiError('book_not_ready', message);
    expect({ path: bare.path, headers: bare.headers, cause: bare.cause }).toEqual({
      path: undefined,
      headers: {},
      cause: undefined,
    });
  });
});

// @vitest-environment happy-dom

import { expect, it } from 'vitest';
import { diagnosticsText } from './diagnostics.ts';

it('[AUTH-12] includes the page and the error in diagnostics, never the fragment', () => {
  history.replaceState(null, '', '/book/BTC?tick=1#token=s3cret');
  const error = new RangeError('row 3 of 2');
  const text = diagnosticsText({ error, location, userAgent: 'test', at: new Date(0) });
  expect(JSON.parse(text)).toMatchObject({
    product: 'L4 Desk',
    at: '1970-01-01T00:00:00.000Z',
    page: '/book/BTC?tick=1',
    error: 'RangeError: row 3 of 2',
  });
  expect(text).not.toContain('s3cret');
});

import { expect, it } from 'vitest';
import * as client from './index.ts';

it('the package exports what its README names, and nothing else', () => {
  expect(Object.keys(client).toSorted()).toEqual([
    'FOLLOW_DEFAULTS',
    'ServiceError',
    'TransportError',
    'WireFormatError',
    'createClient',
    'follow',
  ]);
});

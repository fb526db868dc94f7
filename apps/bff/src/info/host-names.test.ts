import { expect, it } from 'vitest';
import { withoutHostNames } from './host-names.ts';

it.each([
  ['connect ECONNREFUSED 127.0.0.1:3001', 'connect ECONNREFUSED [host]'],
  ['GET https://user:pass@api.example.com/info?x=1 failed', 'GET [host] failed'],
  ['getaddrinfo ENOTFOUND node-1.internal.example', 'getaddrinfo ENOTFOUND [host]'],
  ['upstream [::1]:3001 and localhost:8080', 'upstream [host] and [host]'],
  ['balance 14.625 of token 0 is too small', 'balance 14.625 of token 0 is too small'],
  ['User or API Wallet 0xabc does not exist.', 'User or API Wallet 0xabc does not exist.'],
  ['two\nlines\u0000', 'two lines'],
  ['x'.repeat(1_000), 'x'.repeat(300)],
])('[INFO-7, BATCH-17] %j is told as %j', (text, told) => {
  expect(withoutHostNames(text)).toBe(told);
});

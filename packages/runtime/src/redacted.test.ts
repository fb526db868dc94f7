import { expect, it } from 'vitest';
import { redacted } from './redacted.ts';

it.each([
  ['connect ECONNREFUSED 127.0.0.1:3001', 'connect ECONNREFUSED [host]'],
  ['GET https://user:pass@api.example.com/info?x=1 failed', 'GET [host] failed'],
  ['getaddrinfo ENOTFOUND node-1.internal.example', 'getaddrinfo ENOTFOUND [host]'],
  ['upstream [::1]:3001 and localhost:8080', 'upstream [host] and [host]'],
  ['balance 14.625 of token 0 is too small', 'balance 14.625 of token 0 is too small'],
  ['User or API Wallet 0xabc does not exist.', 'User or API Wallet 0xabc does not exist.'],
  ['GET /info?key=abc123&x=1 failed', 'GET /info?key=[secret]&x=1 failed'],
  ['refused: api_key=abc, access-token=d/e+f==', 'refused: api_key=[secret] access-token=[secret]'],
  ['{"apiKey":"abc","user":"0x1"}', '{"apiKey":[secret],"user":"0x1"}'],
  ['bad header Authorization: Bearer abc.def', 'bad header Authorization: [secret]'],
  ['bearer abc is unknown', 'bearer [secret] is unknown'],
  ['X-Api-Key: abc', 'X-Api-Key: [secret]'],
  ['unknown l4k_0123abc', 'unknown [secret]'],
  ['unknown token: 150', 'unknown token: 150'],
  ['the key is too long', 'the key is too long'],
  ['two\nlines\u0000', 'two lines'],
  ['x'.repeat(1_000), 'x'.repeat(300)],
])('[INFO-7, BATCH-17] redacts %j to %j', (text, told) => {
  expect(redacted(text)).toBe(told);
});

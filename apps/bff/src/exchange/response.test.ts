import { describe, expect, it } from 'vitest';
import { refusalOf, UpstreamResponse } from './response.ts';
import { UpstreamError } from './upstream-error.ts';

const large = `[${Array.from({ length: 9_000 }, (_, n) => `{"px":"${n}.0"}`).join(',')}]`;

const responseOf = (body: string | Buffer) => new UpstreamResponse(Buffer.from(body));

describe('[UP-1] the check of a passed-through response', () => {
  it.each<[string, string | Buffer]>([
    ['an object', '{"a":[1]}'],
    ['null, as for an unknown coin', 'null'],
    ['a large list', large],
    ['surrounding white space', `\n ${large}\r\n`],
    ['non-ASCII characters', `["é😀",${large}]`],
  ])('accepts %s', (_, body) => {
    expect(() => responseOf(body).checkJson()).not.toThrow();
  });

  it.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['white space', '  \n'],
    ['half an object', '{"a":'],
    ['a list without its end', '[1,2'],
    ['a page', '<html></html>'],
    ['NaN', '{"a":NaN}'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['a large list without its end', large.slice(0, -1)],
    ['half a large list', large.slice(0, large.length / 2)],
    ['a large page', `<html>${large}</html>`],
    ['a large text', `"${'x'.repeat(100_000)}`],
    ['large and not UTF-8', Buffer.concat([Buffer.from('['), Buffer.alloc(100_000, 0xff), Buffer.from(']')])],
  ])('rejects %s', (_, body) => {
    const check = () => responseOf(body).checkJson();
    expect(check).toThrow(UpstreamError);
    expect(check).toThrow('upstream sent a response that is not JSON');
  });
});

describe('a refusal with status 200', () => {
  it.each<[unknown, string | undefined]>([
    [{ error: 'no such user' }, 'no such user'],
    [{ error: { code: 1 } }, 'the call was refused'],
    [{ error: null }, 'the call was refused'],
    [{ balances: [], note: 'error' }, undefined],
    [[{ error: 'inside' }], undefined],
    ['error', undefined],
    [null, undefined],
  ])('[BATCH-17] reads %j as %s', (value, text) => {
    expect(refusalOf(value)).toBe(text);
    expect(responseOf(JSON.stringify(value)).refusal()).toBe(text);
  });
});

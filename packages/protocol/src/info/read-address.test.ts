import { describe, expect, it } from 'vitest';
import { INFO_KINDS } from './kinds.ts';
import { decodeRequest, readAddress } from './request.ts';

const W = '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5';

describe('[INFO-45] an address', () => {
  it.each([
    ['as it is', W],
    ['in upper case', W.toUpperCase()],
    ['with 0X', W.replace('0x', '0X')],
    ['with spaces around', `\t ${W}\u00a0\n`],
    ['with a zero-width space at its end', `${W}\u200b`],
    ['with a direction mark in front', `\u200e${W}`],
    ['with a byte order mark', `\ufeff${W}`],
    ['isolated', `\u2068${W}\u2069`],
    ['with soft hyphens, joiners and variation selectors inside', W.replace('aa', 'a\u00ad\u200d\ufe0fa')],
    ['behind an invisible space character', `\u3164${W}`],
  ])('is read %s', (_, written) => {
    expect(readAddress(written)).toEqual({ kind: 'address', address: W });
    const body = { type: 'batchSpotClearinghouseState', users: [written] };
    expect(decodeRequest(INFO_KINDS.batchSpotClearinghouseState.request, body)).toMatchObject({
      request: { users: [W] },
    });
  });

  it.each([
    ['', 'is empty'],
    [' \u200b ', 'is empty'],
    [W.slice(2), 'does not start with 0x'],
    [W.slice(0, -1), 'has 39 digits after 0x, not 40'],
    [`${W}0`, 'has 41 digits after 0x, not 40'],
    [`\u200b${W.slice(0, -1)}g`, 'character 42 is not a hexadecimal digit'],
    [W.replace('ea', 'e a'), 'character 5 (U+0020) is not a hexadecimal digit'],
    [W.replace('a', '\u0430'), 'character 5 (U+0430) is not a hexadecimal digit'],
    [W.replace('a', '\u{1d41a}'), 'character 5 (U+1D41A) is not a hexadecimal digit'],
  ])('is refused: %j %s', (written, problem) => {
    expect(readAddress(written)).toEqual({ kind: 'invalid', problem });
    const body = { type: 'openOrders', user: written };
    expect(decodeRequest(INFO_KINDS.openOrders.request, body)).toEqual({
      kind: 'refused',
      path: 'user',
      problem: `must be a wallet address: 0x and 40 hexadecimal digits, but ${problem}`,
    });
  });
});

import type { Address } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { ownName, ownText } from './own-text.ts';

const address = '0x31ca8395cf837de08b24da3f660e77761dfb974b' as Address;

describe('the text of a watched order’s place', () => {
  it.each([
    ['Desk', true, false, 'Desk'],
    ['Desk', false, false, 'Desk'],
    ['', true, false, 'you'],
    ['', true, true, 'you'],
    ['', false, false, '0x31ca…974b'],
    ['Desk', false, true, ''],
    ['', false, true, ''],
  ])('calls a wallet labelled %j, alone %j, names hidden %j, %j', (label, isAlone, isHidden, expected) => {
    expect(ownName({ label, address }, isAlone, isHidden)).toBe(expected);
  });

  it('writes the size ahead with the coin’s decimals, like every other size', () => {
    const own = { mark: 1, place: 1_012, orders: 4_300, szAhead: '1204.5', more: 2 } as const;
    expect(ownText(own, 'Desk', 5)).toBe('Desk 1,012 of 4,300 · 1,204.50000 ahead +2');
    expect(ownText({ ...own, more: 0 }, '', 2)).toBe('1,012 of 4,300 · 1,204.50 ahead');
  });
});

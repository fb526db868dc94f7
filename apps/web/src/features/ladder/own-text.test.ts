import type { Address } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { ownName, ownText } from './own-text.ts';

const address = '0x31ca8395cf837de08b24da3f660e77761dfb974b' as Address;

describe('the place of a watched order in words', () => {
  it.each([
    ['Desk', true, false, 'Desk'],
    ['Desk', false, false, 'Desk'],
    ['', true, false, 'you'],
    ['', true, true, 'you'],
    ['', false, false, '0x31ca…974b'],
    ['Desk', false, true, ''],
    ['', false, true, ''],
  ])('[WEB-81] a wallet labelled %j, alone %j, names hidden %j, is called %j', (label, isAlone, isHidden, expected) => {
    expect(ownName({ label, address }, isAlone, isHidden)).toBe(expected);
  });

  it('[WEB-81] the size ahead has the digits of the coin, as every other size', () => {
    const own = { mark: 1, place: 1_012, orders: 4_300, szAhead: '1204.5', more: 2 } as const;
    expect(ownText(own, 'Desk', 5)).toBe('Desk 1,012 of 4,300 · 1,204.50000 ahead +2');
    expect(ownText({ ...own, more: 0 }, '', 2)).toBe('1,012 of 4,300 · 1,204.50 ahead');
  });
});

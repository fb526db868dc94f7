import type { Address } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { letterOf, markingsOf } from './marks.ts';
import { plainWallet, type Wallet } from './wallet.ts';

const addressOf = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}`;
const named = (index: number, more: Partial<Wallet>): Wallet => ({ ...plainWallet(addressOf(index)), ...more });

describe('marks', () => {
  it('[WEB-50] gives wallets of one colour different patterns, and keeps the order of the address book', () => {
    const wallets = [1, 2, 3, 4, 5].map((index) => named(index, { colour: index === 3 ? 'blue' : 'green' }));
    const markings = markingsOf(wallets);
    expect([...markings.values()].map(({ mark, hue, pattern }) => [mark, hue, pattern])).toEqual([
      [1, 'green', 'plain'],
      [2, 'green', 'striped'],
      [3, 'blue', 'plain'],
      [4, 'green', 'dotted'],
      [5, 'green', 'hollow'],
    ]);
  });

  it('[WEB-50] gives no mark to wallets past the 255th, because a mark fits one byte', () => {
    const markings = markingsOf(Array.from({ length: 300 }, (_, index) => named(index + 1, {})));
    expect(markings.size).toBe(255);
    expect(markings.get(addressOf(255))?.mark).toBe(255);
    expect(markings.get(addressOf(256))).toBeUndefined();
  });

  it('[WEB-50] uses the first letter of the group, the label or the address', () => {
    expect(letterOf(named(0xab, { group: 'fund', label: 'x' }))).toBe('F');
    expect(letterOf(named(0xab, { label: 'maker' }))).toBe('M');
    expect(letterOf(plainWallet(`0xc${'0'.repeat(39)}`))).toBe('C');
    expect(letterOf(named(0xab, { label: '🚀 moon' }))).toBe('🚀');
    expect(letterOf(named(0xab, { label: '\u202eevil' }))).toBe('E');
  });
});

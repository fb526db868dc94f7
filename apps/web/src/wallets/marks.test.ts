import type { Address } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { GHOST_MARK } from '../book-worker/watched.ts';
import { Marks } from '../book-worker/worker/marks.ts';
import { letterOf, markingsOf } from './marks.ts';
import { plainWallet, type Wallet } from './wallet.ts';

const addressOf = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}`;
const named = (index: number, more: Partial<Wallet>): Wallet => ({ ...plainWallet(addressOf(index)), ...more });

describe('marks', () => {
  it('gives wallets of one colour different patterns, and keeps the order of the address book', () => {
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

  it.each([253, 254, 255, 256, 300])(
    'every one of %i wallets that has a mark is marked in the lanes, and none is a ghost',
    (count) => {
      const markings = markingsOf(Array.from({ length: count }, (_, index) => named(index + 1, {})));
      const marks = new Marks();
      marks.watch([...markings.values()].map(({ wallet, mark }) => ({ address: wallet.address, mark })));
      const drawn = [...markings.values()].map(({ wallet }) => marks.of(wallet.address));
      expect(drawn).toEqual([...markings.values()].map(({ mark }) => mark));
      expect(drawn).not.toContain(GHOST_MARK);
      expect(Math.max(...drawn)).toBe(Math.min(count, 254));
      expect(marks.of(addressOf(255))).toBe(0);
      marks.leaveOut(addressOf(1));
      expect(marks.of(addressOf(1))).toBe(GHOST_MARK);
      expect(markings.size).toBe(Math.min(count, 254));
    },
  );

  it('uses the first letter of the group, the label or the address', () => {
    expect(letterOf(named(0xab, { group: 'fund', label: 'x' }))).toBe('F');
    expect(letterOf(named(0xab, { label: 'maker' }))).toBe('M');
    expect(letterOf(plainWallet(`0xc${'0'.repeat(39)}`))).toBe('C');
    expect(letterOf(named(0xab, { label: '🚀 moon' }))).toBe('🚀');
    expect(letterOf(named(0xab, { label: '\u202eevil' }))).toBe('E');
  });
});

import { describe, expect, it } from 'vitest';
import { refusedSort } from './search.ts';

const WALLET = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';

describe('a sort by a column that the view does not have is refused', () => {
  it.each([
    ['wallets', 'wallet', []],
    ['wallets', '-t150', []],
    ['wallets', '-total', ['sort=-total']],
    ['wallets', 'qq', ['sort=qq']],
    ['tokens', '-total', []],
    ['tokens', WALLET, []],
    ['tokens', 't150', ['sort=t150']],
    ['list', '-entryNtl', []],
    ['list', WALLET, [`sort=${WALLET}`]],
    ['wallets', '--t0', ['sort=--t0']],
    ['positions', 'funding', []],
    ['positions', 'total', ['sort=total']],
  ] as const)('%s: %s', (view, sort, refused) => {
    expect(refusedSort(view, sort)).toEqual(refused);
  });

  it('refuses a sort by a token that no wallet holds, once all wallets are loaded', () => {
    const held = new Set(['t0', 't150']);
    expect(refusedSort('wallets', '-t7', held)).toEqual(['sort=-t7']);
    expect(refusedSort('wallets', '-t150', held)).toEqual([]);
    expect(refusedSort('wallets', '-t7', undefined)).toEqual([]);
    expect(refusedSort('tokens', 'token', held)).toEqual([]);
  });

  it('refuses nothing without a sort', () => {
    expect(refusedSort('tokens', undefined)).toEqual([]);
  });
});

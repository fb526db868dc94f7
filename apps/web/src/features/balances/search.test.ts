import { describe, expect, it } from 'vitest';
import { refusedChoices } from './search.ts';

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
    [undefined, '--t0', ['sort=--t0']],
  ] as const)('%s: %s', (view, sort, refused) => {
    expect(refusedChoices({ view, sort }, undefined)).toEqual(refused);
  });

  it('refuses a token or wallet that no response contains, once there are responses', () => {
    const brought = new Set(['t150', WALLET]);
    expect(refusedChoices({ sort: 't150' }, brought)).toEqual([]);
    expect(refusedChoices({ sort: '-t7' }, brought)).toEqual(['sort=-t7']);
    expect(refusedChoices({ view: 'tokens', sort: `0x${'b'.repeat(40)}` }, brought)).toHaveLength(1);
    expect(refusedChoices({ sort: 'group' }, brought)).toEqual([]);
    expect(refusedChoices({}, brought)).toEqual([]);
  });
});

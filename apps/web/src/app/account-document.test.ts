import type { AccountDocument } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { plainWallet } from '../wallets/wallet.ts';
import { EMPTY_DOCUMENT, mergeDocuments } from './keep-on-account.ts';

/** Wallets as `1a 2b`: the last digit of their address, and their label. */
const book = (text: string): AccountDocument => ({
  ...EMPTY_DOCUMENT,
  wallets: text.split(' ').flatMap(([digit, ...label]) => {
    return digit === undefined ? [] : { ...plainWallet(`0x${'0'.repeat(39)}${digit}`), label: label.join('') };
  }),
});

const written = ({ wallets }: AccountDocument) => wallets.map(({ address, label }) => address.at(-1) + label).join(' ');

it.each([
  ['unites both with an empty base', '', '1a 2b', '1a 3c', '1a 3c 2b', 0],
  ['takes this browser’s label with an empty base', '', '1mine', '1theirs', '1mine', 1],
  ['takes what either side added', '', '1a', '2b', '2b 1a', 0],
  ['takes what either side changed', '1a 2b', '1A 2b', '1a 2B', '1A 2B', 0],
  ['takes what either side removed', '1a 2b 3c', '1a 3c', '1a 2b', '1a', 0],
  ['counts what both changed in another way', '1a', '1mine', '1theirs', '1mine', 1],
  ['counts nothing that both changed alike', '1a', '1b', '1b', '1b', 0],
  ['keeps what one removed and the other changed', '1a 2b', '1mine', '2theirs', '2theirs 1mine', 0],
])('a merge %s', (_, base, mine, theirs, expected, replaced) => {
  const merge = mergeDocuments(book(base), book(mine), book(theirs));
  expect([written(merge.merged), merge.replaced]).toEqual([expected, replaced]);
});

it('a merge treats names of keys and workspaces alike, and the workspace to start with as one value', () => {
  const workspace = (name: string, coin: string) => ({ name, coin, search: {}, windows: [] });
  const base = {
    ...EMPTY_DOCUMENT,
    keyLabels: [{ shown: 'l4k_…aaaa', label: 'a' }],
    workspaces: [workspace('One', 'BTC')],
  };
  const mine = { ...base, keyLabels: [], startWorkspace: 'One' };
  const theirs = { ...base, hasExamples: true, workspaces: [workspace('One', 'ETH'), workspace('Two', 'SOL')] };
  expect(mergeDocuments(base, mine, theirs).merged).toEqual({ ...theirs, keyLabels: [], startWorkspace: 'One' });
  expect(mergeDocuments(mine, mine, { ...mine, startWorkspace: null }).merged.startWorkspace).toBe(null);
});

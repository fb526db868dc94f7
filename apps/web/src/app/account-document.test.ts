import type { AccountDocument } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { plainWallet } from '../wallets/wallet.ts';
import { EMPTY_DOCUMENT, mergeDocuments } from './keep-on-account.ts';

/** Wallets by the last digit of their address, with their labels. */
const book = (labels: Readonly<Record<number, string>>): AccountDocument => ({
  ...EMPTY_DOCUMENT,
  wallets: Object.entries(labels).map(([digit, label]) => ({ ...plainWallet(`0x${'0'.repeat(39)}${digit}`), label })),
});

const labels = ({ wallets }: AccountDocument) => wallets.map(({ label }) => label);

it.each<[string, AccountDocument, AccountDocument, AccountDocument, readonly string[], number]>([
  [
    'unites both with an empty base',
    EMPTY_DOCUMENT,
    book({ 1: 'a', 2: 'b' }),
    book({ 3: 'c', 1: 'a' }),
    ['a', 'c', 'b'],
    0,
  ],
  [
    'takes this browser’s label with an empty base',
    EMPTY_DOCUMENT,
    book({ 1: 'mine' }),
    book({ 1: 'theirs' }),
    ['mine'],
    1,
  ],
  ['takes what either side added', book({}), book({ 1: 'a' }), book({ 2: 'b' }), ['b', 'a'], 0],
  [
    'takes what either side changed',
    book({ 1: 'a', 2: 'b' }),
    book({ 1: 'A', 2: 'b' }),
    book({ 1: 'a', 2: 'B' }),
    ['A', 'B'],
    0,
  ],
  [
    'takes what either side removed',
    book({ 1: 'a', 2: 'b', 3: 'c' }),
    book({ 1: 'a', 3: 'c' }),
    book({ 1: 'a', 2: 'b' }),
    ['a'],
    0,
  ],
  [
    'counts what both changed in another way',
    book({ 1: 'a' }),
    book({ 1: 'mine' }),
    book({ 1: 'theirs' }),
    ['mine'],
    1,
  ],
  ['counts nothing that both changed alike', book({ 1: 'a' }), book({ 1: 'b' }), book({ 1: 'b' }), ['b'], 0],
  [
    'keeps what one removed and the other changed',
    book({ 1: 'a', 2: 'b' }),
    book({ 1: 'mine' }),
    book({ 2: 'theirs' }),
    ['theirs', 'mine'],
    0,
  ],
])('a merge %s', (_, base, mine, theirs, expected, replaced) => {
  const merge = mergeDocuments(base, mine, theirs);
  expect([labels(merge.merged), merge.replaced]).toEqual([expected, replaced]);
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

// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import type { LiveStatus } from '../book-worker/messages.ts';
import type { BookPlace } from '../book-worker/open-books.ts';
import { liveStatus } from '../book-worker/test-support/live-status.ts';
import { beginsAddress, rankOf, rankOfMistyped } from './palette-actions.ts';
import { blockActions, priceActions } from './palette-book.ts';

it.each([
  ['0x53d661', true],
  ['53d661', true],
  ['0x', false],
  ['3d661', false],
])('%s finds the wallet with this start of an address: %s', (typed, isFound) => {
  expect(beginsAddress('0x53d661aa00000000000000000000000000000000', typed)).toBe(isFound);
});

describe('a price', () => {
  const status = liveStatus(0, { best: { bid: '81307', ask: '81308' } });

  it.each([
    ['81,300', 'Go to 81,300 in the BTC book', { side: 'B', px: '81300' }],
    ['81400.5', 'Go to 81,400.5 in the BTC book', { side: 'A', px: '81400.5' }],
  ])('%s leads to its row, on the side where it rests', (typed, text, place) => {
    const onPlace = vi.fn<(coin: string, place: BookPlace) => void>();
    const [action] = priceActions(typed, status, onPlace);
    expect(action?.label).toBe(text);
    action?.run();
    expect(onPlace).toHaveBeenCalledWith('BTC', place);
  });

  it.each(['12', '410800331480', '81,30', '8e4', 'btc', '', '81300.'])('“%s” is not offered as a price', (typed) => {
    expect(priceActions(typed, status, () => {})).toEqual([]);
  });

  it('is offered only for a followed book with both sides', () => {
    expect(priceActions('81300', undefined, () => {})).toEqual([]);
    expect(priceActions('81300', { ...status, best: { bid: '81307', ask: undefined } }, () => {})).toEqual([]);
  });
});

describe('a block height', () => {
  const position = { height: 985_148_232, seq: 1, epoch: '3f2a', blockTime: 0 };
  const status = { coin: 'ETH', position } as LiveStatus;

  it.each([
    ['985148300', 'Block 985,148,300: pause the ETH book there', 'in 68 blocks'],
    ['985,148,231', 'Block 985,148,231: check whether the ETH book includes it', '1 block ago'],
    ['985148232', 'Block 985,148,232: pause the ETH book there', undefined],
    ['985248232', 'Block 985,248,232: pause the ETH book there', 'in 100,000 blocks'],
  ])('%s leads to the book of the followed coin', (typed, text, hint) => {
    const onBlock = vi.fn<(coin: string, height: number) => void>();
    const [action] = blockActions(typed, status, onBlock);
    expect(action).toMatchObject({ label: text, hint });
    action?.run();
    expect(onBlock).toHaveBeenCalledWith('ETH', Number(typed.replaceAll(',', '')));
  });

  it.each(['410800331480', '985248233', '985048231', '12', '0', '012', '1,23', '12.5', 'btc', '', '1234567890123'])(
    '“%s” is not offered: not a height, or too far from the current block',
    (typed) => {
      expect(blockActions(typed, status, () => {})).toEqual([]);
    },
  );

  it('is not offered while the current block is unknown', () => {
    expect(blockActions('985148300', undefined, () => {})).toEqual([]);
    expect(blockActions('985148300', { coin: 'ETH', position: undefined } as LiveStatus, () => {})).toEqual([]);
  });
});

describe('rankOf', () => {
  it.each([
    ['btc book', 'BTC book', 0],
    ['book', 'BTC book', 1],
    ['exp csv', 'Export book BTC as CSV', 2],
    ['doge', 'BTC book', undefined],
    ['', 'BTC book', 0],
    ['balances', 'Open Balances', 0],
    ['open bal', 'Open Balances', 2],
    ['log out', 'Sign out', 1],
    ['logo', 'Sign out', 1],
    ['gout', 'Sign out', 2],
  ])('“%s”: %s ranks %s', (typed, text, rank) => {
    const aliases = text === 'Sign out' ? 'log out logout' : '';
    expect(rankOf({ id: 'a', label: text, aliases, run: () => {} }, typed)).toBe(rank);
  });
});

it('finds a word with a missing, wrong or swapped letter, and nothing else', () => {
  const found = (label: string, typed: string, aliases = '') =>
    rankOfMistyped({ id: 'a', label, aliases, run: () => {} }, typed) !== undefined;
  expect(
    ['fundign', 'fnding', 'open fudning', 'findi', 'fndin', 'fuundi'].filter((typed) => !found('Open Funding', typed)),
  ).toEqual([]);
  expect(found('Open Balances', 'balnc')).toBe(true);
  expect(
    ['orders', 'onding open', 'fnd', 'qqqq', 'open orders'].filter((typed) => found('Open Funding', typed)),
  ).toEqual([]);
  const ofEther = ['etherum', 'etherium', 'ethreum book', 'etheri', 'etherreum'];
  expect(ofEther.filter((typed) => !found('ETH book', typed, 'ethereum'))).toEqual([]);
});

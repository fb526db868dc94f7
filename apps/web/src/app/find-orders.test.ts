// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { spotNames } from '../api/use-spot-names.ts';
import { Live } from '../book-worker/live.ts';
import type { OpenBook } from '../book-worker/open-books.ts';
import { FakeWorker } from '../book-worker/test-support/fake-worker.ts';
import type { Action } from '../hooks/actions.ts';
import { askedOrderActions, bookOrderAction, loadedOrderActions, wantedOrder } from './find-orders.ts';

const CLOID = `0x${'ab'.repeat(16)}`;
const WALLET = `0x${'1'.repeat(40)}`;

/** The text of each action, and the address it opens. */
function leads(actionsFor: (go: (href: string) => void) => readonly Action[]) {
  const found: string[][] = [];
  for (const { label, hint = '', run } of actionsFor((href) => void found.at(-1)?.push(href))) {
    found.push([label, hint]);
    run();
  }
  return found;
}

it.each([
  ['410800331480', 410_800_331_480],
  ['410,800,331,480', 410_800_331_480],
  [CLOID, CLOID],
  ['7', 7],
  ['#412003', 412_003],
  ['oid: 412,003', 412_003],
  ['oidx412003', undefined],
  ['41,08', undefined],
  ['0xab', undefined],
  ['btc', undefined],
  ['', undefined],
])('%s is parsed as the order %s', (typed, wanted) => {
  expect(wantedOrder(typed)).toBe(wanted);
});

/** An open book that has these orders, by oid. */
function openBook(coin: string, oids: readonly number[], shown: unknown[] = []): OpenBook {
  const live = new Live(() => new FakeWorker(), 'simulated');
  live.find = async (wanted) =>
    oids.includes(Number(wanted)) ? { coin, side: 'A', px: '81308.5', oid: Number(wanted) } : null;
  return {
    coin,
    live,
    onPlace: (place) => void shown.push([coin, place]),
    onBlock: (height) => void shown.push([coin, height]),
  };
}

describe('an order in a book in memory', () => {
  const order = { coin: 'BTC', side: 'A', px: '81308.5', oid: 77 } as const;

  it('opens its level with its details, on the page of its coin or in the ladder that shows its book', () => {
    expect(leads((go) => [bookOrderAction({ ...order, book: undefined }, go)])).toEqual([
      ['Order 77: BTC ask at 81,308.5', 'in the book', '/book/BTC?level=A81308.5&order=77'],
    ]);
    const shown: unknown[] = [];
    const book = openBook('BTC', [77], shown);
    expect(leads((go) => [bookOrderAction({ ...order, book }, go)])[0]).toHaveLength(2);
    expect(shown).toEqual([['BTC', { side: 'A', px: '81308.5', oid: 77 }]]);
  });
});

describe('an order among the loaded rows', () => {
  const resting = { coin: 'ETH', side: 'B', limitPx: '3021.4', sz: '1', oid: 77, timestamp: 0, cloid: CLOID };
  const client = new QueryClient();
  client.setQueryData(['info', 'frontendOpenOrders', WALLET, ''], [{ ...resting, oid: 5, cloid: null }, resting]);
  client.setQueryData(['info', 'openOrders', WALLET, ''], [resting]);
  client.setQueryData(['info', 'frontendOpenOrders', WALLET, 'xyz'], [{ ...resting, oid: 78 }]);
  client.setQueryData(
    ['info', 'historicalOrders', WALLET, 2000],
    [
      { order: resting, status: 'open', statusTimestamp: 1 },
      { order: { ...resting, coin: '@107', oid: 79, cloid: null }, status: 'filled', statusTimestamp: 2 },
    ],
  );
  client.setQueryData(['info', 'historicalOrders', `0x${'2'.repeat(40)}`, 2000], undefined);
  const texts = { walletText: () => 'our trader', coinText: spotNames({ '@107': 'HYPE/USDC' }) };
  const found = (wanted: number | string) => leads((go) => loadedOrderActions(client, wanted, texts, go));

  it('is found once by oid or cloid, in its open state', () => {
    const open = ['Order 77: ETH bid at 3,021.4, open', 'our trader', `/orders?w=${WALLET}&q=77`];
    expect(found(77)).toEqual([open]);
    expect(found(CLOID)).toContainEqual(open);
  });

  it('is found on its dex, and among past orders', () => {
    expect(found(78)[0]?.[2]).toBe(`/orders?w=${WALLET}&dex=xyz&q=78`);
    expect(found(79)).toEqual([
      ['Order 79: HYPE/USDC @107 bid at 3,021.4, filled', 'our trader', `/orders?w=${WALLET}&show=history&q=79`],
    ]);
  });

  it('is not found if no response contains it', () => {
    expect(found(7)).toEqual([]);
    expect(found(`0x${'cd'.repeat(16)}`)).toEqual([]);
  });
});

it('offers a search on the exchange only for numbers long enough to be an oid', () => {
  expect(leads((go) => askedOrderActions(410_800_331_480, 2, go))).toEqual([
    ['Find open order 410800331480', '2 wallets, up to 3 cr', '/orders?q=410800331480'],
    ['Find open or past order 410800331480', '2 wallets, up to 5 cr', '/orders?show=all&q=410800331480'],
  ]);
  expect(leads((go) => askedOrderActions(CLOID, 1, go))[0]).toEqual([
    'Find open order 0xabab…abab',
    '1 wallet, up to 2 cr',
    `/orders?q=${CLOID}`,
  ]);
  expect(leads((go) => askedOrderActions(10, 2, go))).toEqual([]);
});

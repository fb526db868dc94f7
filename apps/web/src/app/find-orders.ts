import type { historicalOrders, openOrders } from '@l4desk/client';
import { infoCredits } from '@l4desk/protocol';
import type { FrontendOpenOrders } from '@l4desk/protocol/upstream';
import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query';
import type { FoundOrder } from '../book-worker/messages.ts';
import type { BookPlace, OpenBook } from '../book-worker/open-books.ts';
import type { Action } from '../hooks/actions.ts';
import { searchTextOf } from '../state/page-search.ts';
import { bareOid, counted, grouped, shortAddress, wholeText } from '../ui/format.ts';

/** An order to look up: its oid, or its cloid in lower case. */
type WantedOrder = number | string;

/** Shorter numbers only match the whole oid of an order at hand; the exchange is not asked for them. */
const OID_DIGITS_MIN = 6;

/** Rows listed per order: it may be in several responses. */
const ROWS_MAX = 4;

const sideText = (side: string) => (side === 'B' ? 'bid' : side === 'A' ? 'ask' : side);

/** Parses an order from text in lower case: an oid, with or without commas, or a whole cloid. */
export function wantedOrder(typed: string): WantedOrder | undefined {
  if (/^0x[0-9a-f]{32}$/.test(typed)) return typed;
  const oid = bareOid(typed);
  return /^(?:\d{1,15}|\d{1,3}(?:,\d{3}){1,4})$/.test(oid) ? Number(oid.replaceAll(',', '')) : undefined;
}

interface BookHolder {
  readonly find: (order: WantedOrder) => Promise<FoundOrder | null>;
}

/** An order in a book in memory, and the ladder that shows that book, if one does. */
export interface OrderInBook extends FoundOrder {
  readonly book: OpenBook | undefined;
}

/**
 * The order in the first of these books that has it: those of the open page, then those of `others`. Undefined until all have
 * looked, and if the order is nowhere.
 */
export function useBookOrder(
  wanted: WantedOrder | undefined,
  books: readonly OpenBook[],
  others: readonly BookHolder[],
): OrderInBook | undefined {
  const { data } = useQuery({
    queryKey: ['book order', wanted],
    queryFn: wanted === undefined ? skipToken : () => findInBooks(wanted, books, others),
    gcTime: 0,
  });
  return data ?? undefined;
}

async function findInBooks(
  wanted: WantedOrder,
  books: readonly OpenBook[],
  others: readonly BookHolder[],
): Promise<OrderInBook | null> {
  const found = await Promise.all([
    ...books.map(async (book) => ({ book, order: await book.live.find(wanted) })),
    ...others.map(async (holder) => ({ book: undefined, order: await holder.find(wanted) })),
  ]);
  const first = found.find(({ order }) => order !== null);
  return first?.order ? { ...first.order, book: first.book } : null;
}

/** Shows the order's level with its details, in the ladder that shows its book or else on the page of its coin. */
export function bookOrderAction({ coin, side, px, oid, book }: OrderInBook, go: (href: string) => void): Action {
  return {
    id: 'order book',
    label: `Order ${oid}: ${coin} ${sideText(side)} at ${grouped(px)}`,
    hint: 'in the book',
    run: () => showPlace(coin, { side, px, oid }, book, go),
  };
}

/** Shows a place of a book: in its ladder, or else on the page of its coin. */
export function showPlace(
  coin: string,
  place: BookPlace,
  book: OpenBook | undefined,
  go: (href: string) => void,
): void {
  if (book !== undefined) return book.onPlace(place);
  const { side, px, oid } = place;
  const order = oid === undefined ? '' : `&order=${oid}`;
  go(`/book/${encodeURIComponent(coin)}?level=${side}${px}${order}`);
}

/** The same for a block, at which the book is held or about which is shown what is proven. */
export function showBlock(coin: string, height: number, book: OpenBook | undefined, go: (href: string) => void): void {
  if (book !== undefined) return book.onBlock(height);
  go(`/book/${encodeURIComponent(coin)}?block=${height}`);
}

interface LoadedOrder {
  readonly user: string;
  readonly dex: string;
  readonly show: 'open' | 'history';
  readonly order: {
    readonly coin: string;
    readonly side: string;
    readonly limitPx?: string | null | undefined;
    readonly oid: number;
  };
  readonly status: string;
}

interface OrderTexts {
  readonly walletText: (address: string) => string;
  readonly coinText: (coin: string) => string;
}

/** Actions for the order's rows among all loaded responses, whichever page requested them. */
export function loadedOrderActions(
  queryClient: QueryClient,
  wanted: WantedOrder,
  { walletText, coinText }: OrderTexts,
  go: (href: string) => void,
): readonly Action[] {
  const seen = new Map<string, LoadedOrder>();
  for (const found of loadedOrders(queryClient, wanted)) {
    const key = `${found.user} ${found.order.oid}`;
    if (!seen.has(key)) seen.set(key, found);
  }
  return [...seen.values()].slice(0, ROWS_MAX).map(({ user, dex, show, order, status }) => {
    const search = new URLSearchParams({
      w: user,
      ...(show === 'open' ? {} : { show }),
      ...(dex === '' ? {} : { dex: searchTextOf([dex]) ?? '' }),
      q: String(order.oid),
    });
    const { coin, side, limitPx, oid } = order;
    return {
      id: `order ${user} ${oid}`,
      label: `Order ${oid}: ${coinText(coin)} ${sideText(side)} at ${grouped(limitPx ?? '?')}, ${status}`,
      hint: walletText(user),
      isPrivate: true,
      run: () => go(`/orders?${search}`),
    };
  });
}

/** Open orders first: a past state of the same order is less informative. */
function* loadedOrders(queryClient: QueryClient, wanted: WantedOrder): Generator<LoadedOrder> {
  const isWanted = ({ oid, cloid }: { readonly oid: number; readonly cloid?: string | null | undefined }) =>
    typeof wanted === 'number' ? oid === wanted : cloid?.toLowerCase() === wanted;
  const responses = <Data>(call: string) => queryClient.getQueriesData<Data>({ queryKey: ['info', call] });
  for (const call of ['frontendOpenOrders', 'openOrders'] as const) {
    for (const [key, orders] of responses<FrontendOpenOrders | Awaited<ReturnType<typeof openOrders>>>(call)) {
      for (const order of orders ?? []) {
        if (isWanted(order)) yield { user: textOf(key[2]), dex: textOf(key[3]), show: 'open', order, status: 'open' };
      }
    }
  }
  for (const [key, entries] of responses<Awaited<ReturnType<typeof historicalOrders>>>('historicalOrders')) {
    for (const { order, status } of entries ?? []) {
      if (isWanted(order))
        yield { user: textOf(key[2]), dex: '', show: 'history', order, status: status ?? 'no status' };
    }
  }
}

function textOf(part: unknown): string {
  return typeof part === 'string' ? part : '';
}

/** Actions that ask the exchange for it: among the open orders of the address book's wallets, or also their past orders. */
export function askedOrderActions(wanted: WantedOrder, wallets: number, go: (href: string) => void): readonly Action[] {
  if (String(wanted).length < OID_DIGITS_MIN) return [];
  const name = typeof wanted === 'number' ? wanted : shortAddress(wanted);
  // An upper bound: responses already loaded cost nothing.
  const hint = (perWallet: number) =>
    `${counted(wallets, 'wallet')}, up to ${wholeText(wallets * perWallet + infoCredits('spotMeta'))} cr`;
  const open = infoCredits('frontendOpenOrders');
  const past = infoCredits('historicalOrders');
  return [
    { id: 'oid', label: `Find open order ${name}`, hint: hint(open), run: () => go(`/orders?q=${wanted}`) },
    {
      id: 'oid past',
      label: `Find open or past order ${name}`,
      hint: hint(open + past),
      run: () => go(`/orders?show=all&q=${wanted}`),
    },
  ];
}

import type { LadderRow } from '@l4desk/book';
import type { CoinView } from '@l4desk/client';
import { table, timestamp } from './outcome.ts';

/** Result of the last comparison of a coin's book with a fresh snapshot; undefined before the first one. */
export type Verified =
  | { readonly kind: 'equal'; readonly height: number }
  | { readonly kind: 'different'; readonly height: number; readonly detail: string }
  | { readonly kind: 'failed'; readonly detail: string }
  | undefined;

/** The current state of one coin as a JSON document. Amounts are decimal strings, times ISO-8601. */
export function coinJson(view: CoinView, levels: number, verified: Verified) {
  return {
    coin: view.coin,
    state: view.state.kind,
    detail: view.state.detail,
    height: view.height ?? null,
    time: view.blockTime === undefined ? null : timestamp(view.blockTime),
    epoch: view.epoch ?? null,
    seq: view.seq ?? null,
    gaps: view.gaps,
    resumes: view.resumes,
    verified: verified ?? null,
    bids: rowsOf(view, 'B', levels).map(levelJson),
    asks: rowsOf(view, 'A', levels).map(levelJson),
  };
}

function levelJson({ px, sz, count }: LadderRow) {
  return { px, sz, orders: count };
}

/** The current state of one coin as one line. */
export function coinLine(view: CoinView, verified: Verified): string {
  const bid = view.book?.best('B');
  const ask = view.book?.best('A');
  const best = (level: typeof bid) => (level === undefined ? 'none' : `${level.px} (${level.sz} in ${level.count})`);
  return `${headOf(view, verified)}  bid ${best(bid)}  ask ${best(ask)}`;
}

const COLUMNS = ['ORDERS', 'SIZE', 'BID', 'ASK', 'SIZE', 'ORDERS'] as const;

/** The current state of one coin: a headline, and the best levels of both sides next to each other. */
export function coinTable(view: CoinView, levels: number, verified: Verified): string[] {
  const bids = rowsOf(view, 'B', levels);
  const asks = rowsOf(view, 'A', levels);
  const cells = Array.from({ length: Math.max(bids.length, asks.length) }, (_, index) => {
    const [bid, ask] = [bids[index], asks[index]];
    return [
      bid === undefined ? '' : String(bid.count),
      bid?.sz ?? '',
      bid?.px ?? '',
      ask?.px ?? '',
      ask?.sz ?? '',
      ask === undefined ? '' : String(ask.count),
    ];
  });
  return [headOf(view, verified), ...table(COLUMNS, cells, COLUMNS)];
}

function headOf(view: CoinView, verified: Verified): string {
  const { kind, detail } = view.state;
  // Only a live book may look like the service's own.
  const state = kind === 'live' ? kind : `${kind.toUpperCase()} (${detail})`;
  const position = view.height === undefined ? '' : `  block ${view.height}  seq ${view.seq}`;
  const resumes = view.resumes === 0 ? '' : `  resumed ${view.resumes}`;
  return `${view.coin}  ${state}${position}  gaps ${view.gaps}${resumes}  ${verifiedText(verified)}`;
}

export function verifiedText(verified: Verified): string {
  switch (verified?.kind) {
    case undefined:
      return 'not verified yet';
    case 'equal':
      return `verified at block ${verified.height}`;
    case 'different':
      return `DIFFERENT at block ${verified.height}: ${verified.detail}`;
    case 'failed':
      return `not verified: ${verified.detail}`;
  }
}

function rowsOf({ book }: CoinView, side: 'B' | 'A', limit: number): readonly LadderRow[] {
  return book?.rows(side, { limit }) ?? [];
}

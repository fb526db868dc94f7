import type { LadderSnapshot } from './snapshot.ts';

/** The rows on the screen as a file: exact texts, and where in the stream they were true. */
export function ladderJson(snapshot: LadderSnapshot): string {
  const { coin, tick, height, seq, epoch, blockTime, bestBid, bestAsk, spread, mid, rows } = snapshot;
  return `${JSON.stringify(
    {
      coin,
      tick,
      height,
      seq,
      epoch,
      time: new Date(blockTime).toISOString(),
      bestBid: bestBid ?? null,
      bestAsk: bestAsk ?? null,
      spread: spread === '' ? null : spread,
      mid: mid === '' ? null : mid,
      rows: rows.map(({ side, px, sz, cumulative, count }) => ({ side, px, sz, cumulative, orders: count })),
    },
    null,
    2,
  )}\n`;
}

const COLUMNS = ['coin', 'tick', 'height', 'seq', 'epoch', 'time', 'side', 'px', 'sz', 'cumulative', 'orders'];

/** The same as CSV, one line a row; every line says where it belongs, so that files can be joined. */
export function ladderCsv(snapshot: LadderSnapshot): string {
  const { coin, tick, height, seq, epoch, blockTime, rows } = snapshot;
  const time = new Date(blockTime).toISOString();
  const lines = rows.map(({ side, px, sz, cumulative, count }) =>
    [coin, tick, height, seq, epoch, time, side, px, sz, cumulative, count].map(csvCell).join(','),
  );
  return `${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`;
}

/** Quotes what needs it, and keeps a spreadsheet from reading a text as a formula. */
function csvCell(value: string | number): string {
  const text = String(value);
  const safe = typeof value === 'string' && /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** `BTC-1-985148232.csv`; what a file name cannot hold is left out. */
export function ladderFileName({ coin, tick, height }: LadderSnapshot, ending: 'csv' | 'json'): string {
  return `${coin.replaceAll(/[^\w.-]+/g, '-')}-${tick}-${height}.${ending}`;
}

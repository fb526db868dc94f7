import { multiply } from '@l4desk/decimal';
import type { BookDiff, DecimalString } from '@l4desk/protocol';
import type { CoinMessage } from '../feed/messages.ts';
import type { Corruption } from './fault.ts';

/** No order has an oid this large. */
const UNKNOWN_OID = 9_000_000_000_000;

/** The message with the corruption, or null if it contains nothing that can be corrupted this way. */
export function corrupt(message: CoinMessage, mode: Corruption): CoinMessage | null {
  switch (mode) {
    case 'oid':
      return changeDiff(message, (diff) => ('new' in rawOf(diff) ? null : { ...diff, oid: UNKNOWN_OID }));
    case 'origSz':
      return changeDiff(message, (diff) => {
        const raw = diff.raw_book_diff;
        if (raw === 'remove' || !('update' in raw)) return null;
        return { ...diff, raw_book_diff: { update: { ...raw.update, origSz: lastDigitChanged(raw.update.origSz) } } };
      });
    case 'crossed':
      return changeDiff(message, (diff) => {
        if (!('new' in rawOf(diff))) return null;
        // Far through any book: ten times the price for a bid, a tenth of it for an ask.
        return { ...diff, px: multiply(diff.px, diff.side === 'B' ? '10' : '0.1') };
      });
    case 'json':
      return { ...message, torn: true };
    case 'fields':
      return {
        ...message,
        extra: { zone: 7, note: { added: true } },
        diffs: message.diffs.map((diff) => ({ ...diff, venue: 'added', raw_book_diff: withField(diff.raw_book_diff) })),
        statuses: message.statuses.map((status) => ({
          ...status,
          hash: null,
          builder: null,
          order: { ...status.order, origSz: status.order.sz, children: [] },
        })),
      };
  }
}

/** Changes the first diff for which `change` returns one. Returns null if there is none. */
function changeDiff(message: CoinMessage, change: (diff: BookDiff) => BookDiff | null): CoinMessage | null {
  for (const [index, diff] of message.diffs.entries()) {
    const changed = change(diff);
    if (changed !== null) return { ...message, diffs: message.diffs.with(index, changed) };
  }
  return null;
}

function rawOf(diff: BookDiff): object {
  return diff.raw_book_diff === 'remove' ? {} : diff.raw_book_diff;
}

function withField(raw: BookDiff['raw_book_diff']): BookDiff['raw_book_diff'] {
  if (raw === 'remove') return raw;
  return 'new' in raw ? { new: { ...raw.new, rank: 1 } } : { update: { ...raw.update, reason: 'added' } };
}

function lastDigitChanged(text: DecimalString): DecimalString {
  const last = text.charCodeAt(text.length - 1) - 48;
  return `${text.slice(0, -1)}${(last + 1) % 10}` as DecimalString;
}

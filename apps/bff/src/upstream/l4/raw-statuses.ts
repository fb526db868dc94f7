import type { OrderStatus } from '@l4desk/protocol';
import type { RawObject } from './upstream-block.ts';

const STATUSES = '"order_statuses":[';
const DIFFS = '],"book_diffs":[';

/**
 * The text of a block's statuses, cut out of the message instead of printed anew: they are 99 % of it. `updates` is what
 * JSON.parse made of its `Updates` object. Null where the text cannot be used as it is, and is to be printed.
 *
 * Inside a JSON string a quote is always escaped, so each mark below is a real key; when each occurs once, in this order
 * and with no member between, the statuses are what lies between them.
 */
export function rawStatuses(text: string, updates: RawObject, statuses: readonly OrderStatus[]): string | null {
  const names = Object.keys(updates);
  if (names[names.indexOf('order_statuses') + 1] !== 'book_diffs') return null;
  const start = text.indexOf(STATUSES);
  const end = text.lastIndexOf(DIFFS);
  if (start < 0 || end < start || text.lastIndexOf(STATUSES) !== start || text.indexOf(DIFFS) !== end) return null;
  // The owner stands beside the order (L4-21); where upstream repeats it inside, the text has to change.
  for (const { order } of statuses) if (order.user !== null) return null;
  return text.slice(start + STATUSES.length, end);
}

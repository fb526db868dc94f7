import type { OrderStatus } from '@l4desk/protocol';
import type { RawObject } from '../blocks/upstream-block.ts';

const STATUSES = '"order_statuses":[';
const DIFFS = '],"book_diffs":[';

/** An object of a message that contains statuses, as parsed by JSON.parse, and its decoded statuses. */
interface StatusesHolder {
  readonly raw: RawObject;
  readonly statuses: readonly OrderStatus[];
}

/**
 * Returns the text of each holder's statuses, in message order, cut out of the message instead of serialised again: they are 99 %
 * of it. Null if a text cannot be used unchanged and must be serialised.
 *
 * Inside a JSON string a quote is always escaped, so each mark below is a real key. If the two marks alternate, once for each
 * holder and with no member in between, the statuses are the text between them.
 */
export function rawStatuses(text: string, holders: readonly StatusesHolder[]): readonly (string | null)[] {
  const spans = statusSpans(text, holders);
  return holders.map(({ statuses }, index) => {
    const span = spans?.[index];
    // The owner is outside the order (L4-21); if upstream repeats it inside, the text must be changed.
    if (span === undefined || statuses.some(({ order }) => order.user !== null)) return null;
    return text.slice(span[0], span[1]);
  });
}

function statusSpans(text: string, holders: readonly StatusesHolder[]): readonly (readonly [number, number])[] | null {
  const spans: [number, number][] = [];
  let start = text.indexOf(STATUSES);
  let end = text.indexOf(DIFFS);
  for (const { raw } of holders) {
    const names = Object.keys(raw);
    if (names[names.indexOf('order_statuses') + 1] !== 'book_diffs') return null;
    if (start < 0 || end < start) return null;
    spans.push([start + STATUSES.length, end]);
    start = text.indexOf(STATUSES, start + STATUSES.length);
    if (start >= 0 && start < end) return null;
    end = text.indexOf(DIFFS, end + DIFFS.length);
  }
  return start < 0 && end < 0 ? spans : null;
}

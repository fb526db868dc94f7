import type { OrderStatus } from '@l4desk/protocol';
import { diff, order, orderStatus } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawStatuses } from './raw-statuses.ts';

const statuses = [orderStatus(order()), orderStatus(order({ oid: 2, cloid: '0x"],\\"book_diffs\\":[' }))];

function cut(updates: Record<string, unknown>, of: readonly OrderStatus[], text?: string) {
  const message = text ?? JSON.stringify({ channel: 'l4Book', data: { Updates: updates } });
  return rawStatuses(message, [{ raw: updates, statuses: of }])[0];
}

describe('the text of the statuses', () => {
  test('[L4-20, DEC-3] is that of the message, whatever its strings contain', () => {
    const updates = { time: 1, height: 2, order_statuses: statuses, book_diffs: [diff.remove()] };
    expect(cut(updates, statuses)).toBe(JSON.stringify(statuses).slice(1, -1));
    expect(cut({ ...updates, order_statuses: [] }, [])).toBe('');
    expect(cut({ ...updates, book_diffs: [] }, statuses)).toBe(JSON.stringify(statuses).slice(1, -1));
  });

  test.each([
    ['members lie otherwise', { book_diffs: [], order_statuses: statuses }],
    ['another member lies between', { order_statuses: statuses, other: [1], book_diffs: [] }],
    ['a mark occurs twice', { order_statuses: statuses, book_diffs: [], note: { order_statuses: [] } }],
    ['a mark occurs twice', { note: { order_statuses: [], book_diffs: [] }, order_statuses: statuses, book_diffs: [] }],
  ])('[L4-20] is serialised again if %s', (_, updates) => {
    expect(cut(updates, statuses)).toBeNull();
  });

  test('[L4-20] is serialised again if the message has spaces', () => {
    const updates = { order_statuses: statuses, book_diffs: [] };
    expect(cut(updates, statuses, JSON.stringify({ data: { Updates: updates } }, null, 1))).toBeNull();
  });

  test('[L4-21] is serialised again if an order repeats its owner', () => {
    const owned = [{ ...orderStatus(order()), order: order() }];
    expect(cut({ order_statuses: owned, book_diffs: [] }, owned)).toBeNull();
  });

  test('[L4-20] is cut out for each coin of a block, and serialised again for all if the marks do not alternate', () => {
    const owned = [{ ...orderStatus(order()), order: order() }];
    const entries = [statuses, [], owned].map((list) => ({
      raw: { coin: 'BTC', order_statuses: list, book_diffs: [diff.remove()] },
      statuses: list,
    }));
    const message = (more: object) =>
      JSON.stringify({ data: { Updates: { book_diffs: entries.map(({ raw }) => raw), ...more } } });
    expect(rawStatuses(message({}), entries)).toEqual([JSON.stringify(statuses).slice(1, -1), '', null]);
    const note = { order_statuses: [], book_diffs: [] };
    expect(rawStatuses(message({ note }), entries)).toEqual([null, null, null]);
  });

  test('[L4-20] equals the statuses or is null, for any message', () => {
    const names = fc.constantFrom('order_statuses', 'book_diffs', 'time', '],"book_diffs":[', '"order_statuses":[');
    const value = fc.oneof(fc.jsonValue(), fc.dictionary(names, fc.array(names)), fc.array(names));
    fc.assert(
      fc.property(fc.dictionary(names, value), fc.array(value), (others, list) => {
        const updates = JSON.parse(JSON.stringify({ ...others, order_statuses: list, book_diffs: [] }));
        const text = cut(updates, []);
        // Parsed from text, like the value it is compared with: a generated list may contain −0, which JSON writes as 0.
        expect(text === null ? updates.order_statuses : JSON.parse(`[${text}]`)).toEqual(updates.order_statuses);
      }),
    );
  });
});

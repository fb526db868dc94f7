import { inflateRawSync } from 'node:zlib';
import { diff, order, orderStatus } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import { entryTexts } from './entry-text.ts';
import type { SequencedEntry } from './upstream-block.ts';

const NOTHING_WANTED = { all: false, book: false };

const base = { oid: 1, user: order().user ?? '0x0', px: '100.0', side: 'B' } as const;

function entry(fields: Partial<SequencedEntry> = {}): SequencedEntry {
  return {
    coin: 'xyz:GOLD',
    seq: 5,
    prevSeq: 4,
    changes: [{ kind: 'insert', ...base, sz: '1.0', insertBefore: null }],
    diffs: [{ ...diff.insert('1.0') }],
    statuses: [],
    statusesText: null,
    ...fields,
  };
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const read = (bytes: Uint8Array) => JSON.parse(textOf(bytes));

describe('the text of an entry', () => {
  test('[L4-17, L4-22, L4-23] has the fields of the specification, in its order', () => {
    const { all } = entryTexts(entry({ statuses: [orderStatus(order())] }), NOTHING_WANTED);
    expect(Object.keys(read(all.plain))).toEqual(['coin', 'seq', 'prev_seq', 'order_statuses', 'book_diffs']);
    expect(read(all.plain)).toMatchObject({ coin: 'xyz:GOLD', seq: 5, prev_seq: 4 });
    expect(textOf(all.plain)).toContain(
      `{"user":"${base.user}","oid":1,"side":"B","px":"100.0","coin":"BTC","raw_book_diff":{"new":{"sz":"1.0"}}}`,
    );
  });

  test('[UP-14] always says the side', () => {
    const { side: _, ...unsided } = diff.insert('1.0');
    const { book } = entryTexts(entry({ diffs: [unsided] }), NOTHING_WANTED);
    expect(read(book.plain).book_diffs[0].side).toBe('B');
  });

  test('[L4-29, DEC-3] passes on what it does not know, and every decimal as it was printed', () => {
    const diffs = [{ ...diff.insert('1.500', { px: '81307.0', insertBefore: 9 }), future: { a: '1.0' } }];
    const { all } = entryTexts(entry({ diffs }), NOTHING_WANTED);
    expect(read(all.plain).book_diffs[0]).toMatchObject({
      px: '81307.0',
      raw_book_diff: { new: { sz: '1.500', insertBefore: 9 } },
      future: { a: '1.0' },
    });
    expect(textOf(entryTexts(entry(), NOTHING_WANTED).all.plain)).not.toContain('insertBefore');
  });

  test('[L4-20, L4-21, L4-36, L4-37] keeps statuses as they are, but their orders name no owner', () => {
    const status = { ...orderStatus(order(), 'someNewStatus'), builder: 7 };
    const owned = { ...status, order: { ...status.order, user: base.user } };
    const { all } = entryTexts(entry({ statuses: [owned] }), NOTHING_WANTED);
    expect(read(all.plain).order_statuses).toEqual([status]);
    expect(read(all.plain).order_statuses[0].time).toBe('2026-05-05T17:39:12.123456789');
  });

  test('[SNAP-21] keeps a null tif, and kinds of orders and conditions nobody heard of', () => {
    const strange = order({ tif: null, orderType: 'Someday Limit', triggerCondition: 'Moon is full' });
    const status = { ...orderStatus(strange), order: { ...strange, user: base.user } };
    const { all } = entryTexts(entry({ statuses: [status] }), NOTHING_WANTED);
    expect(read(all.plain).order_statuses[0].order).toEqual({ ...strange, user: null });
  });

  test('[L4-30, L4-31] has all statuses, or those whose order is in the diffs', () => {
    const statuses = [orderStatus(order({ oid: 1 })), orderStatus(order({ oid: 2 }), 'badAloPxRejected')];
    const { all, book } = entryTexts(entry({ statuses }), NOTHING_WANTED);
    expect(read(all.plain).order_statuses).toEqual(statuses);
    expect(read(book.plain).order_statuses).toEqual(statuses.slice(0, 1));
    expect(read(book.plain).book_diffs).toEqual(read(all.plain).book_diffs);
  });

  test('is compressed where it is wanted, as a piece that can be joined to others', () => {
    const statuses = Array.from({ length: 50 }, (_, oid) => orderStatus(order({ oid }), 'badAloPxRejected'));
    const { all, book } = entryTexts(entry({ statuses }), { all: true, book: false });
    expect(book.deflated).toBeNull();
    const piece = Buffer.from(all.deflated ?? []);
    expect(piece.length).toBeLessThan(all.plain.length / 4);
    // Two pieces one behind the other are one stream of both texts, each without its closing brace.
    const both = inflateRawSync(Buffer.concat([piece, piece]), { finishFlush: 2 });
    expect(both.toString()).toBe(textOf(all.plain).slice(0, -1).repeat(2));
  });
});

import { inflateRawSync } from 'node:zlib';
import { diff, order, orderStatus } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import { type EntryText, NO_TEXTS_WANTED } from '../api.ts';
import { entryTexts } from './entry-text.ts';
import type { SequencedEntry } from './upstream-block.ts';

const ALL = { ...NO_TEXTS_WANTED, all: true };

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

const textOf = (text: EntryText | null) => Buffer.from(text?.plain ?? []).toString();
const read = (text: EntryText | null) => JSON.parse(textOf(text));

describe('the text of an entry', () => {
  test('[L4-17, L4-22, L4-23] has the fields of the specification, in its order', () => {
    const { all } = entryTexts(entry({ statuses: [orderStatus(order())] }), ALL);
    expect(Object.keys(read(all))).toEqual(['coin', 'seq', 'prev_seq', 'order_statuses', 'book_diffs']);
    expect(read(all)).toMatchObject({ coin: 'xyz:GOLD', seq: 5, prev_seq: 4 });
    expect(textOf(all)).toContain(
      `{"user":"${base.user}","oid":1,"side":"B","px":"100.0","coin":"BTC","raw_book_diff":{"new":{"sz":"1.0"}}}`,
    );
  });

  test('[UP-14] always has the side', () => {
    const { side: _, ...unsided } = diff.insert('1.0');
    const { book } = entryTexts(entry({ diffs: [unsided] }), ALL);
    expect(read(book).book_diffs[0].side).toBe('B');
  });

  test('[L4-28, DEC-3] passes on unknown fields, and every decimal as printed', () => {
    const diffs = [{ ...diff.insert('1.500', { px: '81307.0', insertBefore: 9 }), future: { a: '1.0' } }];
    const { all } = entryTexts(entry({ diffs }), ALL);
    expect(read(all).book_diffs[0]).toMatchObject({
      px: '81307.0',
      raw_book_diff: { new: { sz: '1.500', insertBefore: 9 } },
      future: { a: '1.0' },
    });
    expect(textOf(entryTexts(entry(), ALL).all)).not.toContain('insertBefore');
  });

  test('[L4-20, L4-21, L4-36] keeps statuses unchanged, except that their orders have no owner', () => {
    const status = { ...orderStatus(order(), 'someNewStatus'), builder: 7 };
    const owned = { ...status, order: { ...status.order, user: base.user } };
    const { all } = entryTexts(entry({ statuses: [owned] }), ALL);
    expect(read(all).order_statuses).toEqual([status]);
    expect(read(all).order_statuses[0].time).toBe('2026-05-05T17:39:12.123456789');
  });

  test('[L4-30, L4-31] has all statuses, or only those of orders in the diffs', () => {
    const statuses = [orderStatus(order({ oid: 1 })), orderStatus(order({ oid: 2 }), 'badAloPxRejected')];
    const { all, book } = entryTexts(entry({ statuses }), ALL);
    expect(read(all).order_statuses).toEqual(statuses);
    expect(read(book).order_statuses).toEqual(statuses.slice(0, 1));
    expect(read(book).book_diffs).toEqual(read(all).book_diffs);
  });

  test('has all statuses only if they have a reader and were read', () => {
    const statuses = [orderStatus(order({ oid: 1 }))];
    const others = { statuses: [...statuses, orderStatus(order({ oid: 2 }))] };
    expect(entryTexts(entry(others), NO_TEXTS_WANTED)).toMatchObject({ all: null, book: { deflated: null } });
    expect(entryTexts(entry({ statuses }), NO_TEXTS_WANTED).all).toBeNull();
    // Neither text nor objects of the other statuses are available.
    const unread = { statuses, statusesText: null, hasOtherStatuses: true };
    const texts = entryTexts(entry(unread), ALL);
    expect(texts.all).toBeNull();
    expect(read(texts.book).order_statuses).toEqual(statuses);
    const { all, book } = entryTexts(entry({ statuses }), ALL);
    expect(all).toBe(book);
  });

  test('is compressed only in the forms that have a reader', () => {
    const statuses = Array.from({ length: 5 }, (_, at) => orderStatus(order({ oid: at })));
    const wanted = { all: true, allDeflated: false, bookDeflated: true };
    const { all, book } = entryTexts(entry({ statuses }), wanted);
    expect([all?.deflated, book.deflated === null]).toEqual([null, false]);
  });

  test('is compressed on request, as a piece that can be concatenated with others', () => {
    const statuses = Array.from({ length: 50 }, (_, oid) => orderStatus(order({ oid }), 'badAloPxRejected'));
    const { all, book } = entryTexts(entry({ statuses }), { all: true, allDeflated: true, bookDeflated: false });
    expect(book.deflated).toBeNull();
    const piece = Buffer.from(all?.deflated ?? []);
    expect(piece.length).toBeLessThan(textOf(all).length / 4);
    // Two concatenated pieces are one stream of both texts, each without its closing brace.
    const both = inflateRawSync(Buffer.concat([piece, piece]), { finishFlush: 2 });
    expect(both.toString()).toBe(textOf(all).slice(0, -1).repeat(2));
  });
});

import { constants, deflateRawSync } from 'node:zlib';
import type { BookChange, OrderStatus } from '@l4desk/protocol';
import type { EntryText, PublishedEntry, TextsWanted } from '../api.ts';
import type { RawObject, SequencedEntry, UpstreamBlock } from './upstream-block.ts';

/** Below this size compression saves too little to be worth its cost. */
const DEFLATE_FROM_BYTES = 256;

/** The JSON of one coin's entry (§2.7): with the diffs' statuses (L4-31), and with all if these have a reader. */
export function entryTexts(entry: SequencedEntry, wanted: TextsWanted): Pick<PublishedEntry, 'all' | 'book'> {
  const { coin, hasOtherStatuses = false, prevSeq, seq, statuses, statusesText } = entry;
  const head = `{"coin":${JSON.stringify(coin)},"seq":${seq},"prev_seq":${prevSeq},"order_statuses":[`;
  const tail = `],"book_diffs":[${diffsJson(entry)}]}`;
  const ofBook = bookStatuses(entry);
  if (!hasOtherStatuses && ofBook.length === statuses.length) {
    const isDeflated = wanted.bookDeflated || (wanted.all && wanted.allDeflated);
    const both = encode(head + (statusesText ?? statusesJson(statuses)) + tail, isDeflated);
    return { all: wanted.all ? both : null, book: both };
  }
  const book = encode(head + statusesJson(ofBook) + tail, wanted.bookDeflated);
  if (!wanted.all) return { all: null, book };
  const allStatuses = statusesText ?? (hasOtherStatuses ? null : statusesJson(statuses));
  return { all: allStatuses === null ? null : encode(head + allStatuses + tail, wanted.allDeflated), book };
}

function encode(text: string, deflate: boolean): EntryText {
  return withDeflated({ plain: Buffer.from(text), deflated: null }, deflate);
}

/** Adds the compressed form to a text if it is wanted and smaller. */
export function withDeflated(text: EntryText, deflate: boolean): EntryText {
  const { plain } = text;
  return deflate && plain.length >= DEFLATE_FROM_BYTES ? { plain, deflated: deflatePiece(plain) } : text;
}

/** Compresses all but the last byte into a piece of DEFLATE that can be concatenated. Null if it is not smaller. */
export function deflatePiece(plain: Uint8Array): Uint8Array | null {
  const piece = deflateRawSync(plain.subarray(0, -1), { level: 1, finishFlush: constants.Z_SYNC_FLUSH });
  return piece.length < plain.length ? piece : null;
}

function diffsJson({ diffs, changes }: SequencedEntry): string {
  return diffs.map((diff, index) => diffJson(diff, changes[index])).join(',');
}

/** A diff as received, including unknown fields, in the field order of the specification and always with a side (UP-14). */
function diffJson(diff: RawObject, change: BookChange | undefined): string {
  const { user, oid, side, px, coin, raw_book_diff, ...rest } = diff;
  return JSON.stringify({ user, oid, side: change?.side ?? side, px, coin, raw_book_diff, ...rest });
}

/** Returns the JSON text of statuses, without brackets. */
export function statusesJson(statuses: readonly OrderStatus[]): string {
  return statuses.map(statusJson).join(',');
}

/** A status as received, except that its order's own `user` is null (L4-21). */
function statusJson(status: OrderStatus): string {
  if (status.order.user === null) return JSON.stringify(status);
  return JSON.stringify({ ...status, order: { ...status.order, user: null } });
}

/** Statuses of orders in a block's diffs: what `"statuses":"book"` requests (L4-31), and all that a book needs. */
export function bookStatuses({
  changes,
  statuses,
}: Pick<UpstreamBlock, 'changes' | 'statuses'>): readonly OrderStatus[] {
  if (changes.length === 0 || statuses.length === 0) return [];
  const oids = new Set(changes.map((change) => change.oid));
  return statuses.filter((status) => oids.has(status.order.oid));
}

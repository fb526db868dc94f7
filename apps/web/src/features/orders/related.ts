import { type OrderChunk, type OrderRow } from './order-chunk.ts';
import { lastOf } from './statistics.ts';

/** Where a row stands among the entries that tell of its order. */
export interface EntryPlace {
  /** From 1, the earliest first. */
  readonly place: number;
  readonly of: number;
}

/** All entries at hand that tell of one order: the same oid of the same wallet, whichever call they come from. Nothing is merged. */
export class Related {
  readonly #byWallet = new Map<string, OrderChunk[]>();
  readonly #places = new WeakMap<OrderRow, EntryPlace>();

  constructor(chunks: readonly OrderChunk[]) {
    for (const chunk of chunks) {
      const known = this.#byWallet.get(chunk.answer.address);
      if (known === undefined) this.#byWallet.set(chunk.answer.address, [chunk]);
      else known.push(chunk);
    }
  }

  /** The earliest first; of one moment in reverse of the answer, which gives the newest first; calls without a time last. */
  entries(row: OrderRow): readonly OrderRow[] {
    const found = (this.#byWallet.get(row.address) ?? []).flatMap((chunk) =>
      this.#ofOrder(chunk, row.order.oid).flatMap((at) => chunk.row(at) ?? []),
    );
    const time = ({ entry }: OrderRow) => entry.statusTimestamp ?? Number.POSITIVE_INFINITY;
    return found.sort((a, b) => (time(a) < time(b) ? -1 : time(a) > time(b) ? 1 : 0));
  }

  placeOf(row: OrderRow): EntryPlace {
    const known = this.#places.get(row);
    if (known !== undefined) return known;
    const entries = this.entries(row);
    const place = { place: entries.indexOf(row) + 1, of: entries.length };
    this.#places.set(row, place);
    return place;
  }

  #ofOrder(chunk: OrderChunk, oid: number): readonly number[] {
    const places = chunk.sameOid(oid).toReversed();
    const last = lastOf(chunk, places);
    return last === undefined ? places : [...places.filter((at) => at !== last), last];
  }
}

import { groupBy } from '../../ui/group-by.ts';
import { type OrderChunk, type OrderRow } from './order-chunk.ts';

/** The position of a row among the entries of its order. */
export interface EntryPlace {
  /** From 1, earliest first. */
  readonly place: number;
  readonly of: number;
}

/** All loaded entries of an order: the same oid of the same wallet, from any call. Nothing is merged. */
export class Related {
  readonly #byWallet: ReadonlyMap<string, readonly OrderChunk[]>;

  constructor(chunks: readonly OrderChunk[]) {
    this.#byWallet = groupBy(chunks, ({ response }) => response.address);
  }

  /** Earliest first, with an order's last entry last. Entries of calls without a status time come after the others. */
  entries(row: OrderRow): readonly OrderRow[] {
    const found = (this.#byWallet.get(row.address) ?? []).flatMap((chunk) => chunk.chronology(row.order.oid));
    return [
      ...found.filter(({ entry }) => entry.statusTimestamp !== undefined),
      ...found.filter(({ entry }) => entry.statusTimestamp === undefined),
    ];
  }

  placeOf(row: OrderRow): EntryPlace {
    const entries = this.entries(row);
    return { place: entries.indexOf(row) + 1, of: entries.length };
  }
}

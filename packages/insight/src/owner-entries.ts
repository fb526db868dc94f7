import type { OrderCursor } from '@l4desk/book';
import { type Address, lowerCaseAddress } from '@l4desk/protocol';

/** What is counted of one owner. `reading` is that of the last order that was counted: older counts are void. */
export interface OwnerEntry {
  /** In lower case; null stands for all orders whose owner is not named (INS-6). */
  readonly user: Address | null;
  reading: number;
  /** Which table it is in: one of an older table is not found any more. */
  table: number;
}

/** Owners that are remembered though no reading finds them any more, in proportion to those that it finds. */
const FORGOTTEN_MAX = 20_000;

/** Stands for the number of an owner that did not come from a cursor. */
const UNNUMBERED = -1;

/**
 * Entries by owner that outlive one reading of a book: the next one finds each owner by the number that the book gives it, where
 * looking up thousands of addresses by their texts costs more than everything else.
 */
export class OwnerEntries<Entry extends OwnerEntry> {
  private readonly create: (user: Address | null) => Entry;
  private readonly empty: (entry: Entry) => void;
  /** By the number of an owner in the book that was read last, with the text that had this number. */
  private byNumber: (Entry | undefined)[] = [];
  private texts: (Address | null | undefined)[] = [];
  private byUser = new Map<Address | null, Entry>();
  private found: Entry[] = [];
  private reading = 0;
  private table = 0;

  /** `create` makes the entry of an owner, whose address is in lower case; `empty` sets its counts back. */
  constructor(create: (user: Address | null) => Entry, empty: (entry: Entry) => void) {
    this.create = create;
    this.empty = empty;
  }

  /** Begins another reading: nothing is counted yet. */
  begin(): void {
    if (this.byUser.size > FORGOTTEN_MAX + this.found.length) {
      this.byNumber = [];
      this.texts = [];
      this.byUser = new Map();
      this.table += 1;
    }
    this.reading += 1;
    this.found = [];
  }

  /** The entry of the owner of a cursor's order, empty at the first one of a reading. */
  of(cursor: OrderCursor): Entry {
    const { user, ownerNumber } = cursor;
    const known = this.texts[ownerNumber] === user ? this.byNumber[ownerNumber] : undefined;
    return this.counted(known ?? this.enter(user, ownerNumber));
  }

  /** The entry of an address in lower case, empty at its first order of a reading. */
  ofUser(user: Address | null): Entry {
    return this.counted(this.entryOf(user));
  }

  /** The entry of an address in lower case, whether it was found by this reading or not: its owner's as long as it is held. */
  entryOf(user: Address | null): Entry {
    return this.byUser.get(user) ?? this.enter(user, UNNUMBERED);
  }

  /** Whether an entry is still that of its owner: then nobody needs to look it up. */
  holds(entry: Entry): boolean {
    return entry.table === this.table;
  }

  /** Whether an entry was found by this reading. */
  has(entry: Entry): boolean {
    return entry.reading === this.reading;
  }

  /** What this reading counted of an address in lower case, if anything. */
  find(user: Address | null): Entry | undefined {
    const entry = this.byUser.get(user);
    return entry !== undefined && this.has(entry) ? entry : undefined;
  }

  /** Every owner of this reading, in the order in which they were found. */
  all(): readonly Entry[] {
    return this.found;
  }

  private counted(entry: Entry): Entry {
    if (entry.reading !== this.reading) {
      entry.reading = this.reading;
      this.empty(entry);
      this.found.push(entry);
    }
    return entry;
  }

  private enter(owner: Address | null, ownerNumber: number): Entry {
    const user = owner === null ? null : lowerCaseAddress(owner);
    const entry = this.byUser.get(user) ?? this.create(user);
    entry.table = this.table;
    this.byUser.set(user, entry);
    if (ownerNumber >= 0) {
      this.texts[ownerNumber] = owner;
      this.byNumber[ownerNumber] = entry;
    }
    return entry;
  }
}

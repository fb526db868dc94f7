import type { OrderCursor } from '@l4desk/book';
import { type Address, lowerCaseAddress } from '@l4desk/protocol';

/**
 * What is counted for one owner. `reading` is the reading that counted its last order: counts of an older reading are invalid.
 */
export interface OwnerEntry {
  /** In lower case; null stands for all orders whose owner is not named. */
  readonly user: Address | null;
  reading: number;
  /** The table that holds it. An entry of an older table can no longer be found. */
  table: number;
}

/** Owners that are kept beyond those that the last reading found; with any more, the table starts over. */
const FORGOTTEN_MAX = 20_000;

/** The number of an owner that did not come from a cursor. */
const UNNUMBERED = -1;

/**
 * Entries by owner that outlive one reading of a book. The next reading finds each owner by the number that the book gives it,
 * because looking up thousands of addresses by text costs more than everything else.
 */
export class OwnerEntries<Entry extends OwnerEntry> {
  private readonly create: (user: Address | null) => Entry;
  private readonly empty: (entry: Entry) => void;
  /** By owner number in the book that was read last, along with the text that had this number. */
  private byNumber: (Entry | undefined)[] = [];
  private texts: (Address | null | undefined)[] = [];
  private byUser = new Map<Address | null, Entry>();
  private found: Entry[] = [];
  private reading = 0;
  private table = 0;

  /** `create` makes the entry of an owner, whose address is in lower case; `empty` resets its counts. */
  constructor(create: (user: Address | null) => Entry, empty: (entry: Entry) => void) {
    this.create = create;
    this.empty = empty;
  }

  /** Begins another reading, with nothing counted yet. */
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

  /** The entry of the owner of a cursor's order; emptied at the owner's first order of a reading. */
  of(cursor: OrderCursor): Entry {
    const { user, ownerNumber } = cursor;
    const known = this.texts[ownerNumber] === user ? this.byNumber[ownerNumber] : undefined;
    return this.counted(known ?? this.enter(user, ownerNumber));
  }

  /** The entry of a lower-case address; emptied at its first order of a reading. */
  ofUser(user: Address | null): Entry {
    return this.counted(this.entryOf(user));
  }

  /**
   * The entry of a lower-case address, whether or not this reading found it. It belongs to its owner as long as `holds` is true.
   */
  entryOf(user: Address | null): Entry {
    return this.byUser.get(user) ?? this.enter(user, UNNUMBERED);
  }

  /** Whether an entry is still that of its owner, so that it need not be looked up again. */
  holds(entry: Entry): boolean {
    return entry.table === this.table;
  }

  /** Whether this reading found an entry. */
  has(entry: Entry): boolean {
    return entry.reading === this.reading;
  }

  /** What this reading counted for a lower-case address; undefined if nothing. */
  find(user: Address | null): Entry | undefined {
    const entry = this.byUser.get(user);
    return entry !== undefined && this.has(entry) ? entry : undefined;
  }

  /** Every owner of this reading, in the order found. */
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

/** A connection as its unsent bytes are counted. */
export interface Sender {
  readonly accountId: string;
  /** Bytes that were written to it and that the system has not taken yet. */
  readonly unsentBytes: number;
  /** Destroys it as too slow: unsent data is discarded, and unsentBytes no longer matters. */
  cut(): void;
}

export interface UnsentBytesLimits {
  /** Most unsent bytes of all connections of an account together. */
  readonly accountMax: number;
  /** Most unsent bytes of all connections together. */
  readonly totalMax: number;
}

/**
 * What the stream's connections were sent and have not taken, together and by account (D30). Each connection has a bound of
 * its own; these hold where many are slow at once, or on purpose. Past one of them the connection with most is cut: of the
 * account that is over its bound, or of the account with most.
 *
 * Counts are as old as the last write of each connection, and too high where a part was taken since. So they are counted again
 * before a connection is cut, and before they are shown.
 */
export class UnsentBytes {
  readonly #limits: UnsentBytesLimits;
  readonly #counted = new Map<Sender, number>();
  readonly #accounts = new Map<string, number>();
  #total = 0;

  constructor(limits: UnsentBytesLimits) {
    this.#limits = limits;
  }

  /** Of all connections, now. */
  get total(): number {
    this.#countAll();
    return this.#total;
  }

  /** To be called when a connection was written to, unless it had nothing unsent before and after. */
  note(sender: Sender): void {
    const { accountMax, totalMax } = this.#limits;
    const { accountId } = sender;
    this.#count(sender, sender.unsentBytes);
    if (this.#ofAccount(accountId) <= accountMax && this.#total <= totalMax) return;
    this.#countAll();
    while (this.#ofAccount(accountId) > accountMax) this.#cutMostOf(accountId);
    while (this.#total > totalMax) this.#cutMostOf(most(this.#accounts));
  }

  /** A connection has gone. */
  forget(sender: Sender): void {
    this.#count(sender, 0);
  }

  #ofAccount(accountId: string): number {
    return this.#accounts.get(accountId) ?? 0;
  }

  #cutMostOf(accountId: string): void {
    const sender = most(new Map([...this.#counted].filter(([{ accountId: of }]) => of === accountId)));
    this.forget(sender);
    sender.cut();
  }

  #countAll(): void {
    for (const sender of this.#counted.keys()) this.#count(sender, sender.unsentBytes);
  }

  #count(sender: Sender, bytes: number): void {
    const { accountId } = sender;
    const more = bytes - (this.#counted.get(sender) ?? 0);
    const ofAccount = this.#ofAccount(accountId) + more;
    this.#total += more;
    if (bytes > 0) this.#counted.set(sender, bytes);
    else this.#counted.delete(sender);
    if (ofAccount > 0) this.#accounts.set(accountId, ofAccount);
    else this.#accounts.delete(accountId);
  }
}

/** The key with the highest count of a map that is not empty. */
function most<K>(counts: ReadonlyMap<K, number>): K {
  let found: readonly [key: K, count: number] | undefined;
  for (const entry of counts) if (found === undefined || entry[1] > found[1]) found = entry;
  if (found === undefined) throw new Error('nothing is counted');
  return found[0];
}

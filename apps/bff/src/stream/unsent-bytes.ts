/** A connection whose unsent bytes are counted. */
export interface Sender {
  readonly accountId: string;
  /** Bytes written to it that the system has not accepted yet. */
  readonly unsentBytes: number;
  /** Terminates it as too slow. Unsent data is discarded, and `unsentBytes` no longer matters. */
  cut(): void;
}

export interface UnsentBytesLimits {
  /** Maximum total unsent bytes of an account's connections. */
  readonly accountMax: number;
  /** Maximum total unsent bytes of all connections. */
  readonly totalMax: number;
}

/**
 * Bounds the unsent bytes of the stream's connections, in total and per account (D30). Each connection also has its own
 * limit; these limits apply if many are slow at once, perhaps on purpose. If one is exceeded, the connection with the most
 * unsent bytes is terminated: in the account that exceeds its limit, or in the account with the most.
 *
 * Counts date from the last write of each connection, and are too high if part was sent since. So they are refreshed before
 * a connection is terminated, and before they are reported.
 */
export class UnsentBytes {
  readonly #limits: UnsentBytesLimits;
  readonly #counted = new Map<Sender, number>();
  readonly #accounts = new Map<string, number>();
  #total = 0;

  constructor(limits: UnsentBytesLimits) {
    this.#limits = limits;
  }

  /** Current unsent bytes of all connections. */
  get total(): number {
    this.#countAll();
    return this.#total;
  }

  /** Must be called after each write to a connection, unless it had nothing unsent before and after. */
  note(sender: Sender): void {
    const { accountMax, totalMax } = this.#limits;
    const { accountId } = sender;
    this.#count(sender, sender.unsentBytes);
    if (this.#ofAccount(accountId) <= accountMax && this.#total <= totalMax) return;
    this.#countAll();
    while (this.#ofAccount(accountId) > accountMax) this.#cutMostOf(accountId);
    while (this.#total > totalMax) this.#cutMostOf(most(this.#accounts));
  }

  /** Called when a connection has closed. */
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

/** The key with the highest count. The map must not be empty. */
function most<K>(counts: ReadonlyMap<K, number>): K {
  let found: readonly [key: K, count: number] | undefined;
  for (const entry of counts) if (found === undefined || entry[1] > found[1]) found = entry;
  if (found === undefined) throw new Error('nothing is counted');
  return found[0];
}

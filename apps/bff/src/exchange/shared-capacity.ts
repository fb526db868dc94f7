/** Who uses a shared capacity: an account, or the service itself (undefined). */
export type User = string | undefined;

/** Whether a use fits: it does, the account has its share already, or there is no room at all. */
export type Fit = 'fits' | 'over-share' | 'full';

/**
 * The most that one account may use, as a multiple of what is left free beside it. Alone it gets four fifths, each of n
 * busy accounts 4/(4n + 1), and something always stays free for an account that comes later (UP-24).
 */
const SHARE_OF_FREE = 4;

/** What one user finds of a capacity, at one moment. */
export interface Room {
  /** Left to use; for an account without the reserve. */
  readonly free: number;
  /** Used by the account that asks; undefined for the service, which has no share to keep to. */
  readonly mine: number | undefined;
}

/** Whether `amount` more may be used. The first use of an account needs nothing but room. */
export function fitOf({ free, mine }: Room, amount: number): Fit {
  if (amount > free) return 'full';
  return mine === undefined || mine === 0 || mine + amount <= SHARE_OF_FREE * (free - amount) ? 'fits' : 'over-share';
}

/** A capacity that accounts share, with a reserve that only the service itself may use (UP-25). */
export class SharedCapacity {
  readonly #total: number;
  #reserve = 0;
  #byService = 0;
  #byAccounts = 0;
  readonly #byAccount = new Map<string, number>();

  constructor(total: number) {
    this.#total = total;
  }

  /** Keeps `amount` for the service itself, but never more than half. */
  reserve(amount: number): void {
    this.#reserve = Math.min(amount, Math.floor(this.#total / 2));
  }

  /** The most that one use can ever get. */
  mostOf(user: User): number {
    return user === undefined ? this.#total : this.#total - this.#reserve;
  }

  get used(): number {
    return this.#byService + this.#byAccounts;
  }

  usedBy(user: User): number {
    return user === undefined ? this.#byService : (this.#byAccount.get(user) ?? 0);
  }

  room(user: User): Room {
    if (user === undefined) return { free: this.#total - this.used, mine: undefined };
    const held = Math.max(this.#reserve, this.#byService);
    return { free: this.#total - held - this.#byAccounts, mine: this.usedBy(user) };
  }

  fit(user: User, amount: number): Fit {
    return fitOf(this.room(user), amount);
  }

  /** Counts a use; a negative one gives back. */
  add(user: User, amount: number): void {
    if (user === undefined) {
      this.#byService += amount;
      return;
    }
    this.#byAccounts += amount;
    const mine = this.usedBy(user) + amount;
    if (mine === 0) this.#byAccount.delete(user);
    else this.#byAccount.set(user, mine);
  }
}

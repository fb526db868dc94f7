/** Who uses a shared capacity: an account, or the service itself (undefined). */
export type User = string | undefined;

/** Whether a use fits. `over-share`: the account would exceed its share. `full`: there is no capacity left. */
export type Fit = 'fits' | 'over-share' | 'full';

/**
 * Maximum that one account may use, as a multiple of what stays free. A single account gets four fifths, each of n busy
 * accounts 4/(4n + 1), and some capacity always stays free for an account that comes later (UP-24).
 */
const SHARE_OF_FREE = 4;

/** The state of a capacity as seen by one user. */
export interface Room {
  /** Free capacity; for an account this excludes the reserve. */
  readonly free: number;
  /** Used by this account; undefined for the service, which has no share limit. */
  readonly mine: number | undefined;
}

/** Whether `amount` more may be used. The share limit does not apply to an account that uses nothing yet. */
export function fitOf({ free, mine }: Room, amount: number): Fit {
  if (amount > free) return 'full';
  return mine === undefined || mine === 0 || mine + amount <= SHARE_OF_FREE * (free - amount) ? 'fits' : 'over-share';
}

/** A capacity shared by accounts, with a reserve that only the service itself may use (UP-25). */
export class SharedCapacity {
  readonly #total: number;
  #reserve = 0;
  #byService = 0;
  #byAccounts = 0;
  readonly #byAccount = new Map<string, number>();

  constructor(total: number) {
    this.#total = total;
  }

  /** Reserves `amount` for the service itself, at most half of the total. */
  reserve(amount: number): void {
    this.#reserve = Math.min(amount, Math.floor(this.#total / 2));
  }

  /** Maximum that a single use can ever get. */
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

  /** Adds to a user's usage; a negative amount releases it. */
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

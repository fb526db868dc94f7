import type { Side } from '@l4desk/protocol';
import type { Account } from './order.ts';

/** What an account has of one coin. Money is in the units of the coin's scale, price times lots. */
export interface Position {
  /** Above zero long, below zero short. */
  readonly lots: number;
  /** What the lots it holds now were entered at, together; never below zero. */
  readonly entry: number;
  /** Received minus paid, over all its trades. */
  readonly cash: number;
}

const NONE: Position = { lots: 0, entry: 0, cash: 0 };

/** Who holds how many lots of one coin. Lots and cash always sum to what they started with. */
export class Positions {
  readonly #positions = new Map<Account, Position>();
  #long = 0;

  /** Lots held long, which are as many as those held short. */
  get openInterest(): number {
    return this.#long;
  }

  of(account: Account): Position {
    return this.#positions.get(account) ?? NONE;
  }

  /** Everybody who has ever traded. */
  all(): Iterable<readonly [Account, Position]> {
    return this.#positions;
  }

  /** How many lots an order on `side` may still trade without growing or turning the account's position. */
  reducible(account: Account, side: Side): number {
    const { lots } = this.of(account);
    return Math.max(side === 'A' ? lots : -lots, 0);
  }

  /** The account bought `lots` at `px`, or sold when below zero. */
  add(account: Account, lots: number, px: number): void {
    const before = this.of(account);
    const now = before.lots + lots;
    this.#long += Math.max(now, 0) - Math.max(before.lots, 0);
    this.#positions.set(account, { lots: now, entry: entryAfter(before, now, px), cash: before.cash - lots * px });
  }

  /** Pays the account, or takes from it when below zero. */
  pay(account: Account, amount: number): void {
    const before = this.of(account);
    this.#positions.set(account, { ...before, cash: before.cash + amount });
  }
}

/** What grows is added at its price, what shrinks leaves at the average, what turns starts again. */
function entryAfter({ lots, entry }: Position, now: number, px: number): number {
  const held = Math.abs(lots);
  const left = Math.abs(now);
  if (lots !== 0 && Math.sign(now) !== Math.sign(lots)) return left * px;
  if (left >= held) return entry + (left - held) * px;
  return Number((BigInt(entry) * BigInt(left)) / BigInt(held));
}

import type { Side } from '@l4desk/protocol';
import type { Account } from './order.ts';

/** An account's position in one coin. Money is in the units of the coin's scale: price times lots. */
export interface Position {
  /** Positive when long, negative when short. */
  readonly lots: number;
  /** Total entry value of the lots held now; never negative. */
  readonly entry: number;
  /** Money received minus money paid, over all trades. */
  readonly cash: number;
}

const NONE: Position = { lots: 0, entry: 0, cash: 0 };

/** The positions of all accounts in one coin. The sums of all lots and of all cash do not change when accounts trade. */
export class Positions {
  readonly #positions = new Map<Account, Position>();
  #long = 0;

  /** Total lots held long, which equals the total held short. */
  get openInterest(): number {
    return this.#long;
  }

  of(account: Account): Position {
    return this.#positions.get(account) ?? NONE;
  }

  /** Every account that has ever traded. */
  all(): Iterable<readonly [Account, Position]> {
    return this.#positions;
  }

  /** How many lots an order on `side` can trade without increasing or reversing the account's position. */
  reducible(account: Account, side: Side): number {
    const { lots } = this.of(account);
    return Math.max(side === 'A' ? lots : -lots, 0);
  }

  /** Records that the account bought `lots` at `px`; negative lots are a sale. */
  add(account: Account, lots: number, px: number): void {
    const before = this.of(account);
    const now = before.lots + lots;
    this.#long += Math.max(now, 0) - Math.max(before.lots, 0);
    this.#positions.set(account, { lots: now, entry: entryAfter(before, now, px), cash: before.cash - lots * px });
  }

  /** Pays the account `amount`, or charges it if negative. */
  pay(account: Account, amount: number): void {
    const before = this.of(account);
    this.#positions.set(account, { ...before, cash: before.cash + amount });
  }
}

/** What was earned between two states of a position without a payment: the money received, and what the lots held cost. */
export function closedPnl(before: Position, after: Position): number {
  const cost = ({ lots, entry }: Position) => (lots < 0 ? -entry : entry);
  return after.cash - before.cash + cost(after) - cost(before);
}

/** An increase adds at its price, a reduction leaves at the average entry price, a reversal starts again at its price. */
function entryAfter({ lots, entry }: Position, now: number, px: number): number {
  const held = Math.abs(lots);
  const left = Math.abs(now);
  if (lots !== 0 && Math.sign(now) !== Math.sign(lots)) return left * px;
  if (left >= held) return entry + (left - held) * px;
  return Number((BigInt(entry) * BigInt(left)) / BigInt(held));
}

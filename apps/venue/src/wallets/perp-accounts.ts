import { coinDex } from '@l4desk/protocol';
import type { CoinEngine } from '../engine/coin-engine.ts';
import type { Account } from '../engine/order.ts';
import type { Position } from '../engine/positions.ts';
import { seededRandom } from '../engine/random.ts';
import type { CoinListing } from '../market/catalogue.ts';
import type { FundingLedger } from '../market/funding-ledger.ts';
import { Wallet, type WalletRole } from './wallet.ts';

/** An open position, with the data that its margin depends on. */
export interface OpenPosition extends Position {
  readonly coin: CoinListing;
  readonly engine: CoinEngine;
  readonly leverage: number;
  /** Funding paid on the coin so far, in millionths of a dollar. */
  readonly fundingPaid: number;
}

/**
 * A wallet's perp account on one dex. `cash` is in millionths of a dollar: its deposit plus the results of its trades and
 * funding.
 */
export interface PerpAccount {
  readonly cash: number;
  readonly positions: readonly OpenPosition[];
}

export const NO_PERP_ACCOUNT: PerpAccount = { cash: 0, positions: [] };

const DOLLAR = 1_000_000;

/** Maximum deposit per role in dollars; the minimum is a quarter of it. Covers every position that the role can reach. */
const DEPOSITS: Readonly<Record<WalletRole, number>> = {
  maker: 40_000_000,
  taker: 40_000_000,
  wall: 80_000_000,
  bracket: 20_000_000,
  racer: 5_000_000,
  stretched: 49,
  careless: 20_000,
  stacker: 400_000_000,
  spot: 0,
  archive: 250_000,
  empty: 0,
  crowd: 2_000_000,
};

/** Divides the deposit of a wallet that trades on a builder dex, to give its deposit there. */
const BUILDER_SHARE = 10;

const LEVERAGES = [3, 5, 10, 20, 40] as const;

/** Perp accounts, computed from deposits, which derive from seed and address, and from the engines' positions. */
export class PerpAccounts {
  readonly #seed: string;
  readonly #coins: readonly { readonly listing: CoinListing; readonly engine: CoinEngine }[];
  readonly #funding: FundingLedger;

  constructor(
    seed: string,
    coins: Iterable<{ readonly listing: CoinListing; readonly engine: CoinEngine }>,
    funding: FundingLedger,
  ) {
    this.#seed = seed;
    this.#coins = [...coins];
    this.#funding = funding;
  }

  of(account: Account, dex: string): PerpAccount {
    const chance = seededRandom(`${this.#seed}/perp/${account.address}`);
    const leverage = chance.pick(LEVERAGES);
    const most = account instanceof Wallet ? DEPOSITS[account.role] : 0;
    const deposit = chance.between(Math.floor(most / 4), most) * DOLLAR + (most === 0 ? 0 : chance.int(DOLLAR));
    let cash = 0;
    let traded = false;
    const positions: OpenPosition[] = [];
    const fundingPaid = this.#funding.paidBy(account);
    for (const { listing, engine } of this.#coins) {
      if (coinDex(listing.name) !== dex) continue;
      const position = engine.positions.of(account);
      traded ||= position.cash !== 0 || position.lots !== 0;
      cash += position.cash;
      if (position.lots === 0) continue;
      positions.push({
        ...position,
        coin: listing,
        engine,
        leverage: Math.min(leverage, listing.maxLeverage),
        fundingPaid: fundingPaid.get(engine) ?? 0,
      });
    }
    if (dex === '') return { cash: cash + deposit, positions };
    return { cash: cash + (traded ? Math.floor(deposit / BUILDER_SHARE) : 0), positions };
  }
}

import type { Address, DecimalString, FullOrder, HistoricalOrder, Side } from '@l4desk/protocol';
import type { CoinScale } from '../engine/scale.ts';
import type { ListedCoin } from '../feed/source.ts';
import type { DelistedFunding, DelistedListing } from '../market/delisted.ts';
import type { SpotPair, SpotToken } from '../market/spot-catalogue.ts';
import type { PerpAccount } from '../wallets/perp-accounts.ts';
import type { SpotBalance } from '../wallets/spot-balances.ts';
import type { UserFill } from './user-fill.ts';

/** One price level of a side of a book, in ticks and lots. */
export interface DepthLevel {
  readonly px: number;
  readonly lots: number;
  readonly count: number;
}

/** One market, perp or spot, as the info API sees it. */
export interface MarketView {
  readonly name: string;
  readonly scale: CoinScale;
  /** In ticks; 0 if there has never been a price. */
  readonly mark: number;
  /** The price a day earlier, in ticks. */
  readonly prevDayPx: number;
  /** Volume of the last day, in lots and as a notional in the scale's unit. */
  readonly volume: { readonly lots: number; readonly notional: number };
  /** In lots; 0 for a spot pair. */
  readonly openInterest: number;
  /** Levels, best price first. */
  depth(side: Side): Iterable<DepthLevel>;
}

/** Hourly funding of one perp. */
export type FundingHours = Pick<DelistedFunding, 'between' | 'at'>;

/** One funding payment of a wallet. */
export interface FundingPayment {
  readonly time: number;
  readonly coin: string;
  /** Amount received; negative if the wallet paid. */
  readonly usdc: DecimalString;
  readonly szi: DecimalString;
  readonly fundingRate: DecimalString;
}

/** The data behind the responses of the info API: the simulated market, or what a capture contains. */
export interface Exchange {
  readonly time: number;
  /** Perps in the order of `meta`. */
  readonly coins: readonly ListedCoin[];
  /** Perps that `meta` lists after `coins` although they no longer trade. */
  readonly delisted: readonly DelistedListing[];
  readonly spotPairs: readonly SpotPair[];
  readonly spotTokens: readonly SpotToken[];
  /** A perp by its name, or a spot pair by `@<N>` or its canonical name; null if it is not listed. */
  market(name: string): MarketView | null;
  /** Resting orders and waiting triggers of all coins, newest first. */
  openOrders(user: Address): readonly FullOrder[];
  /** Statuses of open and finished orders of all coins, newest first. */
  history(user: Address): readonly HistoricalOrder[];
  /** The last executions of all coins, newest first. */
  fills(user: Address): readonly UserFill[];
  /** Finds an order by oid, or by client order id in lower case, with its current state. */
  findOrder(user: Address, id: number | string): HistoricalOrder | null;
  spotBalances(user: Address): readonly SpotBalance[];
  /** The wallet's USDC and tokens that are not tied up by holds or margin; null if the exchange does not report it. */
  availableAfterMaintenance(user: Address): readonly (readonly [token: number, amount: DecimalString])[] | null;
  /** The master of a sub-account; null for any other wallet. */
  masterOf(user: Address): Address | null;
  perpAccount(user: Address, dex: string): PerpAccount;
  /** Includes delisted perps. Null for a coin that is not a listed perp. */
  funding(coin: string): FundingHours | null;
  /** Oldest first. */
  userFunding(user: Address): readonly FundingPayment[];
}

import type { Address, DecimalString, FullOrder, HistoricalOrder, Side } from '@l4desk/protocol';
import type { CoinScale } from '../engine/scale.ts';
import type { ListedCoin } from '../feed/source.ts';
import type { DelistedFunding, DelistedListing } from '../market/delisted.ts';
import type { SpotPair, SpotToken } from '../market/spot-catalogue.ts';
import type { PerpAccount } from '../wallets/perp-accounts.ts';
import type { SpotBalance } from '../wallets/spot-balances.ts';

/** One price of a side of a book, in ticks and lots. */
export interface DepthLevel {
  readonly px: number;
  readonly lots: number;
  readonly count: number;
}

/** What the info API sees of one market, perp or spot. */
export interface MarketView {
  readonly name: string;
  readonly scale: CoinScale;
  /** In ticks; 0 when there has never been a price. */
  readonly mark: number;
  /** A day before, in ticks. */
  readonly prevDayPx: number;
  /** Of the last day, in lots and in the scale's money. */
  readonly volume: { readonly lots: number; readonly notional: number };
  /** In lots; of a spot pair 0. */
  readonly openInterest: number;
  /** From the best price outward. */
  depth(side: Side): Iterable<DepthLevel>;
}

/** Hourly funding of one perp. */
export type FundingHours = Pick<DelistedFunding, 'between' | 'at'>;

/** One funding payment of a wallet. */
export interface FundingPayment {
  readonly time: number;
  readonly coin: string;
  /** What the wallet got; below zero it paid. */
  readonly usdc: DecimalString;
  readonly szi: DecimalString;
  readonly fundingRate: DecimalString;
}

/** What the responses of the info API are made from: the simulated market, or what a capture knows. */
export interface Exchange {
  readonly time: number;
  /** Perps in the order of `meta`. */
  readonly coins: readonly ListedCoin[];
  /** Perps that `meta` lists behind them though they trade no more. */
  readonly delisted: readonly DelistedListing[];
  readonly spotPairs: readonly SpotPair[];
  readonly spotTokens: readonly SpotToken[];
  /** A perp by its name or a spot pair by `@<N>` or its canonical name; null for one that is not listed. */
  market(name: string): MarketView | null;
  /** Resting orders and waiting triggers over all coins, newest first. */
  openOrders(user: Address): readonly FullOrder[];
  /** Open and finalized orders over all coins, newest first. */
  history(user: Address): readonly HistoricalOrder[];
  /** By oid, or by client order id in lower case; as the order stands now. */
  findOrder(user: Address, id: number | string): HistoricalOrder | null;
  spotBalances(user: Address): readonly SpotBalance[];
  /** What the wallet has of its USDC and tokens beyond what holds and margin take; null where the exchange does not report it. */
  availableAfterMaintenance(user: Address): readonly (readonly [number, DecimalString])[] | null;
  perpAccount(user: Address, dex: string): PerpAccount;
  /** Of delisted perps too. Null for a coin that is not a listed perp. */
  funding(coin: string): FundingHours | null;
  /** Oldest first. */
  userFunding(user: Address): readonly FundingPayment[];
}

/** What the service can say about a coin name (D13). `not-loaded`: the universe was never read yet, so nothing is known. */
export type CoinClass = 'served' | 'unknown' | 'unsupported' | 'not-loaded';

/** The perp coins that upstream trades: its `meta` and the `meta` of each builder dex, refreshed every minute (D13). */
export interface CoinUniverse {
  /** Spot and outcome names are `unsupported` by their spelling alone; matching is exact, letter case counts. */
  classify(coin: string): CoinClass;
}

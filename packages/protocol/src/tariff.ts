/** What an operation costs, in credits (§1). */
export const TARIFF = {
  batchSpotClearinghouseState: 25,
  batchClearinghouseState: 25,
  infoCall: 1,
  /** Per subscribed coin and started minute. */
  l4BookUpdatesPerCoinMinute: 1,
} as const;

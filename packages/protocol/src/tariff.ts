import { PASSED_KIND_NAMES, type PassThroughKind } from './info/passed-names.ts';

/** The cost of each operation, in credits (§1). */
export const TARIFF = {
  batchSpotClearinghouseState: 25,
  batchClearinghouseState: 25,
  infoCall: 1,
  /** Per subscribed coin and started minute. */
  l4BookUpdatesPerCoinMinute: 1,
  /** Per subscription to a relayed channel and started minute. */
  relayedPerMinute: 1,
} as const;

/** The cost of one successful call of each query kind, in credits (§1, D15). Failed and refused calls are free. */
export const INFO_CREDITS = {
  batchSpotClearinghouseState: TARIFF.batchSpotClearinghouseState,
  batchClearinghouseState: TARIFF.batchClearinghouseState,
  openOrders: TARIFF.infoCall,
  historicalOrders: TARIFF.infoCall,
  maxMarketOrderNtls: TARIFF.infoCall,
  fundingHistory: TARIFF.infoCall,
  l4BookSnapshot: TARIFF.infoCall,
  ...passedCredits(),
} as const;

function passedCredits(): Readonly<Record<PassThroughKind, number>> {
  return Object.fromEntries(PASSED_KIND_NAMES.map((kind) => [kind, TARIFF.infoCall])) as Record<
    PassThroughKind,
    number
  >;
}

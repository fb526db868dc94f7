import type { InfoKind } from './info/kinds.ts';

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

/** The cost of one successful call of a query kind, in credits (§1, D15). Failed and refused calls are free. */
export function infoCredits(kind: InfoKind): number {
  const own: Readonly<Partial<Record<InfoKind, number>>> = TARIFF;
  return own[kind] ?? TARIFF.infoCall;
}

import { outcomeKind } from './outcome.ts';
import { flagOf, type OrderCall, type OrderEntry, textOf } from './reported-order.ts';

const UNREPORTED = 'unreported';

export const FACET_IDS = ['coin', 'side', 'status', 'outcome', 'type', 'tif', 'ro', 'trigger', 'tpsl'] as const;

export type FacetId = (typeof FACET_IDS)[number];

interface FacetKind {
  readonly name: string;
  /** The value of an entry, as in the address. */
  readonly valueOf: (call: OrderCall, entry: OrderEntry) => string;
}

const yesNo =
  (field: string) =>
  (_: OrderCall, { order }: OrderEntry) => {
    const value = flagOf(order, field);
    return value === undefined ? UNREPORTED : value ? 'yes' : 'no';
  };

export const FACETS: Readonly<Record<FacetId, FacetKind>> = {
  coin: { name: 'Coin', valueOf: (_, { order }) => order.coin },
  side: { name: 'Side', valueOf: (_, { order }) => order.side },
  status: { name: 'Status', valueOf: (_, { status }) => status ?? UNREPORTED },
  outcome: { name: 'Outcome', valueOf: outcomeKind },
  type: { name: 'Type', valueOf: (_, { order }) => textOf(order, 'orderType') ?? UNREPORTED },
  tif: {
    name: 'TIF',
    valueOf: (_, { order }) => (order.tif === null ? 'null' : (textOf(order, 'tif') ?? UNREPORTED)),
  },
  ro: { name: 'Reduce-only', valueOf: yesNo('reduceOnly') },
  trigger: { name: 'Trigger', valueOf: yesNo('isTrigger') },
  tpsl: { name: 'TP/SL', valueOf: yesNo('isPositionTpsl') },
};

export function facetText(facet: FacetId, value: string, coinText: (coin: string) => string): string {
  if (value === UNREPORTED) return 'not reported';
  if (facet === 'coin') return coinText(value);
  if (facet === 'side') return value === 'B' ? 'Buy (B)' : value === 'A' ? 'Sell (A)' : value;
  return value;
}

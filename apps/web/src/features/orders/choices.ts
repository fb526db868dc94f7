import type { TableSort } from '../../ui/table/table-column.ts';
import { FACET_IDS, FACETS, type FacetId, facetText } from './facets.ts';
import type { OrderFilter } from './order-table.ts';
import type { ordersSearch } from './search.ts';

export type OrdersChoices = ReturnType<typeof ordersSearch.read>;

/** Days in the wrong order select nothing: they count as absent, and are named in the notice. */
export function withoutReversedDays(choices: OrdersChoices): OrdersChoices {
  return areReversed(choices) ? { ...choices, from: undefined, to: undefined } : choices;
}

function areReversed({ from, to }: OrdersChoices): boolean {
  return from !== undefined && to !== undefined && from > to;
}

export const NO_FILTERS: OrdersChoices = {
  ...(Object.fromEntries(FACET_IDS.map((facet) => [facet, undefined])) as Record<FacetId, undefined>),
  q: undefined,
  from: undefined,
  to: undefined,
};

export function isFiltered(choices: OrdersChoices): boolean {
  const { q, from, to } = choices;
  return [q, from, to, ...FACET_IDS.map((facet) => choices[facet]?.[0])].some((choice) => choice !== undefined);
}

const DAY_MS = 86_400_000;

/** The filter for the table. Days are UTC days, so that a link shows the same orders to everybody. */
export function filterOf(choices: OrdersChoices): OrderFilter {
  return {
    facets: choices,
    search: choices.q ?? '',
    placedFrom: choices.from === undefined ? undefined : Date.parse(choices.from),
    placedBefore: choices.to === undefined ? undefined : Date.parse(choices.to) + DAY_MS,
  };
}

interface Found {
  readonly sort: TableSort | undefined;
  readonly hasRow: boolean;
  /** Every call has responded: an order that is missing now will not appear. */
  readonly isComplete: boolean;
}

/**
 * Valid parameters that refer to nothing: a column that cannot be sorted by, an order that no response contains, days in the
 * wrong order.
 */
export function refusedOf(choices: OrdersChoices, { sort, hasRow, isComplete }: Found): readonly string[] {
  return [
    ...(areReversed(choices) ? [`from=${choices.from}`, `to=${choices.to}`] : []),
    ...(choices.sort !== undefined && sort === undefined ? [`sort=${choices.sort}`] : []),
    ...(choices.row !== undefined && isComplete && !hasRow ? [`row=${choices.row}`] : []),
  ];
}

export interface Condition {
  readonly text: string;
  readonly without: OrdersChoices;
}

export function conditionsOf(choices: OrdersChoices, coinText: (coin: string) => string): readonly Condition[] {
  const { q, from, to } = choices;
  const days = [from === undefined ? [] : `from ${from}`, to === undefined ? [] : `to ${to}`].flat();
  return [
    ...(q === undefined ? [] : [{ text: `oid or cloid starts with ${q}`, without: { q: undefined } }]),
    ...(days.length === 0 ? [] : [{ text: `Placed ${days.join(' ')}`, without: { from: undefined, to: undefined } }]),
    ...FACET_IDS.flatMap((facet): readonly Condition[] => {
      const values = choices[facet]?.map((value) => facetText(facet, value, coinText)) ?? [];
      if (values.length === 0) return [];
      return [{ text: `${FACETS[facet].name}: ${values.join(' or ')}`, without: { [facet]: undefined } }];
    }),
  ];
}

import { FACET_IDS, type FacetId } from './facets.ts';
import type { OrderFilter } from './order-table.ts';
import type { ordersSearch } from './search.ts';

/** What the address of the page asks for. */
export type OrdersChoices = ReturnType<typeof ordersSearch.read>;

/** Takes every filter away. */
export const NO_FILTERS: OrdersChoices = {
  ...(Object.fromEntries(FACET_IDS.map((facet) => [facet, undefined])) as Record<FacetId, undefined>),
  q: undefined,
  from: undefined,
  to: undefined,
};

export function isFiltered(choices: OrdersChoices): boolean {
  return (
    FACET_IDS.some((facet) => (choices[facet]?.length ?? 0) > 0) ||
    choices.q !== undefined ||
    choices.from !== undefined ||
    choices.to !== undefined
  );
}

const DAY_MS = 86_400_000;

/** The filter as the table takes it; days are of UTC, so that a link shows everybody the same. */
export function filterOf(choices: OrdersChoices): OrderFilter {
  const facets: Partial<Record<FacetId, readonly string[]>> = {};
  for (const facet of FACET_IDS) {
    const chosen = choices[facet];
    if (chosen !== undefined && chosen.length > 0) facets[facet] = chosen;
  }
  return {
    facets,
    search: choices.q ?? '',
    placedFrom: choices.from === undefined ? undefined : Date.parse(choices.from),
    placedBefore: choices.to === undefined ? undefined : Date.parse(choices.to) + DAY_MS,
  };
}

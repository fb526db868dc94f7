import { type ReactNode, useState } from 'react';
import { NARROW, useMedia } from '../../hooks/use-media.ts';
import { Button } from '../../ui/button.tsx';
import { DayRangeField } from '../../ui/day-range.tsx';
import { Facet } from '../../ui/facet.tsx';
import { SearchField } from '../../ui/text-field.tsx';
import { isFiltered, NO_FILTERS } from './choices.ts';
import { FACET_IDS, FACETS, type FacetId, facetText } from './facets.ts';
import { countsOf } from './order-table.ts';
import { OUTCOMES } from './outcome.ts';
import type { Orders } from './use-orders.ts';

interface FilterBarProps {
  readonly orders: Orders;
  /** Further filters. */
  readonly children: ReactNode;
}

/** The filters, in the second line of the page; on a narrow screen behind one button. */
export function FilterBar({ orders, children }: FilterBarProps) {
  const { choices, change, facets } = orders;
  const isNarrow = useMedia(NARROW);
  const [open, setOpen] = useState(false);
  const active = FACET_IDS.filter((facet) => (choices[facet]?.length ?? 0) > 0).length;
  return (
    <div className="flex flex-wrap items-center gap-x-1 gap-y-1 border-b border-line px-3 py-1">
      <SearchField
        name="Search by oid or cloid"
        placeholder="oid or cloid"
        value={choices.q ?? ''}
        onChange={(q) => change({ q: q.trim() === '' ? undefined : q.trim() })}
      />
      {isNarrow && (
        <Button look="plain" aria-expanded={open} onClick={() => setOpen(!open)}>
          Filters{active > 0 && ` (${active})`}
        </Button>
      )}
      {(!isNarrow || open) && (
        <>
          <DayRangeField
            name="Placed"
            value={{ from: choices.from, to: choices.to }}
            onChange={({ from, to }) => change({ from, to })}
          />
          {children}
          {/* The facets appear with the orders; the controls before them keep their place. */}
          {facets.map((facet) => (
            <OrderFacet key={facet} facet={facet} orders={orders} />
          ))}
        </>
      )}
      {isFiltered(choices) && (
        <Button look="plain" onClick={() => change(NO_FILTERS)}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

function OrderFacet({ facet, orders }: { readonly facet: FacetId; readonly orders: Orders }) {
  const { choices, change, sorted, filter, coinText } = orders;
  const chosen = choices[facet] ?? [];
  const textOf = (value: string) => facetText(facet, value, coinText);
  const optionsOf = () => {
    const counts = countsOf(sorted, filter, facet);
    const rank = (value: string) => (facet === 'outcome' ? OUTCOMES.findIndex((outcome) => outcome === value) : 0);
    return [...new Set([...counts.keys(), ...chosen])]
      .map((value) => ({ value, count: counts.get(value) ?? 0 }))
      .sort((a, b) => rank(a.value) - rank(b.value) || textOf(a.value).localeCompare(textOf(b.value)));
  };
  return (
    <Facet
      name={FACETS[facet].name}
      {...{ optionsOf, textOf, chosen }}
      onChange={(next) => change({ [facet]: next.length === 0 ? undefined : next })}
    />
  );
}

import { type ReactNode, useMemo, useState } from 'react';
import { NARROW, useMedia } from '../../hooks/use-media.ts';
import { Button } from '../../ui/button.tsx';
import { DayRangeField } from '../../ui/day-range.tsx';
import { Facet } from '../../ui/facet.tsx';
import { SearchField } from '../../ui/text-field.tsx';
import { isFiltered, NO_FILTERS, type OrdersChoices } from './choices.ts';
import { FACET_IDS, FACETS, type FacetId, facetText } from './facets.ts';
import type { OrderView } from './order-table.ts';
import { OUTCOMES } from './outcome.ts';

interface FilterBarProps {
  readonly choices: OrdersChoices;
  readonly counts: OrderView['counts'];
  readonly coinText: (coin: string) => string;
  readonly change: (next: OrdersChoices) => void;
  /** More of what the page asks for. */
  readonly children: ReactNode;
}

/** What the orders are filtered by: the second line of the page; on a narrow screen behind one button. */
export function FilterBar({ choices, counts, coinText, change, children }: FilterBarProps) {
  const isNarrow = useMedia(NARROW);
  const [open, setOpen] = useState(false);
  const active = FACET_IDS.filter((facet) => (choices[facet]?.length ?? 0) > 0).length;
  return (
    <div className="flex flex-wrap items-center gap-x-1 gap-y-1 border-b border-line px-2 py-1">
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
          {FACET_IDS.map((facet) => (
            <OrderFacet
              key={facet}
              facet={facet}
              chosen={choices[facet] ?? NONE}
              counts={counts[facet]}
              coinText={coinText}
              onChange={(chosen) => change({ [facet]: chosen.length === 0 ? undefined : chosen })}
            />
          ))}
          <DayRangeField
            name="Placed"
            zone="UTC"
            value={{ from: choices.from, to: choices.to }}
            onChange={({ from, to }) => change({ from, to })}
          />
          {children}
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

const NONE: readonly string[] = [];

interface OrderFacetProps {
  readonly facet: FacetId;
  readonly chosen: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
  readonly coinText: (coin: string) => string;
  readonly onChange: (chosen: readonly string[]) => void;
}

function OrderFacet({ facet, chosen, counts, coinText, onChange }: OrderFacetProps) {
  const options = useMemo(() => {
    const values = [...new Set([...counts.keys(), ...chosen])];
    const rank = (value: string) => (facet === 'outcome' ? OUTCOMES.findIndex((outcome) => outcome === value) : 0);
    return values
      .map((value) => ({ value, text: facetText(facet, value, coinText), count: counts.get(value) ?? 0 }))
      .sort((a, b) => rank(a.value) - rank(b.value) || a.text.localeCompare(b.text));
  }, [facet, chosen, counts, coinText]);
  return <Facet name={FACETS[facet].name} options={options} chosen={chosen} onChange={onChange} />;
}

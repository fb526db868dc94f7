import { X } from 'lucide-react';
import { useState } from 'react';
import { NARROW, useMedia } from '../../hooks/use-media.ts';
import { Button } from '../../ui/button.tsx';
import { DayRangeField } from '../../ui/day-range.tsx';
import { Facet } from '../../ui/facet.tsx';
import { passesFocus, takesFocus } from '../../ui/pass-focus.ts';
import { SearchField } from '../../ui/text-field.tsx';
import { DexFacet } from '../../wallets/dex-facet.tsx';
import { conditionsOf, NO_FILTERS } from './choices.ts';
import { FACET_IDS, FACETS, type FacetId, facetText } from './facets.ts';
import { countsOf } from './order-table.ts';
import { OUTCOMES } from './outcome.ts';
import type { Orders } from './use-orders.ts';

/** The filters, in the second line of the page; on a narrow screen behind one button. */
export function FilterBar({ orders }: { readonly orders: Orders }) {
  const { choices, change, facets, coinText } = orders;
  const conditions = conditionsOf(choices, coinText);
  const isNarrow = useMedia(NARROW);
  const [open, setOpen] = useState(false);
  const active = FACET_IDS.filter((facet) => (choices[facet]?.length ?? 0) > 0).length;
  return (
    <div {...takesFocus} className="flex flex-wrap items-center gap-x-1 gap-y-1 border-b border-line px-3 py-1">
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
          {orders.view !== 'history' && (
            <DexFacet
              chosen={choices.dex}
              textOf={(dex) => `${dex}, +1 credit per wallet`}
              onChange={(dex) => change({ dex, row: undefined })}
            />
          )}
          {/* The facets appear with the orders; the controls before them keep their place. */}
          {facets.map((facet) => (
            <OrderFacet key={facet} facet={facet} orders={orders} />
          ))}
        </>
      )}
      {conditions.length > 0 && (
        <ul aria-label="Conditions" className="flex min-w-0 flex-wrap items-center gap-1">
          {conditions.map(({ text, without }) => (
            <li key={text} ref={passesFocus} className="min-w-0">
              <button
                type="button"
                aria-label={`Remove the condition ${text}`}
                title={text}
                className="flex h-(--control) max-w-80 min-w-0 items-center gap-1 rounded-4 border border-edge bg-accent-soft px-2 text-12 text-strong hover:bg-surface-2"
                onClick={() => change(without)}
                onKeyDown={({ key }) => {
                  if (key === 'Delete' || key === 'Backspace') change(without);
                }}
              >
                <span className="truncate">{text}</span>
                <X size={12} aria-hidden className="shrink-0" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {conditions.length > 0 && (
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
      isListed
      onChange={(next) => change({ [facet]: next.length === 0 ? undefined : next })}
    />
  );
}

import { Link } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { counted, percentText } from '../../ui/format.ts';
import { Age, Ago } from '../../ui/page/states.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import { Usdc, WorthFigures } from '../../wallets/value/usdc.tsx';
import type { Overview } from './use-overview.ts';

interface WorthLineProps {
  readonly worth: Overview['worth'];
  readonly w: string | undefined;
}

/** What the wallets are worth, and how near the nearest position is to liquidation, once somebody loads it. */
export function WorthLine({ worth: { value, load, nearest, near, changes }, w }: WorthLineProps) {
  const { sum, at, isFetching, credits, error } = value;
  if (at === undefined) {
    return (
      <p className="flex items-center justify-between gap-3 pb-2 text-dim">
        {error ? `Worth failed to load: ${error.message}` : 'Spot at mid and perp equity, in USDC'}
        <Button look="plain" disabled={isFetching} onClick={load}>
          {isFetching ? 'Loading…' : 'Load the worth'} <PriceTag credits={credits} short />
        </Button>
      </p>
    );
  }
  return (
    <div data-part="worth" data-total={sum.total} className="flex flex-wrap items-baseline gap-x-4 pb-2 text-12">
      <span className="num text-15 font-semibold text-strong">
        <Usdc value={sum.total} isPartial={sum.missing.length > 0} /> USDC
      </span>
      <WorthFigures sum={sum} />
      {changes.map(({ since, at: then, delta }) => (
        <span key={since} data-part="worth-change" data-since={since} data-delta={delta}>
          <span className="num">
            <Usdc value={delta} isSigned />
          </span>{' '}
          <span className="text-dim">
            since the {since === 'first today' ? 'first of today' : since}, <Ago at={then} />
          </span>
        </span>
      ))}
      <span className="ml-auto flex items-center gap-2">
        <Age at={at} />
        <Button disabled={isFetching} onClick={load}>
          <RefreshCw size={14} strokeWidth={1.75} aria-hidden />
          <span className="sr-only">Refresh the worth</span>
          <PriceTag credits={credits} short />
        </Button>
      </span>
      {nearest?.distance !== undefined && (
        <Link
          to="/balances"
          search={{ w, view: 'positions' }}
          data-part="nearest-liquidation"
          className={`basis-full rounded-4 hover:underline ${near > 0 ? 'text-stale' : ''}`}
        >
          {near > 0 ? `! ${counted(near, 'position')} within 10 % of liquidation` : 'Nearest to liquidation'}:{' '}
          {nearest.position.coin} {nearest.position.szi.startsWith('-') ? 'short' : 'long'},{' '}
          <span className="num">{percentText(nearest.distance)}</span> away
        </Link>
      )}
      {sum.missing.length > 0 && (
        <span className="basis-full truncate text-stale" title={sum.missing.join('\n')}>
          Not in the worth: {sum.missing.join(', ')}
        </span>
      )}
    </div>
  );
}

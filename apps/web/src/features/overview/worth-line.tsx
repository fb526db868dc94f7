import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { counted } from '../../ui/format.ts';
import { isUnreachable } from '../../ui/page/advice.ts';
import { Ago } from '../../ui/page/states.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import { Usdc, WorthFigures } from '../../wallets/value/usdc.tsx';
import { awayText } from '../../wallets/value/worth.ts';
import { TileFailed, useWalletLink } from './tile.tsx';
import type { Overview } from './use-overview.ts';

interface WorthLineProps {
  readonly worth: Overview['worth'];
  /** The tile already reports that the service did not respond. */
  readonly isSilenceReported: boolean;
}

/** What the wallets are worth, and how near the nearest position is to liquidation, once somebody loads it. */
export function WorthLine({ worth: { value, press, nearest, near, changes }, isSilenceReported }: WorthLineProps) {
  const w = useWalletLink();
  const { sum, at, isFetching, credits, error, failedAt } = value;
  const isReported = isSilenceReported && isUnreachable(error);
  const failure = error && !isFetching && !isReported && (
    <TileFailed error={error} at={failedAt} kept={at !== undefined} />
  );
  if (at === undefined) {
    return (
      <>
        {failure}
        <p className="flex min-h-28 items-start justify-between gap-3 pb-2 text-dim">
          Spot at mid and perp equity, in USDC
          <Button look="plain" disabled={isFetching} onClick={press}>
            {isFetching ? 'Loading…' : 'Load the worth'} <PriceTag credits={credits} short />
          </Button>
        </p>
      </>
    );
  }
  return (
    <div data-part="worth" data-total={sum.total} className="flex min-h-28 flex-col gap-y-1 pb-2 text-12">
      {failure}
      <span className="num text-20 font-semibold text-strong">
        <Usdc value={sum.total} isPartial={sum.missing.length > 0} /> USDC
      </span>
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
      <div className="flex flex-wrap gap-x-4">
        <WorthFigures sum={sum} />
      </div>
      {nearest?.distance !== undefined && (
        <Link
          to="/balances"
          search={{ w, view: 'positions' }}
          data-part="nearest-liquidation"
          className={classNames('rounded-4 hover:underline', near > 0 && 'text-stale')}
        >
          {near > 0 ? `! ${counted(near, 'position')} within 10 % of liquidation` : 'Nearest to liquidation'}:{' '}
          {nearest.position.coin} {nearest.position.szi.startsWith('-') ? 'short' : 'long'},{' '}
          <span className="num">{awayText(nearest.distance)}</span> away
        </Link>
      )}
      {sum.missing.length > 0 && (
        <span className="line-clamp-2 text-stale" title={sum.missing.join('\n')}>
          Not in the worth: {sum.missing.join(', ')}
        </span>
      )}
    </div>
  );
}

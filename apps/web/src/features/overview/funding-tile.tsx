import { type DecimalString, infoCredits } from '@l4desk/protocol';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { counted, signedPercent, wholeText } from '../../ui/format.ts';
import { NotLoaded } from '../../ui/page/states.tsx';
import { Usdc } from '../../wallets/value/usdc.tsx';
import { type CoinMarket, type FundingEnd, fundingExtremes } from './funding-extremes.ts';
import type { PositionFunding } from './risk.ts';
import { Tile, TileFailed, TileLoading, useRoom, useWalletLink } from './tile.tsx';
import type { Overview } from './use-overview.ts';

/** The coins with the largest positive and negative funding rates in the current interval. */
export function FundingTile({
  markets,
  className,
}: {
  readonly markets: Overview['markets'];
  readonly className: string;
}) {
  const { query, isRequested, shown, isOld, funding, press } = markets;
  const refresh = () => (isRequested ? void query.refetch({ cancelRefetch: false }) : press());
  return (
    <Tile
      title="Funding"
      to="/funding"
      className={className}
      at={shown?.at}
      isStale={isOld || (shown !== undefined && query.isError)}
      refresh={
        shown === undefined && !query.isFetched
          ? undefined
          : { credits: infoCredits('metaAndAssetCtxs'), isBusy: query.isFetching, run: refresh }
      }
    >
      {query.isError && <TileFailed error={query.error} at={query.errorUpdatedAt} kept={shown !== undefined} />}
      {shown !== undefined ? (
        <>
          {funding && <OwnFunding funding={funding} />}
          <Extremes markets={shown.value} />
        </>
      ) : !isRequested ? (
        <NotLoaded look="plain" action="Load rates" credits={infoCredits('metaAndAssetCtxs')} onLoad={press}>
          The highest and lowest rates now.
        </NotLoaded>
      ) : (
        !query.isError && <TileLoading what="rates" />
      )}
    </Tile>
  );
}

/** What the wallets' open positions paid or earned, from their worth and these rates. */
function OwnFunding({ funding }: { readonly funding: PositionFunding }) {
  const { positions, paid, paidOf, due, dueOf } = funding;
  const w = useWalletLink();
  if (paidOf === 0 && dueOf === 0) return null;
  const of = (count: number) => (count === positions ? '' : ` (${count} of ${counted(positions, 'position')})`);
  return (
    <p data-part="own-funding" data-paid={paid} data-due={due} className="pb-2 text-12">
      <Link to="/balances" search={{ w, view: 'positions', sort: 'funding' }} className="rounded-4 underline">
        {counted(positions, 'open position')}
      </Link>{' '}
      {paidOf > 0 && (
        <>
          <Paid value={paid} past />
          {of(paidOf)} since opened
        </>
      )}
      {paidOf > 0 && dueOf > 0 && ', and '}
      {dueOf > 0 && (
        <>
          at these rates <Paid value={due} />
          {of(dueOf)} in this interval
        </>
      )}
      .
    </p>
  );
}

/** `paid 12.00 USDC`, `earned 3.00 USDC`. */
function Paid({ value, past = false }: { readonly value: DecimalString; readonly past?: boolean }) {
  const isEarned = value.startsWith('-');
  const verb = isEarned ? 'earn' : past ? 'paid' : 'pay';
  return (
    <>
      {verb}
      {isEarned && past ? 'ed ' : ' '}
      <span className={`num ${isEarned ? 'text-bid' : 'text-ask'}`}>
        <Usdc value={(isEarned ? value.slice(1) : value) as DecimalString} />
      </span>{' '}
      USDC
    </>
  );
}

const Extremes = memo(function Extremes({ markets }: { readonly markets: readonly CoinMarket[] }) {
  const { ends } = useRoom();
  const { highest, lowest } = fundingExtremes(markets, ends);
  if (markets.length < 2) return <p className="m-auto py-3 text-dim">The exchange lists too few coins to compare.</p>;
  if (highest.tie?.count === markets.length) {
    return (
      <p className="text-dim">
        All {wholeText(markets.length)} coins of the canonical dex have the same rate:{' '}
        <span className="num text-12">{signedPercent(highest.tie.funding)}</span>.
      </p>
    );
  }
  return (
    <>
      <div className="grid grid-cols-2 gap-x-6">
        <Rates name="Highest" end={highest} />
        <Rates name="Lowest" end={lowest} />
      </div>
      <p className="pt-1 text-12 text-dim">
        Rate for the current interval, as reported; {wholeText(markets.length)} coins of the canonical dex.
      </p>
    </>
  );
});

function Rates({ name, end: { markets, tie } }: { readonly name: string; readonly end: FundingEnd }) {
  return (
    <section aria-label={`${name} funding`}>
      <h3 className="border-b border-line text-12 font-medium text-dim">{name}</h3>
      <ul>
        {markets.map(({ coin, funding }) => (
          <li key={coin} className="flex h-6 items-center justify-between gap-2">
            <Link
              to="/funding"
              search={{ coin }}
              className="min-w-6 truncate rounded-4 leading-6 underline decoration-edge underline-offset-2 hover:decoration-current"
            >
              {coin}
            </Link>
            <span className="num shrink-0 text-12">{signedPercent(funding)}</span>
          </li>
        ))}
        {tie !== undefined && (
          <li className="flex h-6 items-center justify-between gap-1 text-dim">
            <span className="truncate">{wholeText(tie.count)} coins, each</span>
            <span className="num shrink-0 text-12">{signedPercent(tie.funding)}</span>
          </li>
        )}
      </ul>
    </section>
  );
}

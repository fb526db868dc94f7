import { basisPoints, multiply, subtract } from '@l4desk/decimal';
import { coinDex } from '@l4desk/protocol';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { dayChange, type Market } from '../../api/perps.ts';
import { midText } from '../../book-worker/mid-text.ts';
import { isUnproven, useBook, useLiveTicks } from '../../book-worker/use-book.ts';
import { Button } from '../../ui/button.tsx';
import { classNames, signColour } from '../../ui/class-names.ts';
import { columnDecimals, decimalText, grouped, percentText, signedPercent, wholeUnits } from '../../ui/format.ts';
import { GROUP_OF_HINTS } from '../../ui/group-of-hints.ts';
import { Age } from '../../ui/page/states.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import { useMarkets } from './markets.ts';

const STALE_AFTER_MS = 15 * 60_000;

/** The price of the shown book, and what the exchange reports of its market. What does not fit is left out, the last part first. */
export function PriceLine({ coin }: { readonly coin: string }) {
  const markets = useMarkets([coin]);
  // Today's market says nothing about a recording.
  const isRecorded = useBook(({ status }) => status?.recorded !== undefined);
  const market = isRecorded ? undefined : markets.of.get(coin);
  return (
    <div data-part="price-line" className="flex min-w-0 grow items-center gap-x-4 max-sm:gap-x-2">
      <div
        {...GROUP_OF_HINTS}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for controls
        role="group"
        aria-label="Price and market"
        className="flex min-w-0 grow items-center gap-x-4 max-sm:gap-x-2"
      >
        <BookPrice key={coin} coin={coin} />
        {/* The empty item before the facts lets the first one wrap out of view too, if it does not fit whole. */}
        <dl className="flex h-[max(var(--control),1lh)] min-w-0 grow flex-wrap content-start items-center gap-x-5 overflow-hidden text-12 before:-mr-5 before:h-full">
          {market !== undefined && <MarketFacts coin={coin} market={market} />}
        </dl>
      </div>
      {!isRecorded && (
        <Button
          aria-label="Refresh market data"
          disabled={markets.isFetching}
          title={
            markets.error === null
              ? '24 h change, mark, funding, open interest and volume, as the exchange reported them at this time'
              : `Market data failed to load: ${markets.error.message}`
          }
          onClick={markets.load}
        >
          <RefreshCw size={14} strokeWidth={1.75} aria-hidden />
          <span className="text-12 max-md:sr-only">
            {markets.error !== null && <span className="text-stale">failed · </span>}
            {markets.at === undefined ? 'market data' : <Age at={markets.at} staleAfterMs={STALE_AFTER_MS} />}
          </span>
          <PriceTag credits={markets.credits} short />
        </Button>
      )}
    </div>
  );
}

function BookPrice({ coin }: { readonly coin: string }) {
  const best = useBook(({ shown }) => (shown?.coin === coin ? shown.best : undefined));
  const tick = useLiveTicks()[0];
  const isGrey = useBook(isUnproven);
  const direction = useBook(({ shown }) => shown?.direction);
  const text = best && midText(best, tick);
  if (text === undefined || best?.bid === undefined || best.ask === undefined) {
    return <span className="num text-20 text-dim">{best === undefined ? '' : 'No mid'}</span>;
  }
  const spread = subtract(best.ask, best.bid);
  const decimals = columnDecimals([best.bid, best.ask]);
  return (
    <>
      <span
        data-part="price"
        data-direction={direction}
        title="Mid: between the best bid and the best ask of the block that the ladder shows; the arrow is its last change"
        className={classNames(
          'num shrink-0 text-20 font-semibold',
          isGrey ? 'text-dim' : direction === 'up' ? 'text-bid' : direction === 'down' ? 'text-ask' : 'text-strong',
        )}
      >
        {text}
        <span className="inline-block w-[1.5ch] text-center text-15">
          {direction !== undefined && (
            <>
              <span aria-hidden>{direction === 'up' ? '▲' : '▼'}</span>
              <span className="sr-only"> {direction}</span>
            </>
          )}
        </span>
      </span>
      <span
        data-part="price-spread"
        title="Spread: best ask minus best bid, and in basis points of the mid"
        className={classNames('num shrink-0 text-12 max-sm:hidden', isGrey ? 'text-dim' : 'text-text')}
      >
        <span className="font-sans text-dim">spread</span> {decimalText(spread, decimals)} ·{' '}
        {basisPoints(best.bid, best.ask, 2)} bps
      </span>
    </>
  );
}

function MarketFacts({ coin, market }: { readonly coin: string; readonly market: Market }) {
  const change = dayChange(market);
  const { funding, openInterest, markPx, dayNtlVlm, prevDayPx } = market;
  // A builder dex has a collateral of its own.
  const unit = coinDex(coin) === '' ? 'USDC' : 'of its collateral';
  return (
    <>
      <Fact name="24 h" hint={`the mark against the price 24 hours ago, ${grouped(prevDayPx)}`}>
        <span className={classNames('font-medium', signColour(change))}>{change ?? '—'}</span>
      </Fact>
      <Fact name="mark" hint={`mark price; the oracle's is ${grouped(market.oraclePx)}`}>
        {grouped(markPx)}
      </Fact>
      <Fact
        name="funding"
        hint={`the rate of the current interval, as reported; ${percentText(multiply(funding, '8760'))} in a year of one-hour intervals`}
      >
        <span className={signColour(signedPercent(funding))}>{signedPercent(funding)}</span>
      </Fact>
      <Fact name="open interest" hint={`in ${coin}; at the mark, ${grouped(multiply(openInterest, markPx))} ${unit}`}>
        {grouped(openInterest)}
      </Fact>
      <Fact name="volume 24 h" hint={`in full ${grouped(dayNtlVlm)} ${unit}`}>
        {wholeUnits(dayNtlVlm)} {unit === 'USDC' && <span className="font-sans text-dim">USDC</span>}
      </Fact>
    </>
  );
}

interface FactProps {
  readonly name: string;
  readonly hint: string;
  readonly children: ReactNode;
}

function Fact({ name, hint, children }: FactProps) {
  return (
    <div
      title={`${name}: ${hint}`}
      data-fact={name}
      className="flex h-[max(var(--control),1lh)] items-center gap-x-1.5 whitespace-nowrap"
    >
      <dt className="text-dim">{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}

import { compare, divide, floorToTick } from '@l4desk/decimal';
import { coinDex, type DecimalString, INFO_CREDITS, type SessionCoins, TARIFF } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { dexMarketsQuery } from '../../api/metaAndAssetCtxs.ts';
import { useAutoLoadLimit } from '../../api/price-rule.tsx';
import type { SweepParams, TakerSide } from '../../book-worker/panes/sweep.ts';
import { useBook, usePane } from '../../book-worker/use-book.ts';
import { Button } from '../../ui/button.tsx';
import { grouped, wholeText } from '../../ui/format.ts';
import { Age } from '../../ui/page/states.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import { Segmented } from '../../ui/segmented.tsx';

const CREDITS = INFO_CREDITS.metaAndAssetCtxs;

const SIDES = [
  { value: 'buy', text: 'Buy' },
  { value: 'sell', text: 'Sell' },
] as const;

interface CoinAmountProps {
  readonly coin: SessionCoins['coins'][number];
  readonly leverage: number;
  readonly largest: DecimalString;
  readonly side: TakerSide;
  readonly onSide: (side: TakerSide) => void;
}

/** How much of a coin the largest market order is at its mark price, and what the live book would charge for it. */
export function CoinAmount({ coin, leverage, largest, side, onSide }: CoinAmountProps) {
  const isAutoLoaded = useAutoLoadLimit() >= CREDITS;
  const markets = useQuery({ ...dexMarketsQuery(coinDex(coin.coin)), enabled: isAutoLoaded });
  const [meta, contexts] = markets.data ?? [];
  const px = contexts?.[meta?.universe.findIndex(({ name }) => name === coin.coin) ?? -1]?.markPx;
  const margin = divide(largest, String(leverage) as DecimalString, 2);
  return (
    <section aria-label={`${coin.coin} now`} className="mt-2 flex flex-col gap-1 border-t border-line pt-2">
      <p data-part="coin-size">
        {px === undefined || !(compare(px, '0') > 0) ? (
          <>
            The price of {coin.coin} is not known{markets.isError && ': the call failed'}.
          </>
        ) : (
          <>
            At the mark of <span className="num text-12">{grouped(px)}</span> that is{' '}
            <span className="num text-strong">{grouped(sizeOf(largest, px, coin.szDecimals))}</span> {coin.coin}, for{' '}
            <span className="num text-12">{grouped(margin ?? '')}</span> USDC of margin.
          </>
        )}{' '}
        <Age at={markets.dataUpdatedAt || undefined} />{' '}
        <Button
          look="plain"
          disabled={markets.isFetching}
          onClick={() => void markets.refetch({ cancelRefetch: false })}
        >
          {px === undefined ? 'Load the price' : 'Refresh the price'} <PriceTag credits={CREDITS} />
        </Button>
      </p>
      {leverage > coin.maxLeverage && (
        <p className="text-stale">
          The highest leverage of {coin.coin} is {coin.maxLeverage}×.
        </p>
      )}
      <LiveSweep {...{ coin, largest, side, onSide }} />
    </section>
  );
}

function sizeOf(notional: DecimalString, px: DecimalString, szDecimals: number): DecimalString {
  const lot = (szDecimals === 0 ? '1' : `0.${'1'.padStart(szDecimals, '0')}`) as DecimalString;
  return floorToTick(divide(notional, px, szDecimals + 12) ?? notional, lot);
}

/** What the live book would charge for it, if the coin is the followed one; else the way there. */
function LiveSweep({ coin, largest, side, onSide }: Omit<CoinAmountProps, 'leverage'>) {
  const isFollowed = useBook(({ status }) => status?.coin === coin.coin && status.recorded === undefined);
  const { szDecimals } = coin;
  const params: SweepParams = { side, amount: { ntl: largest, szDecimals }, limit: 1 };
  const found = usePane('sweep', isFollowed ? params : undefined);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1" data-part="coin-sweep" data-height={found?.height}>
      <Segmented name="Side" value={side} options={SIDES} onChange={onSide} />
      {found !== undefined && (
        <span className="basis-full">
          {found.sweep.vwap === null ? (
            'The live book has no orders on the other side.'
          ) : (
            <>
              The live book fills <span className="num text-12">{grouped(found.sweep.filledNtl)}</span> USD of it at an
              average of <span className="num text-12 text-strong">{grouped(found.sweep.vwap)}</span>,{' '}
              <span className="num text-12 text-strong">{found.sweep.slippageBps}</span> bps from the best price, in{' '}
              {wholeText(found.sweep.levels)} levels at block{' '}
              <span className="num text-12">{wholeText(found.height)}</span>.
            </>
          )}
        </span>
      )}
      <Link
        to="/book/$coin"
        params={{ coin: coin.coin }}
        search={{ pane: 'sweep', sweep: `${side}-ntl-${largest}` }}
        className="rounded-4 leading-6 underline decoration-edge underline-offset-2 hover:decoration-current"
      >
        {isFollowed ? 'Whose orders it would take' : `Sweep the live book of ${coin.coin}`}
      </Link>
      {!isFollowed && (
        <>
          <PriceTag credits={INFO_CREDITS.l4BookSnapshot} /> then {TARIFF.l4BookUpdatesPerCoinMinute} a minute
        </>
      )}
    </div>
  );
}

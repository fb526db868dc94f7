import { ceilToTick, compare, divide, floorToTick, roundTo } from '@l4desk/decimal';
import { coinDex, type DecimalString, infoCredits, type SessionCoins, TARIFF } from '@l4desk/protocol';
import { Link } from '@tanstack/react-router';
import type { SweepParams, TakerSide } from '../../book-worker/panes/sweep.ts';
import { useBook, usePane } from '../../book-worker/use-book.ts';
import { Button } from '../../ui/button.tsx';
import { columnDecimals, decimalText, grouped, wholeText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { orNothing, readAmount, TypedField } from '../../ui/text-field.tsx';
import { type Bucket, type LimitAt, overBy } from './buckets.ts';
import { limitsSearch } from './search.ts';
import type { Markets } from './use-markets.ts';

type Choices = ReturnType<typeof limitsSearch.read>;

interface HowMuchProps {
  readonly buckets: readonly Bucket[];
  readonly coins: SessionCoins['coins'];
  /** Undefined only without coins. */
  readonly coin: SessionCoins['coins'][number] | undefined;
  readonly markets: Markets;
  readonly leverage: number | undefined;
  readonly limit: LimitAt | undefined;
  readonly choices: Choices;
  readonly change: (next: Choices) => void;
}

/** “How much can I send at N×”: the result, and the rule behind it. */
export function HowMuch({ buckets, coins, coin, markets, leverage, limit, choices, change }: HowMuchProps) {
  const { ntl: notional, side = 'buy' } = choices;
  const own = notional !== undefined && compare(notional, '0') > 0 ? notional : undefined;
  return (
    <Panel title="How much can I send?">
      <p className="text-12 text-dim">
        The exchange limits the notional of a single market order by leverage. Below is the size of that limit, or of
        your order, in the coin, and what the coin’s live book would charge.
      </p>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="flex flex-col gap-0.5">
          <span className="text-12 text-dim">Coin and its maximum</span>
          <Select
            name="A coin’s maximum leverage"
            caption=""
            value={coin?.coin ?? ''}
            disabled={coins.length === 0}
            options={coins.map((each) => ({ value: each.coin, text: `${each.coin} ${each.maxLeverage}×` }))}
            onChange={(value) => change({ coin: value, n: undefined })}
          />
        </div>
        <div className="w-24">
          <TypedField
            label="Leverage"
            unit="×"
            value={String(choices.n ?? '')}
            placeholder={String(coin?.maxLeverage ?? '')}
            error="Enter a whole number from 1 to 1000, such as 20."
            read={readLeverage}
            onChange={(next) => change({ n: next ?? undefined })}
          />
        </div>
        <div className="w-40">
          <TypedField
            label="Your order (optional)"
            unit="USD"
            value={notional ?? ''}
            error="Enter an amount, such as 250000.50."
            read={readNotional}
            onChange={(next) => change({ ntl: next ?? undefined })}
          />
        </div>
      </div>
      <output className="answer block min-h-[104px]" data-part="result">
        {leverage === undefined || limit === undefined ? (
          <p className="text-dim">Enter a leverage, or select one in the table.</p>
        ) : (
          <>
            <Result buckets={buckets} leverage={leverage} limit={limit} notional={notional} />
            {coin !== undefined && limit.kind === 'bucket' && (
              <CoinAmount
                coin={coin}
                markets={markets}
                leverage={leverage}
                notional={own ?? limit.bucket.maxNotional}
                isOwn={own !== undefined}
                side={side}
                onSide={(next) => change({ side: next === 'buy' ? undefined : next })}
              />
            )}
          </>
        )}
      </output>
    </Panel>
  );
}

const readLeverage = orNothing((text) => limitsSearch.read({ n: text.replace(/\s*[×x]$/i, '') }).n);
const readNotional = orNothing(readAmount);

interface ResultProps {
  readonly buckets: readonly Bucket[];
  readonly leverage: number;
  readonly limit: LimitAt;
  readonly notional: DecimalString | undefined;
}

function Result({ buckets, leverage, limit, notional }: ResultProps) {
  if (limit.kind === 'none') return <p>The exchange lists no buckets, so there is no limit to show.</p>;
  if (limit.kind === 'beyond') {
    return (
      <>
        <p className="text-15 text-strong">No limit is listed at {leverage}×.</p>
        <p className="mt-1 text-dim">
          The highest bucket ends at {limit.highest.maxLeverage}×. The exchange does not say what applies above it.
        </p>
      </>
    );
  }
  const { bucket, below } = limit;
  const over = notional && overBy(bucket, notional);
  const decimals = columnDecimals(buckets.map(({ maxNotional }) => maxNotional));
  return (
    <>
      <p className="text-12 text-dim">Largest single market order at {leverage}×</p>
      <p className="num text-20 text-strong" data-part="limit">
        {decimalText(bucket.maxNotional, decimals)} <span className="text-13 text-dim">USD</span>
      </p>
      {notional !== undefined && (
        <p data-part="verdict" className={over === undefined ? undefined : 'text-stale'}>
          {over === undefined ? '✓' : '✗'} <span className="num text-12">{grouped(notional)} USD</span>{' '}
          {over === undefined ? 'is within the limit' : 'exceeds it by '}
          {over !== undefined && (
            <>
              <span className="num text-12">{grouped(over)} USD</span>: it takes{' '}
              <span className="num text-12">{ordersFor(notional, bucket.maxNotional)}</span> orders or more
            </>
          )}
          .
        </p>
      )}
      <p className="mt-1 text-dim">
        {bucket.maxLeverage === leverage
          ? `${leverage}× is the top of its bucket.`
          : `${leverage}× falls in the bucket up to ${bucket.maxLeverage}×, the lowest one that covers it.`}
        {below !== undefined &&
          ` The bucket below it, up to ${below.maxLeverage}×, allows ${decimalText(below.maxNotional, decimals)} USD.`}
      </p>
    </>
  );
}

/** How many orders of at most `largest` a notional takes: the quotient has decimals enough for the smallest excess to show. */
function ordersFor(notional: DecimalString, largest: DecimalString): string {
  return grouped(ceilToTick(divide(notional, largest, notional.length + largest.length) ?? '1', '1'));
}

const SIDES = [
  { value: 'buy', text: 'Buy' },
  { value: 'sell', text: 'Sell' },
] as const;

interface CoinAmountProps {
  readonly coin: SessionCoins['coins'][number];
  readonly markets: Markets;
  readonly leverage: number;
  /** The user's order, or else the largest one. */
  readonly notional: DecimalString;
  readonly isOwn: boolean;
  readonly side: TakerSide;
  readonly onSide: (side: TakerSide) => void;
}

/** How much of a coin a market order is at its mark price, and what the live book would charge for it. */
function CoinAmount({ coin, markets, leverage, notional, isOwn, side, onSide }: CoinAmountProps) {
  const px = markets.of(coin.coin)?.markPx;
  const size = px && sizeOf(notional, px, coin.szDecimals);
  const margin = divide(notional, String(leverage) as DecimalString, 2);
  return (
    <section aria-label={`${coin.coin} now`} className="mt-2 flex flex-col gap-1 border-t border-line pt-2">
      <p data-part="coin-size">
        {size === undefined ? (
          <>
            The price of {coin.coin} is {markets.isFetching ? 'loading' : 'not known'}
            {markets.error !== null && ': the call failed'}.{' '}
            {markets.missing.credits > 0 && (
              <Button
                look="plain"
                price={markets.missing.credits}
                disabled={markets.isFetching}
                onClick={markets.missing.run}
              >
                Load the prices
              </Button>
            )}
          </>
        ) : (
          <>
            At the mark of <span className="num text-12">{grouped(px ?? '')}</span> {isOwn ? 'your order' : 'that'} is{' '}
            <span className="num text-strong">{grouped(size)}</span> {coin.coin}, for{' '}
            <span className="num text-12">{grouped(margin ?? '')}</span>{' '}
            {coinDex(coin.coin) === '' ? 'USDC of margin' : 'of margin in its collateral'}.
          </>
        )}
      </p>
      {leverage > coin.maxLeverage && (
        <p className="text-stale">
          The highest leverage of {coin.coin} is {coin.maxLeverage}×.
        </p>
      )}
      <LiveSweep {...{ coin, notional, side, onSide }} />
    </section>
  );
}

/** The size that a notional buys at a price, rounded down to whole lots; undefined without a price above zero. */
export function sizeOf(notional: DecimalString, px: DecimalString, szDecimals: number): DecimalString | undefined {
  if (compare(px, '0') <= 0) return undefined;
  const lot = (szDecimals === 0 ? '1' : `0.${'1'.padStart(szDecimals, '0')}`) as DecimalString;
  return floorToTick(divide(notional, px, szDecimals + 12) ?? notional, lot);
}

/** What the live book would charge for it, if the coin is the followed one; else the way there. */
function LiveSweep({ coin, notional, side, onSide }: Omit<CoinAmountProps, 'markets' | 'leverage' | 'isOwn'>) {
  const isFollowed = useBook(({ status }) => status?.coin === coin.coin && status.recorded === undefined);
  const { szDecimals } = coin;
  const params: SweepParams = { side, amount: { ntl: notional, szDecimals }, limit: 1 };
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
              <span className="num text-12 text-strong">
                {found.sweep.slippageBps === null ? '—' : grouped(roundTo(found.sweep.slippageBps, 2))}
              </span>{' '}
              bps from the best price, in {wholeText(found.sweep.levels)} levels at block{' '}
              <span className="num text-12">{wholeText(found.height)}</span>.
            </>
          )}
        </span>
      )}
      <Link
        to="/book/$coin"
        params={{ coin: coin.coin }}
        search={{ pane: 'sweep', sweep: `${side}-ntl-${notional}` }}
        className="rounded-4 leading-6 underline decoration-edge underline-offset-2 hover:decoration-current"
      >
        {isFollowed ? 'Whose orders it would take' : `Sweep the live book of ${coin.coin}`}
      </Link>
      {!isFollowed && (
        <span className="whitespace-nowrap">
          <PriceTag credits={infoCredits('l4BookSnapshot')} /> then {TARIFF.l4BookUpdatesPerCoinMinute} a minute
        </span>
      )}
    </div>
  );
}

import { type DecimalString, infoCredits } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { perpNamed } from '../../api/coin-names.ts';
import { maxMarketOrderNtlsQuery } from '../../api/maxMarketOrderNtls.ts';
import { metaAndAssetCtxsQuery } from '../../api/metaAndAssetCtxs.ts';
import { PriceRule, useAutoLoadLimit } from '../../api/price-rule.tsx';
import { coinsQuery } from '../../api/session.ts';
import { useDueQueries, useRepeatOnce } from '../../api/use-due-queries.ts';
import { usePageSearch } from '../../state/page-search.ts';
import { LEFT } from '../../ui/chart/chart-parts.ts';
import { PictureMenu } from '../../ui/chart/picture-menu.tsx';
import type { ExportColumn } from '../../ui/export/csv.ts';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { columnDecimals, counted, decimalText } from '../../ui/format.ts';
import { Page, RefreshButton } from '../../ui/page/page.tsx';
import { Age, Failed, FailedBand, Loading, NotLoaded } from '../../ui/page/states.tsx';
import { Panel } from '../../ui/panel.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { STALE_AFTER_MS } from '../../wallets/balances/balance-store.ts';
import { type Bucket, bucketsOf, limitAt, overBy } from './buckets.ts';
import { CoinLimits } from './coin-limits.tsx';
import { HowMuch } from './how-much.tsx';
import { limitsSearch } from './search.ts';
import { dexesOf, marketsCredits, useMarkets } from './use-markets.ts';

const LimitsChart = lazy(() => import('./limits-chart.tsx'));

const CREDITS = infoCredits('maxMarketOrderNtls');

const LIMITS = [maxMarketOrderNtlsQuery];
const PRICES = [metaAndAssetCtxsQuery];

/** What is older than this is loaded again when the page is opened, in ms: limits hardly change. */
const RELOAD_AFTER_MS = 3_600_000;

const EXPORT: readonly ExportColumn<Bucket>[] = [
  { name: 'above_leverage', value: ({ above }) => above },
  { name: 'max_leverage', value: ({ maxLeverage }) => maxLeverage },
  { name: 'max_notional_usd', value: ({ maxNotional }) => maxNotional },
];

/** The largest market order per leverage bucket, and what that means for a given leverage and order. */
export function LimitsPage() {
  const { choices, change, refusing } = usePageSearch(limitsSearch);
  const coins = useQuery(coinsQuery).data?.coins ?? [];
  const names = coins.map(({ coin }) => coin);
  const named = choices.coin === undefined ? undefined : coins[names.indexOf(perpNamed(names, choices.coin))];
  const coin = named ?? coins[0];
  const dexes = dexesOf(coin?.coin);
  const credits = CREDITS + marketsCredits(dexes);
  const allowed = useAutoLoadLimit();
  const isAutoLoaded = allowed >= CREDITS;
  const withPrices = allowed >= credits;
  useRepeatOnce(useDueQueries(LIMITS, RELOAD_AFTER_MS), isAutoLoaded);
  useRepeatOnce(useDueQueries(PRICES, RELOAD_AFTER_MS), withPrices);
  const asked = useQuery({ ...maxMarketOrderNtlsQuery, enabled: isAutoLoaded });
  const markets = useMarkets(dexes, withPrices);
  const buckets = useMemo(() => asked.data && bucketsOf(asked.data), [asked.data]);
  // A second press before the button is disabled pays for no second call.
  const load = () => void asked.refetch({ cancelRefetch: false });
  const refresh = () => {
    load();
    markets.all.run();
  };
  const retryBoth = () => {
    load();
    markets.failed.run();
  };
  // Limits and prices that fail in the same way are reported once.
  const failAlike = asked.error !== null && asked.error.message === markets.error?.message;
  const at = Math.min(asked.dataUpdatedAt, markets.at ?? asked.dataUpdatedAt);
  const leverage = choices.n ?? coin?.maxLeverage;
  const limit = leverage === undefined || buckets === undefined ? undefined : limitAt(buckets, leverage);
  const chosen = limit?.kind === 'bucket' ? limit.bucket : undefined;
  const pick = (n: number | undefined) => change({ n });
  return (
    <Page
      title="Limits"
      search={refusing(choices.coin !== undefined && coins.length > 0 && !named ? [`coin=${choices.coin}`] : [])}
      controls={<span className="text-dim max-sm:hidden">the largest single market order</span>}
      state={
        <>
          <Age at={at || undefined} staleAfterMs={asked.error === null ? STALE_AFTER_MS : 0} />
          {buckets !== undefined && (
            <ExportMenu
              name={['limits']}
              description="Every bucket, as listed by the exchange."
              columns={EXPORT}
              rows={() => buckets}
            />
          )}
          <RefreshButton
            page="Limits"
            what="limits and prices"
            credits={credits}
            isBusy={asked.isFetching || markets.isFetching}
            run={refresh}
          />
        </>
      }
      notices={
        // Without buckets, the page itself says why.
        buckets !== undefined && (
          <>
            {asked.error !== null && (
              <FailedBand
                error={asked.error}
                onRetry={failAlike ? retryBoth : load}
                credits={failAlike ? CREDITS + markets.failed.credits : CREDITS}
              />
            )}
            {markets.error !== null && !failAlike && (
              <FailedBand
                of="Prices"
                error={markets.error}
                kept={markets.at !== undefined}
                onRetry={markets.failed.run}
                credits={markets.failed.credits}
              />
            )}
          </>
        )
      }
      status={
        <>
          <span>
            {buckets !== undefined
              ? `${counted(buckets.length, 'bucket')} · highest leverage first`
              : asked.isError
                ? 'failed to load'
                : '–'}
          </span>
          <PriceRule />
          <span className="max-sm:hidden">Global limits, not per wallet or coin. Notional in USD.</span>
        </>
      }
    >
      {buckets === undefined ? (
        asked.isError ? (
          <Failed error={asked.error} onRetry={load} credits={CREDITS} />
        ) : !isAutoLoaded && !asked.isFetching ? (
          <NotLoaded action="Load limits" credits={credits} onLoad={refresh}>
            The largest single market order for each leverage bucket.
          </NotLoaded>
        ) : (
          <Loading what="limits" />
        )
      ) : buckets.length === 0 ? (
        <NotLoaded action="Try again" credits={CREDITS} look="plain" onLoad={load}>
          The exchange currently lists no leverage buckets.
        </NotLoaded>
      ) : (
        <div className="min-h-0 grow max-pair:scroll-pt-8 max-pair:scroll-pb-2 max-pair:overflow-y-auto pair:grid pair:grid-cols-[minmax(360px,440px)_minmax(0,1fr)] pair:*:scroll-py-2 pair:*:overflow-y-auto min-[2000px]:grid-cols-[840px_minmax(0,1fr)]">
          <div className="asks flex min-w-0 flex-col pair:border-r pair:border-line min-[2000px]:flex-row min-[2000px]:*:flex-1">
            <HowMuch {...{ buckets, coins, coin, markets, leverage, limit, choices, change }} />
            <Panel
              title="Buckets"
              className="border-t border-line min-[2000px]:grow min-[2000px]:border-t-0 min-[2000px]:border-l"
            >
              <DataTable
                name="Buckets"
                isShort
                columns={columnsOf(buckets, choices.ntl, pick)}
                rows={buckets}
                keyOf={keyOf}
                selected={chosen && keyOf(chosen)}
              />
              <p className="max-w-prose text-12 text-dim">
                A bucket covers the leverages above the next lower bucket, up to and including its own. The exchange
                lists no limit above the highest bucket, so none is shown.
              </p>
            </Panel>
          </div>
          <div className="flex min-w-0 flex-col max-pair:border-t max-pair:border-line">
            <Panel
              title="Largest market order by leverage"
              controls={
                <PictureMenu
                  name={['limits']}
                  captions={() => [{ text: 'Largest market order in USD, by the highest leverage of the bucket' }]}
                />
              }
            >
              <div
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn as SVG inside
                role="img"
                aria-label="Largest market order by leverage, in USD: one step per bucket; the table has the numbers"
                data-chart
                className="relative h-50 min-w-0 min-[2000px]:h-90"
              >
                <Suspense fallback={<Loading what="chart" />}>
                  <LimitsChart buckets={buckets} leverage={leverage} chosen={chosen} onPick={pick} />
                </Suspense>
                <p className="pointer-events-none absolute -top-1 text-11 text-dim" style={{ left: LEFT + 4 }}>
                  USD, by the highest leverage of the bucket
                </p>
              </div>
            </Panel>
            <Panel
              title="Largest market order by coin"
              // The exchange has hundreds of coins: they scroll below the chart, and their headings stay in view.
              className="border-t border-line pair:min-h-60 pair:grow pair:basis-0 pair:scroll-pt-8 pair:scroll-pb-2 pair:overflow-y-auto [&_thead>tr]:sticky [&_thead>tr]:top-0 pair:[&_thead>tr]:-top-3 [&_thead>tr]:z-10 [&_thead>tr]:bg-surface-0"
            >
              <CoinLimits
                {...{ coins, buckets, markets }}
                leverage={choices.n}
                chosen={coin?.coin}
                onPick={(next) => change({ coin: next })}
              />
            </Panel>
          </div>
        </div>
      )}
    </Page>
  );
}

const keyOf = ({ maxLeverage }: Bucket) => String(maxLeverage);

function columnsOf(
  buckets: readonly Bucket[],
  notional: DecimalString | undefined,
  onPick: (leverage: number) => void,
): readonly TableColumn<Bucket>[] {
  const decimals = columnDecimals(buckets.map(({ maxNotional }) => maxNotional));
  const columns: readonly TableColumn<Bucket>[] = [
    {
      id: 'leverage',
      title: 'Leverage',
      align: 'end',
      cell: (bucket) => (
        <button
          type="button"
          aria-label={`Show ${leverageText(bucket)}`}
          className="-mr-1 h-6 min-w-6 rounded-4 px-1 underline decoration-edge underline-offset-2 hover:text-strong"
          onClick={() => onPick(bucket.maxLeverage)}
        >
          {leverageText(bucket)}
        </button>
      ),
    },
    {
      id: 'notional',
      title: 'Largest market order, USD',
      align: 'end',
      text: ({ maxNotional }) => decimalText(maxNotional, decimals),
    },
  ];
  if (notional === undefined) return columns;
  const verdict = (bucket: Bucket) =>
    overBy(bucket, notional) === undefined ? (
      <span className="answer">✓ within</span>
    ) : (
      <span className="answer text-stale">✗ over</span>
    );
  return [...columns, { id: 'verdict', title: 'Your order', cell: verdict }];
}

/** `21–25×`; leverage is a whole number. */
function leverageText({ above, maxLeverage }: Bucket): string {
  return above + 1 === maxLeverage ? `${maxLeverage}×` : `${above + 1}–${maxLeverage}×`;
}

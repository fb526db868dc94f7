import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { perpNamed } from '../../api/coin-names.ts';
import { PriceRule } from '../../api/price-rule.tsx';
import { coinsQuery } from '../../api/session.ts';
import { usePageSearch } from '../../state/page-search.ts';
import { Button } from '../../ui/button.tsx';
import type { Caption } from '../../ui/chart/picture.ts';
import { PictureMenu } from '../../ui/chart/picture-menu.tsx';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { counted } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { commonError } from '../../ui/page/advice.ts';
import { Page, RefreshButton } from '../../ui/page/page.tsx';
import { PaneBoundary } from '../../ui/page/pane-boundary.tsx';
import { Age, FailedBand, Loading } from '../../ui/page/states.tsx';
import { optionsOf } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { readSort } from '../../ui/table/table-column.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { useTime } from '../../ui/use-time.ts';
import { CarryPanel, NOTIONAL_DEFAULT } from './carry-panel.tsx';
import type { FundingChart } from './chart-rows.ts';
import { ChartSection } from './chart-section.tsx';
import { CoinChooser, PeriodControls } from './controls.tsx';
import { entryAt, type History } from './entries.ts';
import {
  ENTRY_COLUMNS,
  EntriesPanel,
  EntryInspector,
  EXPORT_COLUMNS,
  refusedChoices,
  rowOf,
  rowsOf,
} from './entries-panel.tsx';
import { HoursPanel } from './hours-panel.tsx';
import { HOUR_MS, missingOf } from './interval.ts';
import { historyIn, holds, shownOf } from './loads.ts';
import { creditsOf, periodOf, refusedDays, zoomOf } from './period.ts';
import { RankedCoins } from './ranked-coins.tsx';
import { COMPOUND_DECIMALS, UNIT_DEFAULT, UNIT_TEXTS } from './rates.ts';
import { fundingSearch, PANE_KINDS, UNITS } from './search.ts';
import { COINS_AT_FIRST, COINS_MAX, lookOf } from './series.tsx';
import { StatisticsPanel } from './statistics-panel.tsx';
import { allReceivedText, measuredText, receivedText } from './texts.ts';
import { useFunding } from './use-funding.ts';

const TAB_TEXTS = {
  statistics: 'Statistics',
  hours: 'Hours of the day',
  carry: 'Carry',
  entries: 'Entries',
  coins: 'All coins',
} as const;
const TAB_OPTIONS = optionsOf(TAB_TEXTS);
const UNIT_OPTIONS = UNITS.map((value) => ({ value, text: UNIT_TEXTS[value].text }));
const PANE_OPTIONS = ['none', ...PANE_KINDS].map((value) => ({ value, text: value }));

/** Funding rates of up to eight coins: chart, completeness, statistics, hours of the day, carry, and every entry. */
export function FundingPage() {
  const { choices, change, refusing } = usePageSearch(fundingSearch);
  const { days, unit = UNIT_DEFAULT, over, tab = 'statistics', side = 'long', notional = NOTIONAL_DEFAULT } = choices;
  const time = useTime();
  const known = useQuery(coinsQuery);
  // Not `isError`, which the query forgets while it is fetching again.
  const names = namesOf(choices.coin, known.data?.coins, known.errorUpdateCount > 0);
  const coins = useMemo(() => (names === '' ? [] : names.split(',')), [names]);
  const [now, setNow] = useState(() => Date.now());
  const refusedRange = refusedDays(choices, now);
  const { from, to } = refusedRange.length > 0 ? {} : choices;
  const period = useMemo(() => periodOf({ days, from, to }, now), [days, from, to, now]);
  const zoom = useMemo(() => zoomOf(choices.zoom, period), [choices.zoom, period]);
  const view = zoom ?? period;
  const { loader, fundings, waiting } = useFunding({ coins, period, view });
  const histories = useMemo(() => fundings.map(({ history }) => history), [fundings]);
  const whole = useMemo(
    () => (zoom === undefined ? histories : fundings.map(({ coin, load }) => historyIn(coin, load, period))),
    [zoom, histories, fundings, period],
  );
  const chart = useMemo<FundingChart>(
    () => ({ histories, whole, period, view, unit, paneKind: over }),
    [histories, whole, period, view, unit, over],
  );
  const selected = useMemo(() => rowOf(histories, choices.row), [histories, choices.row]);
  const active = fundings.filter(({ load }) => load?.kind === 'loading' || load?.kind === 'waiting');
  const credits = coins.length * creditsOf(period);
  const refresh = () => {
    const at = Date.now();
    setNow(at);
    loader.refresh(coins, periodOf({ days, from, to }, at));
  };

  if (coins.length === 0)
    return (
      <Page title="Funding">
        <Loading what="coins" />
      </Page>
    );

  const setCoins = (next: readonly string[]) => change({ coin: [...next], row: undefined }, 'push');
  const remove = coins.length > 1 ? (coin: string) => setCoins(coins.filter((other) => other !== coin)) : undefined;
  const spent = active.reduce((sum, { load }) => sum + (load?.credits ?? 0), 0);
  const progress = fundings.reduce((sum, { load }) => sum + (load?.progress ?? 0), 0) / fundings.length;
  const ages = fundings.map(({ load }) => shownOf(load)?.at ?? 0).filter((at) => at > 0);
  const ended = fundings.filter(({ load }) => load?.kind === 'stopped' || load?.kind === 'failed');
  const partial = ended.filter(({ load, history }) => load?.older === undefined && history.silence === undefined);
  const errors = fundings.flatMap(({ load }) => (load?.kind === 'failed' ? load.error : []));
  const common = errors.length === fundings.length ? commonError(errors) : undefined;
  const kept = ended.filter(({ load }) => load?.older !== undefined);
  const inSight = histories.reduce((sum, { entries }) => sum + entries.length, 0);
  // Back closes the inspector, whatever was looked at in it.
  const openRow = (row: string) => change({ row }, selected === undefined ? 'open' : 'replace');
  const openAt = (moment: number) => {
    const entry = histories.map((history) => entryAt(history, moment)).find((found) => found !== undefined);
    if (entry !== undefined) openRow(entry.key);
  };
  return (
    <Page
      title="Funding"
      subject={coins.join(', ')}
      view={coins.join(', ')}
      search={refusing([...refusedRange, ...refusedChoices(choices, period, fundings)])}
      controls={
        <>
          <CoinChooser coins={coins} credits={creditsOf(period)} onChange={setCoins} />
          <PeriodControls
            asked={{ days, from, to }}
            now={now}
            priceOf={(next) => fundings.filter(({ load }) => !holds(load, next)).length * creditsOf(next)}
          />
          <Select
            name="Unit"
            caption="Rate"
            value={unit}
            options={UNIT_OPTIONS}
            onChange={(next) => change({ unit: next === UNIT_DEFAULT ? undefined : next })}
          />
          <Select
            name="Below the rates"
            caption="Below"
            value={over ?? 'none'}
            options={PANE_OPTIONS}
            onChange={(next) => change({ over: PANE_KINDS.find((kind) => kind === next) })}
          />
          <ExportMenu
            name={['funding', ...coins]}
            description={`The ${counted(inSight, 'entry', 'entries')} in view, with every digit and the rate in each unit.`}
            columns={EXPORT_COLUMNS}
            rows={() => rowsOf(histories, readSort(choices.sort, ENTRY_COLUMNS))}
            facts={() => ({
              period: { from: view.from, to: view.to },
              coins: histories.map(countsOf),
              compound_decimals: COMPOUND_DECIMALS,
            })}
          />
          <ChartMenu chart={chart} />
        </>
      }
      state={
        <>
          {active.length > 0 ? (
            <>
              {/* As wide as what replaces it, so that the title line does not wrap while the responses arrive. */}
              <progress className="h-1 w-12 accent-accent" value={progress} max={1} aria-label="Loaded" />
              <span className="text-dim" data-progress>
                {Math.floor(progress * 100)} %, {counted(spent, 'credit')}
              </span>
              <Button look="plain" onClick={() => loader.stop('person')}>
                Stop
              </Button>
            </>
          ) : (
            <>
              {ages.length > 0 && <Age at={Math.min(...ages)} staleAfterMs={HOUR_MS} />}
              <RefreshButton page="Funding" what="funding" credits={credits} isBusy={false} run={refresh} />
            </>
          )}
        </>
      }
      notices={
        <>
          {waiting !== undefined && (
            <Notice
              action={
                <Button look="plain" price={waiting.credits} onClick={waiting.press}>
                  Load
                </Button>
              }
            >
              Loading this period for {counted(coins.length, 'coin')} costs about {counted(waiting.credits, 'credit')}.
              Nothing more loads until you confirm.
            </Notice>
          )}
          {common !== undefined && (
            <FailedBand error={common} kept={kept.length > 0} onRetry={refresh} credits={credits} />
          )}
          {fundings.map(
            ({ coin, load }) =>
              load?.kind === 'failed' &&
              common === undefined && (
                <FailedBand
                  key={coin}
                  of={coin}
                  error={load.error}
                  kept={(shownOf(load)?.entries.length ?? 0) > 0}
                  action={
                    remove && (
                      <Button look="plain" onClick={() => remove(coin)}>
                        Remove {coin}
                      </Button>
                    )
                  }
                >
                  {fundings.some((other) => other.load?.kind !== 'failed') && 'The other coins are not affected.'}
                </FailedBand>
              ),
          )}
        </>
      }
      inspector={selected && <EntryInspector row={selected} onClose={() => change({ row: undefined })} />}
      status={
        <>
          <span>
            {allReceivedText(histories)}
            {partial.length > 0 && ` · partial: ${partial.map(({ coin }) => coin).join(', ')}`}
            {kept.length > 0 && ` · earlier data: ${kept.map(({ coin }) => coin).join(', ')}`}
          </span>
          <PriceRule />
          {time.second(view.from)} – {time.second(view.to)}
        </>
      }
    >
      <div className="flex min-h-0 grow flex-col overflow-y-auto">
        <ChartSection
          {...{ fundings, chart }}
          isLoading={active.length > 0}
          onRemove={remove}
          onResume={(coin) => loader.resume(coin)}
          onZoom={(part) => change({ zoom: part === undefined ? undefined : `${part.from}-${part.to}` })}
          onOpen={openAt}
        />
        <div className="flex min-h-72 grow-[2] basis-0 flex-col border-t border-line">
          <Tabs name="Below the chart" value={tab} options={TAB_OPTIONS} onChange={(next) => change({ tab: next })}>
            <PaneBoundary name={TAB_TEXTS[tab]}>
              {tab === 'statistics' && <StatisticsPanel histories={histories} unit={unit} />}
              {tab === 'hours' && <HoursPanel histories={histories} />}
              {tab === 'carry' && (
                <CarryPanel
                  {...{ histories, notional, side }}
                  onNotional={(next) => change({ notional: next })}
                  onSide={(next) => change({ side: next })}
                />
              )}
              {tab === 'coins' && (
                <RankedCoins
                  coins={coins}
                  credits={creditsOf(period)}
                  onAdd={(coin) => setCoins([...coins, coin].slice(-COINS_MAX))}
                />
              )}
              {tab === 'entries' && <EntriesPanel {...{ histories, view }} onOpen={openRow} />}
            </PaneBoundary>
          </Tabs>
        </div>
      </div>
    </Page>
  );
}

function ChartMenu({ chart: { histories, view, unit, paneKind } }: { readonly chart: FundingChart }) {
  const time = useTime();
  const captions = (): readonly Caption[] => [
    { text: `Funding, ${UNIT_TEXTS[unit].axis}${paneKind === undefined ? '' : `; below: ${paneKind}`}` },
    { text: `${time.second(view.from)} to ${time.second(view.to)}` },
    ...histories.map((history, at): Caption => {
      const { letter, colour, dash } = lookOf(at);
      const measured = history.silence === undefined ? `${measuredText(history.completeness, time.day)}; ` : '';
      return { text: `${letter}  ${history.coin}: ${measured}${receivedText(history)}`, colour, dash };
    }),
  ];
  return <PictureMenu name={['funding', ...histories.map(({ coin }) => coin)]} captions={captions} />;
}

/** The chosen coins as the exchange names them, or else its first ones, comma-separated; empty while its list is loading. */
function namesOf(
  chosen: readonly string[] | undefined,
  known: readonly { readonly coin: string }[] | undefined,
  isLost: boolean,
): string {
  if (known === undefined && !isLost) return '';
  const listed = (known ?? []).map(({ coin }) => coin);
  if (chosen !== undefined) return [...new Set(chosen.map((text) => perpNamed(listed, text)))].join(',');
  return listed.slice(0, COINS_AT_FIRST).join(',') || 'BTC';
}

function countsOf({ coin, completeness, silence }: History) {
  const { pieces, received, duplicates, unlisted } = completeness;
  return {
    coin,
    interval_ms: pieces.at(-1)?.interval ?? null,
    earlier_intervals: pieces.slice(0, -1).map(({ interval, to }) => ({ interval_ms: interval, until: to })),
    received: silence === undefined ? received : null,
    missing: silence !== undefined || pieces.length === 0 ? null : missingOf(completeness),
    not_listed_yet: unlisted?.intervals ?? 0,
    duplicate: silence === undefined ? duplicates.length : null,
  };
}

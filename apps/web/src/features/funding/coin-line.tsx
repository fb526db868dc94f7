import { X } from 'lucide-react';
import { Button, IconButton } from '../../ui/button.tsx';
import { LegendEntry, type ShownSeries } from '../../ui/chart/legend.tsx';
import { counted, signedPercent } from '../../ui/format.ts';
import { adviceOf } from '../../ui/page/advice.ts';
import { passesFocus } from '../../ui/pass-focus.ts';
import { useTime } from '../../ui/use-time.ts';
import type { FundingChart } from './chart-rows.ts';
import { entryAt } from './entries.ts';
import { creditsOf } from './period.ts';
import { rateIn } from './rates.ts';
import { SeriesMark } from './series.tsx';
import { measuredText, paneValueText, SILENCE_TEXTS } from './texts.ts';
import type { CoinFunding } from './use-funding.ts';

interface CoinLineProps {
  readonly chart: FundingChart;
  readonly funding: CoinFunding;
  readonly at: number;
  readonly legend: ShownSeries;
  readonly cursor: number | undefined;
  readonly onRemove: (() => void) | undefined;
  readonly onResume: () => void;
}

/** A coin of the chart: its line, its rate at the cursor, its measured interval, and the state of its load. */
export function CoinLine({ chart, funding, at, legend, cursor, onRemove, onResume }: CoinLineProps) {
  const { unit, paneKind } = chart;
  const { coin, load, history } = funding;
  const time = useTime();
  const { entries, completeness, silence } = history;
  const entry = cursor === undefined ? entries.at(-1) : entryAt(history, cursor);
  const moment = entry === undefined ? '' : time.second(entry.time);
  const rate = entry === undefined ? undefined : rateIn(unit, entry.fundingRate, entry.interval);
  return (
    <li ref={passesFocus} className="flex min-w-0 flex-col px-3 py-1 max-sm:py-0" data-coin={coin}>
      <span className="flex items-center gap-2">
        <LegendEntry name={coin} shown={legend}>
          <SeriesMark at={at} />
          <strong className="truncate font-semibold text-strong">{coin}</strong>
        </LegendEntry>
        {paneKind !== undefined && entry !== undefined && (
          <span className="num ml-auto text-12 whitespace-nowrap" data-pane-value>
            <span className="max-sm:sr-only">{paneKind} </span>
            {paneValueText(paneKind, history, entry)}
          </span>
        )}
        <span className="num ml-auto text-12 whitespace-nowrap text-strong" data-rate>
          {rate === undefined ? (
            <span className="text-dim">
              {cursor === undefined ? '–' : silence === undefined ? 'no entry at this time' : 'unknown'}
            </span>
          ) : (
            signedPercent(rate)
          )}
        </span>
        {onRemove && <IconButton icon={X} name={`Remove ${coin}`} onClick={onRemove} />}
      </span>
      <span className="flex min-h-4 flex-wrap items-center gap-x-2 text-12 text-dim">
        <State
          load={load}
          description={silence === undefined ? measuredText(completeness, time.day) : SILENCE_TEXTS[silence]}
          onResume={onResume}
        />
        {entry !== undefined && (
          // On a phone it has room beside the interval; the status line has the year and the zone.
          <span className="num ml-auto whitespace-nowrap max-sm:text-11">
            <span className="max-sm:sr-only">{moment.slice(0, 5)}</span>
            {moment.slice(5, 19)}
            <span className="max-sm:sr-only">{moment.slice(19)}</span>
          </span>
        )}
      </span>
    </li>
  );
}

interface StateProps {
  readonly load: CoinFunding['load'];
  /** What is known about the period in view. */
  readonly description: string;
  readonly onResume: () => void;
}

function State({ load, description, onResume }: StateProps) {
  const time = useTime();
  switch (load?.kind) {
    case undefined:
      return <span>not requested yet</span>;
    case 'waiting':
      return <span>queued</span>;
    case 'loading':
      return (
        <span>
          {Math.floor(load.progress * 100)} % loaded, {counted(load.entries.length, 'entry', 'entries')}
        </span>
      );
    case 'stopped':
    case 'failed':
      return (
        <>
          <span className="text-stale">
            {load.kind === 'failed' ? 'failed' : 'stopped'}
            {load.older !== undefined
              ? '; showing earlier data'
              : load.entries.length > 0 && `: partial, up to ${time.second(load.next - 1)}; ${description}`}
          </span>
          {(load.kind === 'stopped' || adviceOf(load.error, time.zone).retryable) && (
            <Button look="plain" price={creditsOf({ from: load.next, to: load.period.to })} onClick={onResume}>
              {load.kind === 'failed' ? 'Try again' : 'Continue'}
            </Button>
          )}
        </>
      );
    default:
      return <span>{description}</span>;
  }
}

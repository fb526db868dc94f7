import { useMemo, useState } from 'react';
import { useShownSeries } from '../../ui/chart/legend.tsx';
import { signedPercent } from '../../ui/format.ts';
import type { TimeTexts } from '../../ui/use-time.ts';
import { ChartArea, type ChartAreaProps } from './chart-area.tsx';
import { CoinLine } from './coin-line.tsx';
import { entryAt, type History } from './entries.ts';
import { rateIn } from './rates.ts';
import { measuredText, paneValueText, SILENCE_TEXTS } from './texts.ts';
import type { CoinFunding } from './use-funding.ts';

interface ChartSectionProps extends Omit<ChartAreaProps, 'histories' | 'hidden' | 'cursor' | 'isPointed' | 'onCursor'> {
  readonly fundings: readonly CoinFunding[];
  readonly onRemove: ((coin: string) => void) | undefined;
  readonly onResume: (coin: string) => void;
}

/** The cursor's time, ms. Values at a keyboard cursor are also announced to screen readers. */
interface Cursor {
  readonly at: number;
  readonly by: 'pointer' | 'keyboard';
}

/** The coins and their chart, which share the cursor. */
export function ChartSection({ fundings, unit, paneKind, time, onRemove, onResume, ...rest }: ChartSectionProps) {
  const [cursor, setCursor] = useState<Cursor>();
  const histories = useMemo(() => fundings.map(({ history }) => history), [fundings]);
  const coins = useMemo(() => fundings.map(({ coin }) => coin), [fundings]);
  const legend = useShownSeries(coins);
  const shared = sharedText(fundings, cursor?.at, time);
  return (
    <>
      <ul
        aria-label="Coins"
        className="grid shrink-0 grid-cols-[repeat(auto-fill,minmax(min(400px,100%),1fr))] border-b border-line max-sm:pb-1"
      >
        {fundings.map((funding, at) => (
          <CoinLine
            key={funding.coin}
            funding={funding}
            at={at}
            unit={unit}
            paneKind={paneKind}
            cursor={cursor?.at}
            legend={legend}
            isShared={shared !== undefined}
            onRemove={onRemove && (() => onRemove(funding.coin))}
            onResume={() => onResume(funding.coin)}
          />
        ))}
        {shared !== undefined && <li className="px-3 text-11 text-dim sm:hidden">{shared}</li>}
      </ul>
      <output className="sr-only">
        {cursor?.by === 'keyboard' && saidAt(histories, cursor.at, { unit, paneKind, time })}
      </output>
      <ChartArea
        {...rest}
        {...{ histories, unit, paneKind, time }}
        hidden={legend.hidden}
        cursor={cursor?.at}
        isPointed={cursor?.by === 'pointer'}
        onCursor={(at, by) => setCursor(at === undefined ? undefined : { at, by })}
      />
    </>
  );
}

/**
 * The second line of all coins if it is the same: each is loaded completely, has the same interval, and has its entry at one
 * time.
 */
function sharedText(fundings: readonly CoinFunding[], cursor: number | undefined, time: TimeTexts): string | undefined {
  const says = fundings.map(({ load, history }) => {
    const entry = cursor === undefined ? history.entries.at(-1) : entryAt(history, cursor);
    if (load?.kind !== 'whole' || entry === undefined) return undefined;
    return `${measuredText(history.completeness, time.day)} · ${time.second(entry.time)}`;
  });
  return says.length > 1 && says.every((text) => text === says[0]) ? says[0] : undefined;
}

type Said = Pick<ChartSectionProps, 'unit' | 'paneKind' | 'time'>;

/** The announcement of the values at the keyboard's cursor. */
function saidAt(histories: readonly History[], moment: number, { unit, paneKind, time }: Said): string {
  const coins = histories.map((history) => {
    const entry = entryAt(history, moment);
    const rate = entry && rateIn(unit, entry.fundingRate, entry.interval);
    if (entry === undefined || rate === undefined) {
      return `${history.coin} ${history.silence === undefined ? 'no entry' : SILENCE_TEXTS[history.silence]}`;
    }
    const below = paneKind === undefined ? [] : [paneKind, paneValueText(paneKind, history, entry)];
    return [`${history.coin} ${signedPercent(rate)}`, ...below].join(' ');
  });
  return `${time.second(moment)}: ${coins.join(', ')}`;
}

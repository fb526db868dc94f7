import { useMemo, useState } from 'react';
import type { TimeTexts } from '../../hooks/use-time.ts';
import { ChartArea } from './chart-area.tsx';
import { CoinLine } from './coin-line.tsx';
import { entryAt } from './cursor.ts';
import type { History, Window } from './entries.ts';
import { rateIn } from './rates.ts';
import type { Overlay, Unit } from './search.ts';
import { SILENCE_TEXTS, signedPercent } from './texts.ts';
import type { CoinFunding } from './use-funding.ts';

interface ChartSectionProps {
  readonly fundings: readonly CoinFunding[];
  /** The same coins over all that was asked for. */
  readonly whole: readonly History[];
  readonly window: Window;
  readonly view: Window;
  readonly unit: Unit;
  readonly overlay: Overlay | undefined;
  readonly time: TimeTexts;
  readonly isLoading: boolean;
  readonly onRemove: ((coin: string) => void) | undefined;
  readonly onResume: (coin: string) => void;
  readonly onZoom: (part: Window | undefined) => void;
  readonly onOpen: (time: number) => void;
}

/** What is read off, ms; what the keyboard reads off is said aloud too. */
interface Cursor {
  readonly at: number;
  readonly by: 'pointer' | 'keyboard';
}

/** The coins and their chart, which share the moment that is read off. */
export function ChartSection({ fundings, unit, time, onRemove, onResume, ...rest }: ChartSectionProps) {
  const [cursor, setCursor] = useState<Cursor>();
  const histories = useMemo(() => fundings.map(({ history }) => history), [fundings]);
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
            cursor={cursor?.at}
            onRemove={onRemove && (() => onRemove(funding.coin))}
            onResume={() => onResume(funding.coin)}
          />
        ))}
      </ul>
      <output className="sr-only">{cursor?.by === 'keyboard' && saidAt(histories, cursor.at, unit, time)}</output>
      <ChartArea
        {...rest}
        {...{ histories, unit, time }}
        cursor={cursor?.at}
        onCursor={(at, by) => setCursor(at === undefined ? undefined : { at, by })}
      />
    </>
  );
}

function saidAt(histories: readonly History[], moment: number, unit: Unit, time: TimeTexts): string {
  const rates = histories.map((history) => {
    const entry = entryAt(history, moment);
    const rate = entry && rateIn(unit, entry.fundingRate, history.completeness.interval);
    return `${history.coin} ${rate === undefined ? (history.silence === undefined ? 'no entry' : SILENCE_TEXTS[history.silence]) : signedPercent(rate)}`;
  });
  return `${time.second(moment)}: ${rates.join(', ')}`;
}

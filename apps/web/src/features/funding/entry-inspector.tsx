import { CopyButton } from '../../ui/copy-button.tsx';
import { signedPercent } from '../../ui/format.ts';
import { Inspector } from '../../ui/page/page.tsx';
import { useTime } from '../../ui/use-time.ts';
import { WithNumbers } from '../../ui/with-numbers.tsx';
import { textOf } from './entries.ts';
import type { EntryRow } from './entries-panel.tsx';
import { rateIn, UNIT_TEXTS } from './rates.ts';
import { UNITS } from './search.ts';
import { SeriesMark } from './series.tsx';
import { measuredText, NOT_REPORTED } from './texts.ts';

interface EntryInspectorProps {
  readonly row: EntryRow;
  readonly onClose: () => void;
}

/** One entry in every unit, and as reported. */
export function EntryInspector({ row: { entry, history, at }, onClose }: EntryInspectorProps) {
  const time = useTime();
  return (
    <Inspector
      title={
        <>
          <SeriesMark at={at} /> {entry.coin}, <span className="num text-12">{time.second(entry.time)}</span>
        </>
      }
      onClose={onClose}
    >
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1">
        <Fact name="Applied at" value={time.moment(entry.time)} />
        <Fact name="fundingRate" value={entry.fundingRate} copy />
        <Fact name="premium" value={entry.premium ?? NOT_REPORTED} copy={entry.premium !== undefined} />
        {UNITS.map((unit) => {
          const rate = rateIn(unit, entry.fundingRate, entry.interval);
          return (
            <Fact
              key={unit}
              name={UNIT_TEXTS[unit].text}
              value={rate === undefined ? 'interval unknown' : signedPercent(rate)}
            />
          );
        })}
        <Fact name="Premium" value={entry.premium === undefined ? NOT_REPORTED : signedPercent(entry.premium)} />
        <Fact name="Cumulative in view" value={signedPercent(textOf(history, entry.cumulative))} />
      </dl>
      <p className="pt-3 text-12 text-dim">
        <WithNumbers text={measuredText(history.completeness, time.day)} />.
      </p>
      {entry.isDuplicate && (
        <p className="pt-1 text-12 text-stale">Same interval as the previous entry, so it is not counted again.</p>
      )}
    </Inspector>
  );
}

interface FactProps {
  readonly name: string;
  readonly value: string;
  readonly copy?: boolean;
}

function Fact({ name, value, copy = false }: FactProps) {
  return (
    <>
      <dt className="text-dim">{name}</dt>
      <dd className="num flex items-center justify-end gap-1 text-12 break-all">
        {value}
        {copy && <CopyButton what={name} text={() => value} />}
      </dd>
    </>
  );
}

import { isDay } from '@l4desk/protocol';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { Popover } from './popover.tsx';

interface DayRange {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

interface DayRangeFieldProps {
  readonly name: string;
  readonly value: DayRange;
  readonly onChange: (value: DayRange) => void;
  readonly max?: string;
  readonly closed?: boolean;
  /** The text while no day is chosen; `any day` by default. */
  readonly none?: string;
}

export function DayRangeField({ name, value, onChange, max, closed = false, none = 'any day' }: DayRangeFieldProps) {
  const [open, setOpen] = useState(false);
  const { from, to } = value;
  const words = from === undefined && to === undefined ? none : `${from ?? '…'} – ${to ?? '…'}`;
  return (
    <Popover
      name={name}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button>
          {name}: <span className={from === undefined && to === undefined ? '' : 'num text-12'}>{words}</span>
          <ChevronDown size={14} strokeWidth={1.75} className="text-dim" aria-hidden />
        </Button>
      }
    >
      <Days
        key={`${from}/${to}`}
        value={value}
        max={max}
        closed={closed}
        onTake={(next) => {
          setOpen(false);
          onChange(next);
        }}
      />
    </Popover>
  );
}

interface DaysProps {
  readonly value: DayRange;
  readonly max: string | undefined;
  readonly closed: boolean;
  readonly onTake: (value: DayRange) => void;
}

function Days({ value, max, closed, onTake }: DaysProps) {
  const [from, setFrom] = useState(value.from ?? '');
  const [to, setTo] = useState(value.to ?? '');
  const problem = problemOf(from, to, max, closed);
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined) onTake({ from: from || undefined, to: to || undefined });
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <Day label="From (UTC)" value={from} onChange={setFrom} />
        <Day label="To, inclusive (UTC)" value={to} onChange={setTo} />
      </div>
      {problem !== undefined && (
        <p role="alert" className="text-12 text-stale">
          {problem}
        </p>
      )}
      <div className="flex gap-2">
        <Button look="primary" submit disabled={problem !== undefined}>
          Apply
        </Button>
        {!closed && (
          <Button look="plain" onClick={() => onTake({ from: undefined, to: undefined })}>
            Any day
          </Button>
        )}
      </div>
    </form>
  );
}

function Day(props: { readonly label: string; readonly value: string; readonly onChange: (value: string) => void }) {
  return (
    <label className="flex flex-col gap-0.5 text-12 text-dim">
      {props.label}
      <input
        type="date"
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
        className="num h-(--control) rounded-4 border border-edge bg-surface-0 px-2 text-12 text-text"
      />
    </label>
  );
}

function problemOf(from: string, to: string, max: string | undefined, closed: boolean): string | undefined {
  if (closed && (from === '' || to === '')) return 'Enter both dates.';
  if (from !== '' && !isDay(from)) return 'The first date does not exist.';
  if (to !== '' && !isDay(to)) return 'The last date does not exist.';
  if (from !== '' && to !== '' && from > to) return 'The first date is after the last.';
  if (max !== undefined && (from > max || to > max)) return `No data after ${max}.`;
  return undefined;
}

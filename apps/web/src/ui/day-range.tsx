import { ChevronDown } from 'lucide-react';
import { type InputHTMLAttributes, useState } from 'react';
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

/** The browser says what is wrong with a day, and takes no day that does not exist; without a maximum, its years have six digits. */
function Days({ value, max = '9999-12-31', closed, onTake }: DaysProps) {
  const [from, setFrom] = useState(value.from ?? '');
  const [to, setTo] = useState(value.to ?? '');
  const bounds = { max, required: closed };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onTake({ from: from || undefined, to: to || undefined });
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <Day {...bounds} label="From (UTC)" value={from} onChange={setFrom} />
        <Day {...bounds} label="To, inclusive (UTC)" min={from} value={to} onChange={setTo} />
      </div>
      <div className="flex gap-2">
        <Button look="primary" submit>
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

interface DayProps extends Pick<InputHTMLAttributes<HTMLInputElement>, 'min' | 'max' | 'required'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Day({ label, onChange, ...input }: DayProps) {
  return (
    <label className="flex flex-col gap-0.5 text-12 text-dim">
      {label}
      <input
        type="date"
        {...input}
        onChange={(event) => onChange(event.target.value)}
        className="num h-(--control) rounded-4 border border-edge bg-surface-0 px-2 text-12 text-text"
      />
    </label>
  );
}

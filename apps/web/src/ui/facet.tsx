import { ChevronDown } from 'lucide-react';
import { Button } from './button.tsx';
import { Checkbox } from './checkbox.tsx';
import { classNames } from './class-names.ts';
import { wholeText } from './format.ts';
import { Popover } from './popover.tsx';

interface FacetProps<T extends string> {
  /** What it filters by: `Status`. */
  readonly name: string;
  /** With how many rows there are of each; a value that is chosen stays even where there is none. */
  readonly options: readonly { readonly value: T; readonly text?: string; readonly count?: number }[];
  /** Empty is no filter. */
  readonly chosen: readonly T[];
  readonly onChange: (chosen: readonly T[]) => void;
}

/** Any of several values to filter by. What is chosen stands on the button. */
export function Facet<T extends string>({ name, options, chosen, onChange }: FacetProps<T>) {
  const shown = chosen.map((value) => options.find((option) => option.value === value)?.text ?? value);
  return (
    <Popover
      name={name}
      trigger={
        <button
          type="button"
          className={classNames(
            'flex h-(--control) max-w-56 min-w-0 items-center gap-1 rounded-4 px-2 hover:bg-surface-2 aria-expanded:bg-surface-2',
            chosen.length > 0 ? 'bg-accent-soft text-strong' : 'text-text',
          )}
        >
          <span className="truncate">
            {name}
            {shown.length > 0 && `: ${shown.length > 2 ? `${shown.length} of ${options.length}` : shown.join(', ')}`}
          </span>
          <ChevronDown size={14} strokeWidth={1.75} className="shrink-0 text-dim" aria-hidden />
        </button>
      }
    >
      <fieldset className="flex max-h-80 min-w-44 flex-col">
        <legend className="sr-only">{name}</legend>
        {options.map(({ value, text, count }) => (
          <div key={value} className="flex items-center justify-between gap-4">
            <Checkbox
              text={text ?? value}
              checked={chosen.includes(value)}
              onChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((other) => other !== value))}
            />
            {count !== undefined && <span className="num text-12 text-dim">{wholeText(count)}</span>}
          </div>
        ))}
        {options.length === 0 && <p className="text-dim">Nothing to filter by yet.</p>}
      </fieldset>
      <Button look="plain" disabled={chosen.length === 0} onClick={() => onChange([])}>
        Clear
      </Button>
    </Popover>
  );
}

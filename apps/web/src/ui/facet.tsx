import { ChevronDown } from 'lucide-react';
import { Button } from './button.tsx';
import { Checkbox } from './checkbox.tsx';
import { classNames } from './class-names.ts';
import { wholeText } from './format.ts';
import { Popover } from './popover.tsx';

interface FacetOption<T extends string> {
  readonly value: T;
  readonly count?: number;
}

interface FacetProps<T extends string> {
  readonly name: string;
  /** The values with their row counts, computed when the list opens. A chosen value is listed even if no row has it. */
  readonly optionsOf: () => readonly FacetOption<T>[];
  readonly textOf: (value: T) => string;
  readonly chosen: readonly T[];
  readonly onChange: (chosen: readonly T[]) => void;
  /** Whether the page lists the chosen values: then the button shows only how many there are. */
  readonly isListed?: boolean;
}

/** A filter by any of several values. The button shows the choice. */
export function Facet<T extends string>(props: FacetProps<T>) {
  const { name, textOf, chosen, onChange, isListed = false } = props;
  const values = chosen.length > 2 ? `${chosen.length} values` : chosen.map(textOf).join(', ');
  const text = chosen.length === 0 ? name : isListed ? `${name} (${chosen.length})` : `${name}: ${values}`;
  return (
    <Popover
      name={name}
      trigger={
        <button
          type="button"
          title={text}
          className={classNames(
            'flex h-(--control) max-w-56 min-w-0 items-center gap-1 rounded-4 px-2 hover:bg-surface-2 aria-expanded:bg-surface-2',
            chosen.length > 0 ? 'bg-accent-soft text-strong' : 'text-text',
          )}
        >
          <span className="truncate">{text}</span>
          <ChevronDown size={14} strokeWidth={1.75} className="shrink-0 text-dim" aria-hidden />
        </button>
      }
    >
      <Options {...props} />
      <Button look="plain" disabled={chosen.length === 0} onClick={() => onChange([])}>
        Clear
      </Button>
    </Popover>
  );
}

function Options<T extends string>({ name, optionsOf, textOf, chosen, onChange }: FacetProps<T>) {
  const options = optionsOf();
  return (
    <fieldset className="mb-1 flex max-h-80 min-w-44 flex-col overflow-y-auto">
      <legend className="sr-only">{name}</legend>
      {options.map(({ value, count }) => (
        <div key={value} className="flex items-center justify-between gap-4">
          <Checkbox
            text={textOf(value)}
            checked={chosen.includes(value)}
            onChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((other) => other !== value))}
          />
          {count !== undefined && <span className="num text-12 text-dim">{wholeText(count)}</span>}
        </div>
      ))}
      {options.length === 0 && <p className="text-dim">No values to filter by yet.</p>}
    </fieldset>
  );
}

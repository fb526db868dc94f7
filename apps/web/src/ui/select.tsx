import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';

interface SelectProps<T extends string> {
  /** Its accessible name; `caption` is shown before the value. */
  readonly name: string;
  readonly caption: ReactNode;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly text: string }[];
  readonly disabled?: boolean;
  readonly numeric?: boolean;
  readonly onChange: (value: T) => void;
}

/** One value of a short list: the platform's own control, styled for the page. */
export function Select<T extends string>({
  name,
  caption,
  value,
  options,
  disabled = false,
  numeric = false,
  onChange,
}: SelectProps<T>) {
  return (
    <span className="relative inline-flex h-(--control) shrink-0 items-center rounded-4 hover:bg-surface-2 has-focus-visible:outline-2 has-focus-visible:outline-accent">
      {caption !== '' && <span className="pointer-events-none pl-2 text-dim">{caption}</span>}
      <select
        aria-label={name}
        className={`h-full cursor-pointer appearance-none rounded-4 bg-transparent pr-6 pl-1.5 text-text outline-none [field-sizing:content] disabled:cursor-default *:bg-surface-1 ${numeric ? 'num text-12' : ''}`}
        value={value}
        disabled={disabled}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      <ChevronDown
        size={14}
        strokeWidth={1.75}
        className="pointer-events-none absolute right-1.5 text-dim"
        aria-hidden
      />
    </span>
  );
}

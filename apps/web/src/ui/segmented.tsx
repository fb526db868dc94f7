import { useId } from 'react';
import { PriceTag } from './price-tag.tsx';

interface SegmentedProps<T extends string> {
  readonly name: string;
  readonly value: T;
  readonly options: readonly {
    readonly value: T;
    readonly text: string;
    readonly hint?: string;
    /** The price of the choice, if it costs anything now. */
    readonly credits?: number;
  }[];
  readonly onChange: (value: T) => void;
}

/** Options by their texts. */
export const optionsOf = <T extends string>(texts: Readonly<Record<T, string>>) =>
  (Object.keys(texts) as T[]).map((value) => ({ value, text: texts[value] }));

/** One of a few choices, all visible: radio buttons drawn as one control. */
export function Segmented<T extends string>({ name, value, options, onChange }: SegmentedProps<T>) {
  const group = useId();
  return (
    <fieldset className="inline-flex h-(--control) shrink-0 items-stretch rounded-4 border border-line">
      <legend className="sr-only">{name}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          title={option.hint}
          className="relative flex cursor-pointer items-center gap-1 rounded-4 px-2 text-dim hover:text-text has-checked:bg-surface-3 has-checked:text-strong has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            className="sr-only"
            name={group}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.text}
          {option.credits !== undefined && option.credits > 0 && <PriceTag credits={option.credits} />}
        </label>
      ))}
    </fieldset>
  );
}

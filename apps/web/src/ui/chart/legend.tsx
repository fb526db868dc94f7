import { type MouseEvent, type ReactNode, useState } from 'react';
import { classNames } from '../class-names.ts';

/** Which series of a chart are hidden. */
export interface ShownSeries {
  readonly hidden: readonly string[];
  /** Hides or shows a series; with Shift shows it alone, or all again if it is alone already. */
  readonly onPress: (name: string, event: MouseEvent) => void;
}

export function useShownSeries(names: readonly string[]): ShownSeries {
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const others = (name: string) => names.filter((other) => other !== name);
  const isAlone = (name: string) => !hidden.includes(name) && others(name).every((other) => hidden.includes(other));
  return {
    hidden,
    onPress: (name, { shiftKey }) => {
      if (shiftKey) setHidden(isAlone(name) ? [] : others(name));
      else setHidden(hidden.includes(name) ? hidden.filter((other) => other !== name) : [...hidden, name]);
    },
  };
}

interface LegendEntryProps {
  readonly name: string;
  readonly shown: ShownSeries;
  readonly children: ReactNode;
}

/** A series in a legend: a click hides it, Shift and a click show it alone. */
export function LegendEntry({ name, shown, children }: LegendEntryProps) {
  const isHidden = shown.hidden.includes(name);
  return (
    <button
      type="button"
      aria-pressed={!isHidden}
      title="Click: hide or show. Shift+click: show alone"
      onClick={(event) => shown.onPress(name, event)}
      className={classNames(
        'flex min-h-6 min-w-0 items-center gap-1.5 rounded-4',
        isHidden && 'line-through opacity-60',
      )}
    >
      {children}
    </button>
  );
}

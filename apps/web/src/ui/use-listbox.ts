import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';

interface ListboxProps<T> {
  readonly options: readonly T[];
  /** A unique key: the active option stays active when other options are added or removed. */
  readonly keyOf: (option: T) => string;
  readonly onPress: (option: T) => void;
  /** The option that is active at first; the first one by default. */
  readonly first?: string;
}

const PAGE = 10;

/**
 * A combobox with a listbox, as in the ARIA pattern: the input keeps the focus and handles the keys. When
 * the list is there, it is scrolled to its active option. Spread `input`, `list` and, for each option by its index, `option(at)`
 * onto the elements.
 */
export function useListbox<T>({ options, keyOf, onPress, first }: ListboxProps<T>) {
  const id = useId();
  const [active, setActive] = useState(first);
  const count = options.length;
  const at = Math.max(
    0,
    options.findIndex((option) => keyOf(option) === active),
  );
  const activate = (place: number) => {
    const option = options[place];
    if (option !== undefined) setActive(keyOf(option));
  };
  const reveal = (place: number) => {
    document.getElementById(`${id}-${place}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onOptions = useEffectEvent(() => reveal(at));
  const isEmpty = count === 0;
  useEffect(() => {
    if (!isEmpty) onOptions();
  }, [isEmpty]);
  const onKeyDown = (event: KeyboardEvent) => {
    // The keys that choose a candidate of an input method are not for the list.
    if (event.nativeEvent.isComposing) return;
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE }[event.key];
    const option = options[at];
    if (by !== undefined) {
      const to = Math.max(0, Math.min(count - 1, at + by));
      activate(to);
      reveal(to);
    } else if (event.key === 'Enter' && option !== undefined) onPress(option);
    else return;
    event.preventDefault();
  };
  return {
    at,
    /** Activates the first option again, and scrolls to it. */
    reset: () => {
      setActive(undefined);
      reveal(0);
    },
    input: {
      role: 'combobox',
      'aria-expanded': true,
      'aria-controls': `${id}-list`,
      'aria-activedescendant': count === 0 ? undefined : `${id}-${at}`,
      autoComplete: 'off',
      spellCheck: false,
      onKeyDown,
    },
    list: { id: `${id}-list`, role: 'listbox' },
    option: (place: number) => ({
      id: `${id}-${place}`,
      role: 'option',
      onClick: () => {
        const option = options[place];
        if (option !== undefined) onPress(option);
      },
      onPointerMove: () => activate(place),
    }),
  } as const;
}

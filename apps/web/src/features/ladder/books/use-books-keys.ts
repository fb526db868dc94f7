import { useMemo } from 'react';
import type { Command } from '../../../hooks/commands.ts';
import { type Shortcut, useShortcuts } from '../../../hooks/shortcuts.ts';
import { LADDERS_MAX } from './books.ts';
import type { Books } from './use-books.ts';

/** Keyboard shortcuts for the ladders; returns the same as palette commands. */
export function useBooksKeys({ ladders, active, actions }: Books, onAdd: () => void): readonly Command[] {
  const { shortcuts, commands } = useMemo(() => {
    const next = () => actions.activate((active + 1) % ladders.length);
    const close = () => actions.close(active);
    const isSeveral = ladders.length > 1;
    const mayAdd = ladders.length < LADDERS_MAX;
    const add: Command = { id: 'add ladder', text: 'Add a ladder beside this one', hint: 'A', run: onAdd };
    const others = ladders.filter(({ index }) => index !== active);
    return {
      shortcuts: [
        ...(mayAdd ? [{ key: 'a', text: 'Add a ladder', run: onAdd }] : []),
        ...(isSeveral ? [{ key: 'b', text: 'Next ladder', run: next }] : []),
        ...(active > 0 ? [{ key: 'x', text: 'Close the ladder', run: close }] : []),
      ] satisfies readonly Shortcut[],
      commands: [
        ...(mayAdd ? [add] : []),
        ...others.map(
          ({ coin, index }): Command => ({
            id: `ladder ${index}`,
            text: `Go to ladder ${index + 1}: ${coin}`,
            ...(index === (active + 1) % ladders.length ? { hint: 'B' } : {}),
            run: () => actions.activate(index),
          }),
        ),
        ...ladders.slice(1).map(
          ({ coin, index }): Command => ({
            id: `close ladder ${index}`,
            text: `Close ladder ${index + 1}: ${coin}`,
            ...(index === active ? { hint: 'X' } : {}),
            run: () => actions.close(index),
          }),
        ),
      ] satisfies readonly Command[],
    };
  }, [ladders, active, actions, onAdd]);
  useShortcuts('Ladders', shortcuts);
  return commands;
}

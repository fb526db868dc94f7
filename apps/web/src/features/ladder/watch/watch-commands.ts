import { useMemo } from 'react';
import type { Command } from '../../../hooks/commands.ts';
import { useWatchRules, WATCH_RULES_MAX } from '../../../state/watch-rules.ts';
import { focusIn } from '../pane-focus.ts';

/** Adding a watch rule as a palette command, while there is room for one. */
export function useWatchCommands(onPane: (key: string) => void): readonly Command[] {
  const isFull = useWatchRules((state) => state.rules.length >= WATCH_RULES_MAX);
  return useMemo(() => {
    if (isFull) return [];
    const run = () => {
      onPane('watch');
      focusIn('watch');
    };
    return [{ id: 'watch rule', text: 'Add a watch rule', run }];
  }, [isFull, onPane]);
}

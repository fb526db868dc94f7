import { useEffect, useMemo, useRef } from 'react';
import { type Command, useCommands } from '../../hooks/commands.ts';
import { type Shortcut, useShortcuts } from '../../hooks/shortcuts.ts';
import { counted } from '../format.ts';

interface Refresh {
  /** What is refreshed, in the user's words: `balances`, `the overview`. */
  readonly what: string;
  readonly credits: number;
  /** Nothing can be refreshed, or a refresh is in flight: a click then does nothing. */
  readonly isBusy: boolean;
  readonly run: () => void;
}

/** Registers the refresh of a page as the key R and as a palette command, both with its price. */
export function useRefresh(page: string, { what, credits, isBusy, run }: Refresh): void {
  const latest = useRef({ isBusy, run });
  useEffect(() => {
    latest.current = { isBusy, run };
  });
  const hint = credits === 0 ? 'free' : counted(credits, 'credit');
  const refresh = useMemo(
    () => () => {
      if (!latest.current.isBusy) latest.current.run();
    },
    [],
  );
  const shortcuts = useMemo<readonly Shortcut[]>(
    () => (isBusy ? [] : [{ key: 'r', text: `Refresh ${what}`, credits, run: refresh }]),
    [what, credits, isBusy, refresh],
  );
  useShortcuts(page, shortcuts);
  const commands = useMemo<readonly Command[]>(
    () => [{ id: `refresh ${page}`, text: `Refresh ${what}`, hint, run: refresh }],
    [page, what, hint, refresh],
  );
  useCommands('This page', commands);
}

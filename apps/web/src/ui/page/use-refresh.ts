import { useEffect, useMemo, useRef } from 'react';
import { type Command, useCommands } from '../../hooks/commands.ts';
import { type Shortcut, useShortcuts } from '../../hooks/shortcuts.ts';
import { counted } from '../format.ts';

interface Refresh {
  /** What is asked for again, as a user says it: `balances`, `the overview`. */
  readonly what: string;
  readonly credits: number;
  /** There is nothing to ask for, or it is on its way: then a click does nothing. */
  readonly isBusy: boolean;
  readonly run: () => void;
}

/** What every page can do by the key R and from the palette: ask again for what it shows, at the price that both name. */
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
    () => [{ key: 'r', text: `Refresh ${what}, ${hint}`, run: refresh }],
    [what, hint, refresh],
  );
  useShortcuts(page, shortcuts);
  const commands = useMemo<readonly Command[]>(
    () => [{ id: `refresh ${page}`, text: `Refresh ${what}`, hint, run: refresh }],
    [page, what, hint, refresh],
  );
  useCommands('This page', commands);
}

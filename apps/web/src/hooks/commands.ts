import { useEffect } from 'react';
import { create } from 'zustand';

/** Something the palette can do. */
export interface Command {
  /** Unique among all commands of the moment. */
  readonly id: string;
  /** What it does, as it is searched for: `Refresh balances`. */
  readonly text: string;
  /** Beside it: a price, a key, an address. */
  readonly hint?: string;
  readonly run: () => void;
}

/** Their heading in the palette: what the page does, and what it saves. */
export type CommandsTitle = 'This page' | 'Exports';

export interface PageCommands {
  readonly title: CommandsTitle;
  readonly commands: readonly Command[];
}

const useRegistered = create<{ readonly lists: readonly PageCommands[] }>()(() => ({ lists: [] }));

/** Adds the open page's commands to the palette while the component is mounted. Hand in a stable list. */
export function useCommands(title: CommandsTitle, commands: readonly Command[]): void {
  useEffect(() => {
    const list = { title, commands };
    useRegistered.setState(({ lists }) => ({ lists: [...lists, list] }));
    return () => useRegistered.setState(({ lists }) => ({ lists: lists.filter((other) => other !== list) }));
  }, [title, commands]);
}

/** The commands of the open page. */
export function usePageCommands(): readonly PageCommands[] {
  return useRegistered((state) => state.lists);
}

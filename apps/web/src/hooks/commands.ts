import { useEffect } from 'react';
import { create } from 'zustand';

/** An entry in the command palette. */
export interface Command {
  /** Unique among all registered commands. */
  readonly id: string;
  /** What it does, worded as the user searches for it: `Refresh balances`. */
  readonly text: string;
  /** Shown beside the text: a price, a key, an address. */
  readonly hint?: string;
  /** Names a wallet or a group of wallets, which the privacy preference blurs. */
  readonly isPrivate?: boolean;
  readonly run: () => void;
}

/** Heading in the palette: what the page does, how it travels in time, or what it exports. */
export type CommandsTitle = 'This page' | 'Time travel' | 'Exports';

export interface PageCommands {
  readonly title: CommandsTitle;
  readonly commands: readonly Command[];
}

const useRegistered = create<{ readonly lists: readonly PageCommands[] }>()(() => ({ lists: [] }));

/** Adds the open page's commands to the palette while the component is mounted. Pass a stable list. */
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

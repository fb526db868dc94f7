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

const useRegistered = create<{ readonly lists: readonly (readonly Command[])[] }>()(() => ({ lists: [] }));

/** Offers commands of the open page in the palette while the component stands. Hand in a stable list. */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => {
    useRegistered.setState(({ lists }) => ({ lists: [...lists, commands] }));
    return () => useRegistered.setState(({ lists }) => ({ lists: lists.filter((other) => other !== commands) }));
  }, [commands]);
}

/** The commands of the open page. */
export function usePageCommands(): readonly (readonly Command[])[] {
  return useRegistered((state) => state.lists);
}

import { create } from 'zustand';
import { onAccountChange } from '../state/account.ts';
import type { JournalEntry } from './journal.ts';

/** Entries kept at most; the oldest are dropped first, and the journal says how many were dropped. */
const ENTRIES_MAX = 1_000;

interface Journal {
  /** Oldest first, each with the serial number it was noted under. */
  readonly entries: readonly (JournalEntry & { readonly serial: number })[];
  readonly dropped: number;
}

const EMPTY: Journal = { entries: [], dropped: 0 };

/** What happened to the followed books since the page was opened. */
export const useJournal = create<Journal>()(() => EMPTY);

onAccountChange({ leave: () => useJournal.setState(EMPTY) });

export function noteJournal(entry: JournalEntry): void {
  useJournal.setState(({ entries, dropped }) => {
    const excess = Math.max(0, entries.length + 1 - ENTRIES_MAX);
    const serial = dropped + entries.length + 1;
    return { entries: [...entries.slice(excess), { ...entry, serial }], dropped: dropped + excess };
  });
}

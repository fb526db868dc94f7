import { z } from '@l4desk/protocol';
import { create } from 'zustand';
import { currentAccount, onAccountChange } from '../state/account.ts';
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

onAccountChange({ leave: () => useJournal.setState(EMPTY), enter: takeOver });

/** In the session's storage, which a new window gets a copy of: the journal of the page that opens it. */
const HANDED_OVER = 'l4desk.journal';

const handedOver = z.object({
  account: z.string(),
  entries: z.array(z.custom<Journal['entries'][number]>()),
  dropped: z.int(),
});

/** Opens a window whose journal begins with this page's entries so far, and continues with its own. */
export function withJournal<T>(open: () => T): T {
  const { entries, dropped } = useJournal.getState();
  sessionStorage.setItem(HANDED_OVER, JSON.stringify({ account: currentAccount(), entries, dropped }));
  try {
    return open();
  } finally {
    sessionStorage.removeItem(HANDED_OVER);
  }
}

/** Begins with the entries of the page that opened this window, if it is of the same account. */
function takeOver(): void {
  const text = sessionStorage.getItem(HANDED_OVER);
  if (text === null) return;
  sessionStorage.removeItem(HANDED_OVER);
  const { account, entries, dropped } = handedOver.parse(JSON.parse(text));
  if (account === currentAccount()) useJournal.setState({ entries, dropped });
}

export function noteJournal(entry: JournalEntry): void {
  useJournal.setState(({ entries, dropped }) => {
    const excess = Math.max(0, entries.length + 1 - ENTRIES_MAX);
    const serial = dropped + entries.length + 1;
    return { entries: [...entries.slice(excess), { ...entry, serial }], dropped: dropped + excess };
  });
}

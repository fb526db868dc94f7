import { z } from '@l4desk/protocol';
import { create } from 'zustand';
import { currentAccount, onAccountChange } from '../state/account.ts';
import { windowStorage } from '../state/browser-storage.ts';
import { countEntry, type JournalCounts, type JournalEntry, type JournalHit, NO_COUNTS } from './journal.ts';

/** Entries kept at most, and hits of watch rules: the oldest are dropped first, and the journal says how many were dropped. */
const ENTRIES_MAX = 1_000;
const HITS_MAX = 1_000;

interface Numbered {
  /** The number under which it was noted, from 1; entries and hits are numbered apart. */
  readonly serial: number;
}

interface Journal {
  readonly entries: readonly (JournalEntry & Numbered)[];
  readonly dropped: number;
  /** Watch rules that fired, oldest first: kept apart, so that a rule that fires often displaces no finding. */
  readonly hits: readonly (JournalHit & Numbered)[];
  readonly hitsDropped: number;
  /** Totals of everything noted: they do not fall when something is dropped. */
  readonly counts: JournalCounts;
}

const EMPTY: Journal = { entries: [], dropped: 0, hits: [], hitsDropped: 0, counts: NO_COUNTS };

export const useJournal = create<Journal>()(() => EMPTY);

onAccountChange({ leave: () => useJournal.setState(EMPTY), enter: takeOver });

/** In the session's storage, which a new window gets a copy of: the journal of the page that opens it. */
const HANDED_OVER = 'l4desk.journal';

const handedOver = z.object({ account: z.string(), journal: z.custom<Journal>() });

export function withJournal<T>(open: () => T): T {
  windowStorage.setItem(HANDED_OVER, JSON.stringify({ account: currentAccount(), journal: useJournal.getState() }));
  try {
    return open();
  } finally {
    windowStorage.removeItem(HANDED_OVER);
  }
}

/** Begins with the journal of the page that opened this window, if it is of the same account. */
function takeOver(): void {
  const text = windowStorage.getItem(HANDED_OVER);
  if (text === null) return;
  windowStorage.removeItem(HANDED_OVER);
  const { account, journal } = handedOver.parse(JSON.parse(text));
  if (account === currentAccount()) useJournal.setState(journal);
}

export function noteJournal(entry: JournalEntry): void {
  useJournal.setState(({ entries, dropped, counts }) => {
    const { kept, gone } = keepLast(entries, dropped, [entry], ENTRIES_MAX);
    return { entries: kept, dropped: gone, counts: countEntry(counts, entry) };
  });
}

export function noteHits(hits: readonly JournalHit[]): void {
  useJournal.setState(({ hits: before, hitsDropped, counts }) => {
    const { kept, gone } = keepLast(before, hitsDropped, hits, HITS_MAX);
    return { hits: kept, hitsDropped: gone, counts: { ...counts, hits: counts.hits + hits.length } };
  });
}

function keepLast<T>(before: readonly (T & Numbered)[], dropped: number, more: readonly T[], max: number) {
  const noted = dropped + before.length;
  const all = [...before, ...more.map((item, index) => ({ ...item, serial: noted + index + 1 }))];
  const kept = all.slice(-max);
  return { kept, gone: dropped + all.length - kept.length };
}

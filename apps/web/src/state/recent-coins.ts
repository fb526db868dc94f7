import { z } from '@l4desk/protocol';
import { accountStore } from './account.ts';

interface RecentCoins {
  /** The coins whose books were followed last, latest first. */
  readonly coins: readonly string[];
  readonly note: (coin: string) => void;
}

const KEPT_MAX = 6;

const kept = z.object({ coins: z.array(z.string().min(1).max(64)) });

const read = (state: unknown) => ({ coins: (kept.safeParse(state).data?.coins ?? []).slice(0, KEPT_MAX) });

/** The coins whose books an account followed last. Stored in this browser. */
export const useRecentCoins = accountStore<RecentCoins>('l4desk.recent-coins', read, (set) => ({
  coins: [],
  note: (coin) => set(({ coins }) => read({ coins: [coin, ...coins.filter((other) => other !== coin)] })),
}));

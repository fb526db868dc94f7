import { z } from '@l4desk/protocol';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { accountStorage, followAccount } from './account.ts';

interface RecentCoins {
  /** Whose books were followed last, the latest first. */
  readonly coins: readonly string[];
  readonly note: (coin: string) => void;
}

const KEPT_MAX = 6;

const kept = z.object({ coins: z.array(z.string().min(1).max(64)) });

const read = (state: unknown) => ({ coins: (kept.safeParse(state).data?.coins ?? []).slice(0, KEPT_MAX) });

/** The coins whose books an account followed last, in this browser. */
export const useRecentCoins = create<RecentCoins>()(
  persist(
    (set) => ({
      coins: [],
      note: (coin) => set(({ coins }) => read({ coins: [coin, ...coins.filter((other) => other !== coin)] })),
    }),
    {
      name: 'l4desk.recent-coins',
      storage: createJSONStorage(() => accountStorage),
      version: 1,
      migrate: read,
      merge: (state, current) => ({ ...current, ...read(state) }),
      partialize: ({ coins }) => ({ coins }),
    },
  ),
);

followAccount(useRecentCoins);

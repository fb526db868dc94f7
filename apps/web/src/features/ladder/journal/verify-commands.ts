import { useMemo } from 'react';
import type { Command } from '../../../hooks/commands.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { counted } from '../../../ui/format.ts';
import { everyText, VERIFY_INTERVALS, verifyCreditsPerDay } from './use-auto-verify.ts';

/** The intervals of automatic verification as palette commands; the current one is not offered. */
export function useVerifyCommands(): readonly Command[] {
  const everyS = usePreferences((state) => state.verifyEveryS);
  const set = usePreferences((state) => state.set);
  return useMemo(
    () =>
      VERIFY_INTERVALS.filter((seconds) => seconds !== everyS).map((seconds) => ({
        id: `verify ${seconds}`,
        text: `Automatic verification: ${everyText(seconds)}`,
        ...(seconds === 0 ? {} : { hint: `${counted(verifyCreditsPerDay(seconds), 'credit')} a day` }),
        run: () => set({ verifyEveryS: seconds }),
      })),
    [everyS, set],
  );
}

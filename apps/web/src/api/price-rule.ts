import { usePreferences } from '../hooks/preferences.ts';
import { useSession } from './session-context.tsx';

/** Credits that a page spends by itself until somebody sets another number: in a demo, whose credits are worth nothing, more. */
const UNASKED = { usual: 25, demo: 100 } as const;

/**
 * The one rule of what a page asks without being told to: what is in sight costs up to this many credits together. What
 * costs more waits for a press that shows its price.
 */
export function useUnaskedCredits(): number {
  const { demo } = useSession();
  const chosen = usePreferences((state) => state.unaskedCredits);
  return chosen ?? (demo ? UNASKED.demo : UNASKED.usual);
}

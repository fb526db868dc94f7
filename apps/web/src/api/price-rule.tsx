import { useState } from 'react';
import { usePreferences } from '../state/preferences.ts';
import { wholeText } from '../ui/format.ts';
import { useSession } from './session-context.tsx';

/**
 * Credits that a page spends automatically until the user sets a limit: the overview of twenty wallets loads completely. Higher in a
 * demo, whose credits are free.
 */
const AUTO_LOAD_LIMIT = { usual: 100, demo: 150 } as const;

/**
 * The one rule for what a page loads automatically: the requests in view may cost up to this many credits together. A more
 * expensive load waits for a click, and shows its price.
 */
export function useAutoLoadLimit(): number {
  const { demo } = useSession();
  const chosen = usePreferences((state) => state.autoLoadCredits);
  return chosen ?? (demo ? AUTO_LOAD_LIMIT.demo : AUTO_LOAD_LIMIT.usual);
}

/**
 * Whether a load may be made: free, or within the price rule besides the credits that the page spends anyway, or after a press.
 * A press counts as long as the page shows the same: `what`, compared by identity.
 */
export function useMayLoad(what: string | object, credits: number, besides = 0) {
  const limit = useAutoLoadLimit();
  const [pressed, setPressed] = useState<string | object>();
  return {
    mayLoad: credits === 0 || besides + credits <= limit || pressed === what,
    press: () => setPressed(what),
  };
}

/** Shown in the status line of a page that loads automatically: the price up to which it does. */
export function PriceRule() {
  const credits = useAutoLoadLimit();
  return (
    <span
      className="max-sm:hidden"
      title="Requests that cost more wait for your click. Change the limit under Appearance."
    >
      {credits === 0 ? 'loads nothing automatically' : `loads automatically up to ${wholeText(credits)} cr`}
    </span>
  );
}

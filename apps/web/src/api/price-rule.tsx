import { usePreferences } from '../state/preferences.ts';
import { wholeText } from '../ui/format.ts';
import { useSession } from './session-context.tsx';

/** Credits that a page spends by itself until somebody sets another number: in a demo, whose credits are worth nothing, more. */
const UNASKED = { usual: 25, demo: 100 } as const;

/**
 * The one rule of what a page asks without being told to: what is in view costs up to this many credits together. What
 * costs more waits for a click that shows its price.
 */
export function useUnaskedCredits(): number {
  const { demo } = useSession();
  const chosen = usePreferences((state) => state.unaskedCredits);
  return chosen ?? (demo ? UNASKED.demo : UNASKED.usual);
}

/** In the status line of a page that asks by itself: up to which price. */
export function PriceRule() {
  const credits = useUnaskedCredits();
  return (
    <span
      className="max-sm:hidden"
      title="Requests that cost more wait for your click. Change the limit under Appearance."
    >
      {credits === 0 ? (
        'loads nothing automatically'
      ) : (
        <>
          loads automatically up to <span className="num">{wholeText(credits)}</span> cr
        </>
      )}
    </span>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { usageQuery } from '../api/usage.ts';
import { onPaid } from '../state/burn.ts';
import { wholeText } from '../ui/format.ts';
import { later } from '../ui/later.tsx';
import { Menu } from './menu.tsx';
import { rateText, useSpendingNow } from './use-spending-now.ts';

const CreditPanel = later(async () => (await import('./credit-panel.tsx')).CreditPanel);

export const loadCreditPanel = CreditPanel.ahead;

/** Delay from a successful call to the refresh; calls that succeed meanwhile share it. */
const SHARE_AFTER_MS = 2_000;

/**
 * What this page spends now, by itself and with the calls of the last minute, and the used share of the plan if the session may
 * read it.
 */
export function CreditMeter() {
  const { lasting, lately, share, alertPercent, isAlert, mayAsk } = useSpendingNow();
  useShareAfterCalls(mayAsk);
  return (
    <Menu
      name="Credits"
      panel={CreditPanel}
      renderButton={(props) => (
        <button
          type="button"
          aria-label={`Credits: ${rateText(lasting)} a minute${lately === 0 ? '' : ` and ${wholeText(lately)} in the last minute`}${share === undefined ? '' : `, ${share} of plan`}${isAlert ? `, past your alert at ${alertPercent} %` : ''}`}
          title="Credits per minute that this window spends on what it follows, and those of calls in the last minute"
          className="num flex h-(--control) items-center gap-[1ch] rounded-4 px-2 text-12 whitespace-nowrap text-dim hover:bg-surface-2 hover:text-text aria-expanded:bg-surface-2"
          {...props}
        >
          {/* A phone has room for one of them, in the line of the header. */}
          <span className={isAlert ? 'max-sm:hidden' : undefined}>{rateText(lasting)} cr/min</span>
          {lately > 0 && <span className="max-sm:hidden">+ {wholeText(lately)} cr</span>}
          {share !== undefined && (
            <span className={isAlert ? 'text-stale' : '@max-row:hidden'}>
              {isAlert ? '▲ ' : ' · '}
              {share} of plan
            </span>
          )}
        </button>
      )}
    />
  );
}

function useShareAfterCalls(mayAsk: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!mayAsk) return;
    let due: ReturnType<typeof setTimeout> | undefined;
    const end = onPaid(() => {
      due ??= setTimeout(() => {
        due = undefined;
        void queryClient.invalidateQueries({ queryKey: usageQuery({ duration: 1 }).queryKey });
        void queryClient.invalidateQueries({ queryKey: ['usage', 'by kind'] });
      }, SHARE_AFTER_MS);
    });
    return () => {
      end();
      clearTimeout(due);
    };
  }, [mayAsk, queryClient]);
}

import { useQuery } from '@tanstack/react-query';
import { isAlertReached } from '../api/account-usage/credit-alert.ts';
import { useSession } from '../api/session-context.tsx';
import { usageQuery } from '../api/usage.ts';
import { useBurnRate, useSpentLately } from '../state/burn.ts';
import { usePreferences } from '../state/preferences.ts';
import { wholeText } from '../ui/format.ts';
import { shareText } from '../ui/share-text.ts';

/** How often the share of the plan is refreshed while the page is visible. Reading it is free. */
const SHARE_EVERY_MS = 300_000;

/** What this window spends now, and the used share of the plan if the session may read it. */
export function useSpendingNow() {
  const { credentials } = useSession();
  const burners = useBurnRate();
  const mayAsk = credentials.service !== null;
  const usage = useQuery({
    ...usageQuery({ duration: 1 }),
    enabled: mayAsk,
    refetchInterval: SHARE_EVERY_MS,
    refetchOnMount: false,
  });
  const lately = useSpentLately();
  const lasting = burners.reduce((total, { creditsPerMinute }) => total + creditsPerMinute, 0);
  // An earlier session of the same account, with its ServiceKey, may have loaded it.
  const aggregate = mayAsk ? usage.data?.aggregate : undefined;
  const share = aggregate === undefined ? undefined : shareText(aggregate.credits_consumed, aggregate.max_credits);
  const alertPercent = usePreferences((state) => state.creditAlertPercent);
  const isAlert =
    aggregate !== undefined && isAlertReached(aggregate.credits_consumed, aggregate.max_credits, alertPercent);
  return { burners, lasting, lately, usage, aggregate, share, alertPercent, isAlert, mayAsk };
}

export function rateText(rate: number): string {
  if (rate === 0) return '0';
  return rate < 10 && !Number.isInteger(rate) ? rate.toFixed(1) : wholeText(Math.round(rate));
}

import { type Usage, type UsageWindow, usageDays } from '@l4desk/protocol';
import { shownKey } from '../accounts/keys.ts';
import type { Account } from '../accounts/store.ts';
import type { UsageSums } from './usage-sums.ts';

/**
 * Returns the response of the usage endpoint (§4.8) from the database's sums, in credits: every day of the window (D41), and keys
 * in their shown form (D42).
 */
export function usageResponse(
  { plan, maxCredits, flexLimit }: Pick<Account, 'plan' | 'maxCredits' | 'flexLimit'>,
  window: UsageWindow,
  { days, credentials }: UsageSums,
): Usage {
  const byDay = new Map(days.map((sum) => [sum.day, sum]));
  const premium = days.reduce((sum, day) => sum + day.premium, 0);
  const free = days.reduce((sum, day) => sum + day.free, 0);
  return {
    data: {
      period: { from: window.from, to: window.to },
      aggregate: {
        credits_consumed: premium + free,
        max_credits: maxCredits,
        premium_credits: premium,
        free_credits: free,
        plan,
        flex_credits: { limit: flexLimit },
      },
      by_day: usageDays(window).map((date) => ({
        date,
        premium_credits: byDay.get(date)?.premium ?? 0,
        free_credits: byDay.get(date)?.free ?? 0,
      })),
      by_api_key: credentials.map((credential) => ({ apikey: shownKey(credential), credits: credential.credits })),
    },
  };
}

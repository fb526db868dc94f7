import { dayCount, daysBetween, firstOfMonth, isDay, monthsBefore } from './calendar.ts';
import { USAGE_DURATIONS_MONTHS, USAGE_WINDOW_DAYS_MAX } from './limits.ts';
import { z } from './zod.ts';

const day = z
  .string()
  .refine(isDay, 'must be a valid date, as YYYY-MM-DD')
  .meta({ format: 'date', example: '2026-11-20' });
const credits = z.int().nonnegative();

/** A window of whole UTC days, both included (D40). */
export const usageWindow = z.object({ from: day, to: day });

/** A window of whole UTC days, `YYYY-MM-DD`, both included. */
export type UsageWindow = z.infer<typeof usageWindow>;

/** The result of decoding a query: the requested window, or the invalid parameter and its problem, which is a 400 (D40). */
export type DecodedUsageQuery =
  | { readonly kind: 'window'; readonly window: UsageWindow }
  | { readonly kind: 'refused'; readonly path: 'duration' | 'from' | 'to'; readonly problem: string };

/**
 * Reads the query parameters of `GET /platform/usage/` (§4.8) as received; `today` is the UTC day. With `from` and
 * `to`, `duration` is ignored. A window over `USAGE_WINDOW_DAYS_MAX` is refused, because each day is an item.
 */
export function decodeUsageQuery(
  query: { readonly duration?: unknown; readonly from?: unknown; readonly to?: unknown },
  today: string,
): DecodedUsageQuery {
  const { duration, from, to } = query;
  if (from === undefined && to === undefined) return windowOfDuration(duration, today);
  if (from === undefined) return refused('from', 'is missing: from and to go together');
  if (to === undefined) return refused('to', 'is missing: from and to go together');
  if (typeof from !== 'string' || !isDay(from)) return refused('from', 'must be a valid date, as YYYY-MM-DD');
  if (typeof to !== 'string' || !isDay(to)) return refused('to', 'must be a valid date, as YYYY-MM-DD');
  if (to > today) return refused('to', 'must not be in the future');
  if (from > to) return refused('from', 'must not be after to');
  if (dayCount(from, to) > USAGE_WINDOW_DAYS_MAX)
    return refused('from', `must not be more than ${USAGE_WINDOW_DAYS_MAX} days (ten years) before to`);
  return { kind: 'window', window: { from, to } };
}

function windowOfDuration(duration: unknown, today: string): DecodedUsageQuery {
  const months = duration === undefined ? 1 : USAGE_DURATIONS_MONTHS.find((known) => String(known) === duration);
  if (months === undefined) return refused('duration', `must be one of ${USAGE_DURATIONS_MONTHS.join(', ')}`);
  const from = months === 1 ? firstOfMonth(today) : monthsBefore(today, months);
  return { kind: 'window', window: { from, to: today } };
}

function refused(path: 'duration' | 'from' | 'to', problem: string): DecodedUsageQuery {
  return { kind: 'refused', path, problem };
}

/** The days of a window, oldest first: `by_day` has one item for each, even if nothing was used (D41). */
export function usageDays(window: UsageWindow): string[] {
  return daysBetween(window.from, window.to);
}

/**
 * Response of `GET /platform/usage/` (§2.8). Free credits are used first, and `credits_consumed` is the sum (D43).
 * `by_day` is oldest first without gaps (D41), `by_api_key` highest first, with keys as prefix and last four characters
 * (D42).
 */
export const usage = z
  .object({
    data: z.object({
      period: usageWindow,
      aggregate: z.looseObject({
        credits_consumed: credits,
        max_credits: credits,
        premium_credits: credits,
        free_credits: credits,
        plan: z.string(),
        flex_credits: z.looseObject({ limit: credits }),
      }),
      by_day: z.array(z.looseObject({ date: day, premium_credits: credits, free_credits: credits })),
      by_api_key: z.array(z.looseObject({ apikey: z.string().meta({ example: 'l4k_…x1Y2' }), credits })),
    }),
  })
  .meta({ id: 'Usage', description: 'credits used by the account' });

/** Credits used in one window: in total against the plan, by day, oldest first, and by key, highest first (§2.8). */
export type Usage = z.infer<typeof usage>;

import { dayOf } from '@l4desk/protocol';
import { daysOf, type UsageDay } from '../days.ts';

const DAY_MS = 86_400_000;

/** Days up to `to` with these credits, oldest first. In each day, the first `free` credits are free. */
export function daysWith(to: string, credits: readonly number[], free = 0): readonly UsageDay[] {
  const end = Date.parse(to);
  const byDay = credits.map((used, at) => ({
    date: dayOf(end - (credits.length - 1 - at) * DAY_MS),
    premium_credits: used - Math.min(free, used),
    free_credits: Math.min(free, used),
  }));
  return daysOf({ by_day: byDay });
}

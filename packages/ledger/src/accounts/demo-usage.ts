import { dayOf, monthOfDay } from '@l4desk/protocol';
import type { Store } from './kysely-store.ts';
import { issueKey } from './new-account.ts';
import type { SimulatedUse } from './store.ts';

const DAYS = 90;

const DAY_MS = 86_400_000;

/** The simulated keys: weekday credits, the share of that on a weekend, and days since the last use. */
const SIMULATED_KEYS = [
  { label: 'simulated: quoting bot', credits: 11_500, weekend: 0.8, untilDaysAgo: 1 },
  { label: 'simulated: risk monitor', credits: 6_400, weekend: 0.6, untilDaysAgo: 1 },
  { label: 'simulated: research', credits: 3_800, weekend: 0.05, untilDaysAgo: 1 },
  { label: 'simulated: former desk', credits: 2_900, weekend: 0.4, untilDaysAgo: 31 },
] as const;

/** Gives an unused account ninety days of simulated usage, marked by the keys' labels and the ledger's kind. */
export async function simulateUsage(store: Store, accountId: string, freeCredits: number, now: number): Promise<void> {
  const before = await store.usageSums(accountId, { from: '0000-01-01', to: dayOf(now) });
  if (before.days.length > 0) return;
  const known = await store.listCredentials(accountId);
  const keys = new Map<string, string>();
  for (const { label } of SIMULATED_KEYS) {
    const key =
      known.find((credential) => credential.label === label) ??
      (await issueKey(store, accountId, 'api', label, now - DAYS * DAY_MS));
    keys.set(label, key.id);
  }
  await store.addSimulatedUsage(accountId, simulatedUses(keys, freeCredits, now));
  for (const { label, untilDaysAgo } of SIMULATED_KEYS)
    if (untilDaysAgo > 1) await store.revokeCredential(keys.get(label) ?? '', now - (untilDaysAgo - 1) * DAY_MS);
}

/** The simulated uses of the days before today, oldest first. Each month's free credits are used first (BILL-18). */
function simulatedUses(keys: ReadonlyMap<string, string>, freeCredits: number, now: number): SimulatedUse[] {
  const uses: SimulatedUse[] = [];
  const freeLeft = new Map<string, number>();
  for (let daysAgo = DAYS; daysAgo >= 1; daysAgo -= 1) {
    const time = now - daysAgo * DAY_MS;
    const day = dayOf(time);
    const month = monthOfDay(day);
    const weekday = new Date(time).getUTCDay();
    for (const [place, key] of SIMULATED_KEYS.entries()) {
      if (daysAgo < key.untilDaysAgo) continue;
      const share = weekday === 0 || weekday === 6 ? key.weekend : 1;
      const credits = Math.round(key.credits * share * (0.8 + 0.4 * wobble(Math.floor(time / DAY_MS), place)));
      if (credits === 0) continue;
      const left = freeLeft.get(month) ?? freeCredits;
      const free = Math.min(left, credits);
      freeLeft.set(month, left - free);
      uses.push({ day, credentialId: keys.get(key.label) ?? '', free, premium: credits - free });
    }
  }
  return uses;
}

function wobble(day: number, place: number): number {
  let mixed = Math.imul(day * 31 + place + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
}

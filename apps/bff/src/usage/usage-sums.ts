import type { UsageWindow } from '@l4desk/protocol';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** Credits of one UTC day. */
interface DaySum {
  readonly day: string;
  readonly premium: number;
  readonly free: number;
}

/** Credits of one key. */
interface CredentialSum {
  readonly prefix: string;
  readonly lastFour: string;
  readonly credits: number;
}

/** What an account used in a window: days and keys without use are left out; days oldest first, keys highest first. */
export interface UsageSums {
  readonly days: readonly DaySum[];
  readonly credentials: readonly CredentialSum[];
}

/** The kind of use that demo mode makes up; no operation of the service has it. */
export const SIMULATED = 'simulated';

/** Sums an account's use up, in the database, by one statement: both sums are of one moment and agree (USE-15). */
export async function usageSums(db: Kysely<Tables>, accountId: string, window: UsageWindow): Promise<UsageSums> {
  const ofWindow = db
    .selectFrom('usage')
    .where('usage.account_id', '=', accountId)
    .where('usage.day', '>=', window.from)
    .where('usage.day', '<=', window.to);
  const byDay = ofWindow
    .select((row) => [sql<'day' | 'key'>`'day'`.as('part'), 'usage.day as name', ...sums(row)])
    .select([sql<string>`''`.as('prefix'), sql<string>`''`.as('lastFour')])
    .groupBy('usage.day');
  const byKey = ofWindow
    .innerJoin('credentials', 'credentials.id', 'usage.credential_id')
    .select((row) => [sql<'day' | 'key'>`'key'`.as('part'), 'credentials.id as name', ...sums(row)])
    .select(['credentials.prefix as prefix', 'credentials.last_four as lastFour'])
    .groupBy(['credentials.id', 'credentials.prefix', 'credentials.last_four']);
  const rows = await byDay.unionAll(byKey).execute();
  return {
    days: rows
      .filter(({ part }) => part === 'day')
      .map(({ name, premium, free }) => ({ day: name, premium, free }))
      .sort((a, b) => compare(a.day, b.day)),
    credentials: rows
      .filter(({ part }) => part === 'key')
      .map(({ name, prefix, lastFour, premium, free }) => ({ name, prefix, lastFour, credits: premium + free }))
      .sort((a, b) => b.credits - a.credits || compare(a.name, b.name))
      .map(({ prefix, lastFour, credits }) => ({ prefix, lastFour, credits })),
  };
}

/** Sums of whole numbers are `numeric` in PostgreSQL, which its driver hands over as text: so they are cast. */
function sums(row: ExpressionBuilder<Tables, 'usage'>) {
  return [
    sql<number>`cast(sum(${row.ref('usage.premium_credits')}) as bigint)`.as('premium'),
    sql<number>`cast(sum(${row.ref('usage.free_credits')}) as bigint)`.as('free'),
  ] as const;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

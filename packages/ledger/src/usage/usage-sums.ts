import type { UsageWindow } from '@l4desk/protocol';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';

interface DaySum {
  readonly day: string;
  readonly premium: number;
  readonly free: number;
}

interface CredentialSum {
  readonly id: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly label: string;
  readonly credits: number;
}

/** What an account used in a window, without days and keys of no use; days oldest first, keys highest first. */
export interface UsageSums {
  readonly days: readonly DaySum[];
  readonly credentials: readonly CredentialSum[];
}

/** The kind of use that demo mode generates. No operation of the service has it. */
export const SIMULATED = 'simulated';

/** Sums up an account's usage in one statement, so that both sums agree (USE-15). */
export async function usageSums(db: Kysely<Tables>, accountId: string, window: UsageWindow): Promise<UsageSums> {
  const rows = await db
    .with(
      (name) => name('of_window').materialized(),
      (within) =>
        within
          .selectFrom('usage')
          .where('account_id', '=', accountId)
          .where('day', '>=', window.from)
          .where('day', '<=', window.to)
          .select(['day', 'credential_id'])
          .select(({ fn }) => [
            fn.sum<number>('premium_credits').as('premium_credits'),
            fn.sum<number>('free_credits').as('free_credits'),
          ])
          .groupBy(['day', 'credential_id']),
    )
    .selectFrom('of_window')
    .select([sql<'day' | 'key'>`'day'`.as('part'), 'of_window.day as name', ...SUMS])
    .select([sql<string>`''`.as('prefix'), sql<string>`''`.as('lastFour'), sql<string>`''`.as('label')])
    .groupBy('of_window.day')
    .unionAll((within) =>
      within
        .selectFrom('of_window')
        .innerJoin('credentials', 'credentials.id', 'of_window.credential_id')
        .select([sql<'day' | 'key'>`'key'`.as('part'), 'credentials.id as name', ...SUMS])
        .select(['credentials.prefix as prefix', 'credentials.last_four as lastFour', 'credentials.label as label'])
        .groupBy(['credentials.id', 'credentials.prefix', 'credentials.last_four', 'credentials.label']),
    )
    .execute();
  return {
    days: rows
      .filter(({ part }) => part === 'day')
      .map(({ name, premium, free }) => ({ day: name, premium, free }))
      .sort((a, b) => compare(a.day, b.day)),
    credentials: rows
      .filter(({ part }) => part === 'key')
      .map(({ premium, free, ...key }) => ({ ...key, credits: premium + free }))
      .sort((a, b) => b.credits - a.credits || compare(a.name, b.name))
      .map(({ name: id, prefix, lastFour, label, credits }) => ({ id, prefix, lastFour, label, credits })),
  };
}

/** Credits that one key spent on one kind of use. */
export interface KindSum extends Pick<CredentialSum, 'prefix' | 'lastFour'> {
  readonly kind: string;
  readonly credits: number;
}

/** Sums up an account's usage in the database by key and kind, highest first. */
export async function kindSums(
  db: Kysely<Tables>,
  accountId: string,
  window: UsageWindow,
): Promise<readonly KindSum[]> {
  const rows = await db
    .selectFrom('usage')
    .innerJoin('credentials', 'credentials.id', 'usage.credential_id')
    .where('usage.account_id', '=', accountId)
    .where('usage.day', '>=', window.from)
    .where('usage.day', '<=', window.to)
    .select(['usage.kind', 'credentials.id as id', 'credentials.prefix as prefix', 'credentials.last_four as lastFour'])
    .select(sql<number>`cast(sum(premium_credits + free_credits) as bigint)`.as('credits'))
    .groupBy(['usage.kind', 'credentials.id', 'credentials.prefix', 'credentials.last_four'])
    .execute();
  return rows
    .sort((a, b) => b.credits - a.credits || compare(a.kind, b.kind) || compare(a.id, b.id))
    .map(({ kind, prefix, lastFour, credits }) => ({ kind, prefix, lastFour, credits }));
}

/** PostgreSQL sums integers as `numeric`, which its driver returns as text, so the sums are cast. */
const SUMS = [
  sql<number>`cast(sum(of_window.premium_credits) as bigint)`.as('premium'),
  sql<number>`cast(sum(of_window.free_credits) as bigint)`.as('free'),
] as const;

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import { dayOf, monthOf } from '@l4desk/protocol';
import { KeptLog } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KyselyStore } from '../accounts/kysely-store.ts';
import { issueKey, newAccount } from '../accounts/new-account.ts';
import { openDatabase } from '../database/open-database.ts';
import { DATABASES, type TestDatabase } from '../test-support/databases.ts';
import { KyselyLedger } from './kysely-ledger.ts';
import { Ledger, LedgerError, type Reservation } from './ledger.ts';

const MONTH_USAGE_AGE_MS = 2000;
const KINDS = ['openOrders', 'l4BookUpdates'] as const;

type Step =
  | { readonly do: 'reserve'; readonly key: number; readonly kind: number; readonly credits: number }
  | { readonly do: 'charge'; readonly picks: readonly number[] }
  | { readonly do: 'release'; readonly pick: number }
  | { readonly do: 'elsewhere'; readonly credits: number }
  | { readonly do: 'plan'; readonly maxCredits: number; readonly flexLimit: number; readonly freeCredits: number }
  | { readonly do: 'pass'; readonly ms: number };

const DAY_MS = 86_400_000;
const pick = fc.nat({ max: 9 });
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      key: fc.nat({ max: 1 }),
      kind: fc.nat({ max: 1 }),
      credits: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('charge' as const), picks: fc.array(pick, { minLength: 1, maxLength: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('elsewhere' as const), credits: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('plan' as const),
      maxCredits: fc.integer({ min: 0, max: 40 }),
      flexLimit: fc.integer({ min: 0, max: 10 }),
      freeCredits: fc.integer({ min: 0, max: 20 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 1999, 2000, DAY_MS, 20 * DAY_MS) }),
  },
);

/** A simple model of the ledger. */
class Model {
  now = Date.UTC(2026, 0, 10);
  plan = { maxCredits: 30, flexLimit: 5, freeCredits: 10 };
  /** Credits by month, and by `day credential kind`. */
  readonly months = new Map<string, { free: number; premium: number }>();
  readonly uses = new Map<string, { free: number; premium: number }>();
  /** What the cache in memory may still use until it is 2 s old. */
  believed: { month: string; used: number; limit: number; at: number } | undefined;
  held = 0;

  get limit(): number {
    return this.plan.maxCredits + this.plan.flexLimit;
  }

  get used(): number {
    const month = this.months.get(monthOf(this.now));
    return month === undefined ? 0 : month.free + month.premium;
  }

  learn(): void {
    this.believed = { month: monthOf(this.now), used: this.used, limit: this.limit, at: this.now };
  }

  reserve(credits: number): boolean {
    const { believed } = this;
    const isFresh =
      believed !== undefined && this.now - believed.at < MONTH_USAGE_AGE_MS && believed.month === monthOf(this.now);
    if (!isFresh) this.learn();
    if ((this.believed?.used ?? 0) + this.held + credits > (this.believed?.limit ?? 0)) return false;
    this.held += credits;
    return true;
  }

  charge(credentialId: string, kind: string, credits: number): boolean {
    if (this.used + credits > this.limit) return false;
    const month = monthOf(this.now);
    const sum = this.months.get(month) ?? { free: 0, premium: 0 };
    const free = Math.min(credits, Math.max(0, this.plan.freeCredits - sum.free));
    add(this.months, month, free, credits - free);
    add(this.uses, `${dayOf(this.now)} ${credentialId} ${kind}`, free, credits - free);
    return true;
  }
}

function add(sums: Map<string, { free: number; premium: number }>, key: string, free: number, premium: number): void {
  const sum = sums.get(key) ?? { free: 0, premium: 0 };
  sums.set(key, { free: sum.free + free, premium: sum.premium + premium });
}

describe.each(DATABASES)('%s', (_, create) => {
  let database: TestDatabase;
  let db: Awaited<ReturnType<typeof openDatabase>>;
  let elsewhereDb: Awaited<ReturnType<typeof openDatabase>>;

  beforeAll(async () => {
    database = await create();
    db = await openDatabase(database.place);
    elsewhereDb = await openDatabase(database.place);
  });

  afterAll(async () => {
    await db.destroy();
    await elsewhereDb.destroy();
    await database[Symbol.asyncDispose]();
  });

  let runs = 0;

  async function run(list: readonly Step[]): Promise<void> {
    const model = new Model();
    const store = new KyselyStore(db);
    runs += 1;
    const account = newAccount(`run ${runs}`, { plan: 'p', ...model.plan }, 1);
    await store.createAccount(account);
    const keys = [await issueKey(store, account.id, 'api', '', 1), await issueKey(store, account.id, 'api', '', 1)];
    const principal = (key: number) => ({ accountId: account.id, credentialId: keys[key]?.id ?? '' });
    const ledgerOver = (over: typeof db) =>
      new Ledger({ table: new KyselyLedger(over), now: () => model.now, elapsed: () => model.now, log: new KeptLog() });
    const ledger = ledgerOver(db);
    const open: {
      readonly reservation: Reservation;
      readonly credentialId: string;
      readonly kind: string;
      readonly credits: number;
    }[] = [];
    const take = (index: number) => open.splice(index % Math.max(1, open.length), 1);

    const [seen, due] = [new Array<unknown>(), new Array<unknown>()];
    for (const step of list) {
      switch (step.do) {
        case 'reserve': {
          const kind = KINDS[step.kind] ?? KINDS[0];
          const outcome = await ledger.reserve(principal(step.key), kind, step.credits);
          seen.push(outcome instanceof LedgerError ? outcome.code : 'held');
          due.push(model.reserve(step.credits) ? 'held' : 'credits_exhausted');
          if (!(outcome instanceof LedgerError))
            open.push({ reservation: outcome, ...principal(step.key), kind, credits: step.credits });
          break;
        }
        case 'charge': {
          const taken = step.picks.flatMap(take);
          if (taken.length === 0) break;
          const outcomes = await Promise.allSettled(taken.map(({ reservation }) => reservation.charge()));
          const expected = taken.map(({ credentialId, kind, credits }) => model.charge(credentialId, kind, credits));
          seen.push(outcomes.map(({ status }) => status === 'fulfilled'));
          due.push(expected);
          model.held -= taken.reduce((sum, { credits }) => sum + credits, 0);
          model.learn();
          break;
        }
        case 'release':
          for (const { reservation, credits } of take(step.pick)) {
            reservation.release();
            model.held -= credits;
          }
          break;
        case 'elsewhere': {
          const outcome = await ledgerOver(elsewhereDb).reserve(principal(0), KINDS[0], step.credits);
          seen.push(outcome instanceof LedgerError);
          due.push(model.used + step.credits > model.limit);
          if (outcome instanceof LedgerError) break;
          await outcome.charge();
          model.charge(principal(0).credentialId, KINDS[0], step.credits);
          break;
        }
        case 'plan': {
          const { do: _, ...plan } = step;
          model.plan = plan;
          await store.setPlan(account.name, plan);
          break;
        }
        case 'pass':
          model.now += step.ms;
          break;
      }
    }

    expect(seen).toEqual(due);

    const uses = await db.selectFrom('usage').selectAll().where('account_id', '=', account.id).execute();
    expect(
      new Map(
        uses.map((row) => [
          `${row.day} ${row.credential_id} ${row.kind}`,
          { free: row.free_credits, premium: row.premium_credits },
        ]),
      ),
    ).toEqual(model.uses);
    const months = await db
      .selectFrom('usage_months')
      .selectAll()
      .where('account_id', '=', account.id)
      .where(sql<number>`free_credits + premium_credits`, '>', 0)
      .execute();
    expect(new Map(months.map((row) => [row.month, { free: row.free_credits, premium: row.premium_credits }]))).toEqual(
      model.months,
    );
  }

  it('[BILL-9, BILL-10, BILL-18] after any sequence of operations, the ledger equals a simple model', async () => {
    await fc.assert(fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 40 }), run), { numRuns: 50 });
  });
});

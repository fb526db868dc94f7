import { KeptLog } from '@l4desk/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KyselyStore } from '../accounts/kysely-store.ts';
import { issueKey, newAccount } from '../accounts/new-account.ts';
import type { Plan } from '../accounts/store.ts';
import { openDatabase } from '../database/open-database.ts';
import { DATABASES, type TestDatabase } from '../test-support/databases.ts';
import { KyselyLedger } from './kysely-ledger.ts';
import { Ledger, LedgerError, type Reservation } from './ledger.ts';
import type { LedgerTable, MonthUsage } from './ledger-table.ts';

const START = Date.UTC(2026, 10, 30, 23, 0);

describe.each(DATABASES)('%s', (_, create) => {
  let database: TestDatabase;
  let store: KyselyStore;
  let now: number;
  let elapsed: number;
  const closers: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    database = await create();
    store = new KyselyStore(await openDatabase(database.place));
    now = START;
    elapsed = 0;
    closers.push(
      () => Promise.resolve(database[Symbol.asyncDispose]()),
      () => store.close(),
    );
  });

  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });

  /** A ledger with a connection of its own, as in another process. */
  async function openLedger(wrap: (table: LedgerTable) => LedgerTable = (table) => table, lockWaitMs = 60_000) {
    const table = new KyselyLedger(await openDatabase(database.place, { lockWaitMs }));
    closers.push(() => table.close());
    const log = new KeptLog();
    return { ledger: new Ledger({ table: wrap(table), now: () => now, elapsed: () => elapsed, log }), log };
  }

  async function customer(plan: Partial<Plan> = {}) {
    const account = newAccount('team', { plan: 'test', maxCredits: 10, flexLimit: 0, freeCredits: 0, ...plan }, now);
    await store.createAccount(account);
    const { id } = await issueKey(store, account.id, 'api', '', now);
    return { accountId: account.id, credentialId: id };
  }

  function held(outcome: Reservation | LedgerError): Reservation {
    if (outcome instanceof LedgerError) throw outcome;
    return outcome;
  }

  const used = async (accountId: string, window = { from: '2026-01-01', to: '2026-12-31' }) =>
    (await store.usageSums(accountId, window)).days.reduce((sum, day) => sum + day.free + day.premium, 0);

  describe('a charge', () => {
    it('[BILL-19] is stored when it resolves, once, by account, credential, day and kind', async () => {
      const { ledger } = await openLedger();
      const principal = await customer();
      const reservation = held(await ledger.reserve(principal, 'openOrders', 1));
      expect(await database.rows('select * from usage')).toEqual([]);
      await Promise.all([reservation.charge(), reservation.charge()]);
      reservation.release();
      await held(await ledger.reserve(principal, 'batchSpotClearinghouseState', 5)).charge();
      await held(await ledger.reserve(principal, 'openOrders', 1)).charge();
      const common = { account_id: principal.accountId, credential_id: principal.credentialId, day: '2026-11-30' };
      expect(await database.rows('select * from usage order by kind')).toEqual([
        { ...common, kind: 'batchSpotClearinghouseState', free_credits: 0, premium_credits: 5 },
        { ...common, kind: 'openOrders', free_credits: 0, premium_credits: 2 },
      ]);
      expect(ledger.health()).toMatchObject({ charges: 3, creditsCharged: 7, failures: 0 });
    });

    it('[BILL-6] is not stored if released, and its credits are free again', async () => {
      const { ledger } = await openLedger();
      const principal = await customer();
      const reservation = held(await ledger.reserve(principal, 'openOrders', 10));
      expect(await ledger.reserve(principal, 'openOrders', 1)).toMatchObject({
        code: 'credits_exhausted',
        credits: { used: 0, limit: 10, heldOnly: true },
      });
      expect(await ledger.reserve(principal, 'openOrders', 11)).toMatchObject({ credits: { heldOnly: false } });
      reservation.release();
      reservation.release();
      await expect(reservation.charge()).rejects.toThrow('released');
      await held(await ledger.reserve(principal, 'openOrders', 10)).charge();
      expect(await used(principal.accountId)).toBe(10);
    });

    it('[BILL-19] in flight is waited for by what stops the service', async () => {
      const { ledger } = await openLedger();
      const principal = await customer();
      const [first, second] = [await ledger.reserve(principal, 'meta', 1), await ledger.reserve(principal, 'meta', 2)];
      const charges = [held(first).charge()];
      // The second is stored after the first, in a statement of its own.
      charges.push(Promise.resolve().then(() => held(second).charge()));
      await Promise.resolve();
      await ledger.settled();
      expect(await used(principal.accountId)).toBe(3);
      await Promise.all(charges);
    });

    it('[BILL-19] is stored beside more others than one statement takes', async () => {
      const table = new KyselyLedger(await openDatabase(database.place));
      closers.push(() => table.close());
      const principal = await customer({ maxCredits: 1000 });
      const charges = Array.from({ length: 150 }, (_, at) => ({ ...principal, kind: `kind${at}`, credits: 1 }));
      const { charged } = await table.commit(now, charges);
      expect(charged.filter((isCharged) => isCharged)).toHaveLength(150);
      expect(await used(principal.accountId)).toBe(150);
    });
  });

  describe('the limit', () => {
    it('[BILL-8, BILL-9] is ceiling plus flex, including free credits; a refusal past it reports the state of the month', async () => {
      const { ledger } = await openLedger();
      const principal = await customer({ maxCredits: 5, flexLimit: 3, freeCredits: 4 });
      await held(await ledger.reserve(principal, 'openOrders', 7)).charge();
      const refusal = await ledger.reserve(principal, 'batchSpotClearinghouseState', 2);
      expect(refusal).toMatchObject({
        code: 'credits_exhausted',
        credits: { used: 7, limit: 8, resetsAt: Date.UTC(2026, 11, 1) },
        message: '2 credits are needed and 7 of 8 are used this month; they reset at 2026-12-01T00:00:00.000Z.',
      });
      await held(await ledger.reserve(principal, 'openOrders', 1)).charge();
      expect(await ledger.reserve(principal, 'openOrders', 1)).toMatchObject({
        message: '1 credit is needed and 8 of 8 are used this month; they reset at 2026-12-01T00:00:00.000Z.',
      });
    });

    it('[BILL-10] holds for calls that arrive together', async () => {
      const { ledger } = await openLedger();
      const principal = await customer({ maxCredits: 10 });
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, async () => ledger.reserve(principal, 'openOrders', 3)),
      );
      const reservations = outcomes.filter((outcome): outcome is Reservation => !(outcome instanceof LedgerError));
      expect(reservations).toHaveLength(3);
      expect(outcomes.find((outcome) => outcome instanceof LedgerError)?.message).toContain(
        '9 more are reserved by calls in flight',
      );
      await Promise.all(reservations.map((reservation) => reservation.charge()));
      expect(await used(principal.accountId)).toBe(9);
    });

    it('[BILL-10] holds regardless of what other processes on the same database charge meanwhile', async () => {
      const { ledger } = await openLedger();
      const { ledger: elsewhere } = await openLedger();
      const principal = await customer({ maxCredits: 10 });
      const here = held(await ledger.reserve(principal, 'openOrders', 6));
      await held(await elsewhere.reserve(principal, 'openOrders', 6)).charge();
      await expect(here.charge()).rejects.toMatchObject({ code: 'credits_exhausted', credits: { used: 6, limit: 10 } });
      expect(await used(principal.accountId)).toBe(6);
      // What it learned on the way is used at once.
      expect(await ledger.reserve(principal, 'openOrders', 5)).toMatchObject({ credits: { used: 6 } });
      await held(await ledger.reserve(principal, 'openOrders', 4)).charge();
    });

    it.each(['before', 'during'] as const)(
      '[BILL-10] does not forget the charges of a commit when a read that began %s it responds after it',
      async (began) => {
        let beforeCommit = () => Promise.resolve();
        let afterRead = () => Promise.resolve();
        const { ledger } = await openLedger((table) => ({
          commit: async (at, charges) => {
            await beforeCommit();
            return table.commit(at, charges);
          },
          monthUsage: async (accountId, at) => {
            const monthUsage = await table.monthUsage(accountId, at);
            await afterRead();
            return monthUsage;
          },
          ping: () => table.ping(),
          close: () => table.close(),
        }));
        const principal = await customer({ maxCredits: 10 });
        const first = held(await ledger.reserve(principal, 'openOrders', 6));
        elapsed += 2000;
        let second: ReturnType<typeof ledger.reserve> | undefined;
        let respond = () => {};
        /** Resolves once the database has responded to a read; its response is held back until `respond`. */
        const beginRead = () =>
          new Promise<void>((isRead) => {
            elapsed += 1;
            afterRead = () => {
              isRead();
              return new Promise((resolve) => {
                respond = resolve;
              });
            };
            second = ledger.reserve(principal, 'openOrders', 5);
          });
        if (began === 'before') await beginRead();
        else beforeCommit = beginRead;
        elapsed += 1;
        await first.charge();
        respond();
        expect(await second).toMatchObject({ code: 'credits_exhausted', credits: { used: 6, limit: 10 } });
      },
    );

    it('[BILL-9] starts again with the calendar month in UTC, even for what was reserved before', async () => {
      const { ledger } = await openLedger();
      const principal = await customer({ maxCredits: 10, freeCredits: 2 });
      await held(await ledger.reserve(principal, 'openOrders', 8)).charge();
      const over = held(await ledger.reserve(principal, 'openOrders', 2));
      now = Date.UTC(2026, 11, 1) - 1;
      expect(await ledger.reserve(principal, 'openOrders', 1)).toMatchObject({ code: 'credits_exhausted' });
      now += 1;
      const next = held(await ledger.reserve(principal, 'openOrders', 8));
      await Promise.all([over.charge(), next.charge()]);
      expect(await ledger.reserve(principal, 'openOrders', 1)).toMatchObject({
        credits: { used: 10, limit: 10, resetsAt: Date.UTC(2027, 0, 1) },
      });
      expect((await store.usageSums(principal.accountId, { from: '2026-11-30', to: '2026-12-01' })).days).toEqual([
        { day: '2026-11-30', free: 2, premium: 6 },
        { day: '2026-12-01', free: 2, premium: 8 },
      ]);
    });

    it('[BILL-9] follows a change of plan within 2 s', async () => {
      const { ledger } = await openLedger();
      const principal = await customer({ maxCredits: 2 });
      await held(await ledger.reserve(principal, 'openOrders', 2)).charge();
      expect(await ledger.reserve(principal, 'openOrders', 1)).toBeInstanceOf(LedgerError);
      const { ledger: elsewhere } = await openLedger();
      expect(await elsewhere.exhausted(principal.accountId)).toMatchObject({ used: 2, limit: 2 });
      await store.setPlan('team', { maxCredits: 3 });
      elapsed += 2000;
      const last = held(await ledger.reserve(principal, 'openOrders', 1));
      await store.setPlan('team', { maxCredits: 1 });
      await expect(last.charge()).rejects.toMatchObject({ credits: { used: 2, limit: 1 } });
    });

    it('[BILL-9] does not use a cached month usage for longer if the clock is set back', async () => {
      const { ledger } = await openLedger();
      const { ledger: elsewhere } = await openLedger();
      const principal = await customer({ maxCredits: 10 });
      held(await ledger.reserve(principal, 'openOrders', 1)).release();
      await held(await elsewhere.reserve(principal, 'openOrders', 10)).charge();
      now -= 1000;
      elapsed += 2000;
      expect(await ledger.reserve(principal, 'openOrders', 1)).toMatchObject({ code: 'credits_exhausted' });
    });
  });

  describe('a database that rejects charges', () => {
    it('[BILL-19] refuses calls with 503 if another process holds it too long, stores nothing of them, and works again afterwards', async () => {
      const { ledger, log } = await openLedger(undefined, 50);
      const principal = await customer({ maxCredits: 1_000_000 });
      await held(await ledger.reserve(principal, 'openOrders', 1)).charge();
      const unlock = await database.lock();
      const both = [1, 2].map(() => ledger.reserve(principal, 'openOrders', 1));
      const charges = await Promise.allSettled(both.map(async (one) => held(await one).charge()));
      for (const charge of charges)
        expect(charge).toMatchObject({ status: 'rejected', reason: { code: 'ledger_unavailable' } });
      await unlock();
      expect(log.lines.join()).toContain('charges not persisted');
      await held(await ledger.reserve(principal, 'openOrders', 1)).charge();
      expect([await used(principal.accountId), ledger.health().failures]).toEqual([2, 1]);
    });

    it('refuses with 503 if it cannot be read, and logs that once a second, with how many lines were omitted', async () => {
      const { ledger, log } = await openLedger((table) => ({
        commit: (at, charges) => table.commit(at, charges),
        monthUsage: () => Promise.reject(new Error('away')),
        ping: () => table.ping(),
        close: () => table.close(),
      }));
      const principal = await customer();
      const refused = async () =>
        expect(await ledger.reserve(principal, 'openOrders', 1)).toMatchObject({ code: 'ledger_unavailable' });
      for (let call = 0; call < 5; call += 1) await refused();
      expect(log.lines).toHaveLength(1);
      elapsed += 1000;
      await refused();
      expect(log.lines).toHaveLength(2);
      expect(log.lines[1]).toContain('"omitted":4');
    });

    it('is reported by a ping if it can be read but not written, at the latest when the next charge has failed', async () => {
      const { ledger } = await openLedger(undefined, 50);
      const principal = await customer({});
      await ledger.ping();
      const unlock = await database.lock();
      const reservation = held(await ledger.reserve(principal, 'openOrders', 1));
      await expect(reservation.charge()).rejects.toMatchObject({ code: 'ledger_unavailable' });
      await expect(ledger.ping()).rejects.toThrow('locked by another process');
      await unlock();
      await ledger.ping();
    });

    it('[BILL-19, BILL-10] releases the held credits if a commit fails: the whole limit can be used afterwards', async () => {
      let isBroken = true;
      const { ledger } = await openLedger((table) => ({
        commit: (at, charges) => (isBroken ? Promise.reject(new Error('disk full')) : table.commit(at, charges)),
        monthUsage: (accountId, at) => table.monthUsage(accountId, at),
        ping: () => table.ping(),
        close: () => table.close(),
      }));
      const principal = await customer({ maxCredits: 10 });
      const both = [6, 4].map(async (credits) => held(await ledger.reserve(principal, 'openOrders', credits)).charge());
      for (const charge of await Promise.allSettled(both))
        expect(charge).toMatchObject({ status: 'rejected', reason: { code: 'ledger_unavailable' } });
      isBroken = false;
      await held(await ledger.reserve(principal, 'openOrders', 10)).charge();
      expect(await used(principal.accountId)).toBe(10);
    });

    it('refuses with 503 if the usage of the month is not returned within 10 s', async () => {
      let respond: (usage: MonthUsage) => void = () => {};
      const { ledger } = await openLedger((table) => ({
        commit: (at, charges) => table.commit(at, charges),
        monthUsage: () => new Promise((resolve) => (respond = resolve)),
        ping: () => table.ping(),
        close: () => table.close(),
      }));
      const principal = await customer();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const reserved = ledger.reserve(principal, 'openOrders', 1);
        await vi.advanceTimersByTimeAsync(10_000);
        // Too late.
        respond({ accountId: principal.accountId, month: '2026-11', used: 0, limit: 10 });
        expect(await reserved).toMatchObject({ code: 'ledger_unavailable' });
      } finally {
        vi.useRealTimers();
      }
    });

    it('refuses an account that does not exist', async () => {
      const { ledger } = await openLedger();
      const nobody = { accountId: 'acc_none', credentialId: 'key_none' };
      expect(await ledger.reserve(nobody, 'openOrders', 1)).toMatchObject({ code: 'ledger_unavailable' });
    });
  });
});

import { monthOfDay, type UsageWindow } from '@l4desk/protocol';
import { type Kysely, sql } from 'kysely';
import type { AccountsTable, Tables } from '../database/tables.ts';
import { SIMULATED, type UsageSums, usageSums } from '../usage/usage-sums.ts';
import type {
  Account,
  Credential,
  NewCredential,
  NewSession,
  PlanChanges,
  Session,
  SessionCredential,
  SessionCredentials,
  SimulatedUse,
  Store,
} from './store.ts';

/** The store over the tables, whichever database holds them. */
export class KyselyStore implements Store {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async createAccount(account: Account): Promise<Account | undefined> {
    const inserted = await this.#db
      .insertInto('accounts')
      .values({
        id: account.id,
        name: account.name,
        plan: account.plan,
        max_credits: account.maxCredits,
        flex_limit: account.flexLimit,
        free_credits: account.freeCredits,
        created_at: account.createdAt,
      })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('id')
      .executeTakeFirst();
    return inserted === undefined ? undefined : account;
  }

  async account(id: string): Promise<Account | undefined> {
    const row = await this.#db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? undefined : account(row);
  }

  async accountNamed(name: string): Promise<Account | undefined> {
    const row = await this.#db.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirst();
    return row === undefined ? undefined : account(row);
  }

  async listAccounts(): Promise<readonly Account[]> {
    const rows = await this.#db.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute();
    return rows.map(account);
  }

  async setPlan(name: string, { plan, maxCredits, flexLimit, freeCredits }: PlanChanges): Promise<Account | undefined> {
    const changed = await this.#db
      .updateTable('accounts')
      .set({
        // Set to itself where nothing is given, so that a change without changes is one too.
        plan: plan ?? sql.ref('plan'),
        max_credits: maxCredits ?? sql.ref('max_credits'),
        flex_limit: flexLimit ?? sql.ref('flex_limit'),
        free_credits: freeCredits ?? sql.ref('free_credits'),
      })
      .where('name', '=', name)
      .returningAll()
      .executeTakeFirst();
    return changed === undefined ? undefined : account(changed);
  }

  async createCredential(credential: NewCredential): Promise<void> {
    await this.#db
      .insertInto('credentials')
      .values({
        id: credential.id,
        account_id: credential.accountId,
        kind: credential.kind,
        label: credential.label,
        secret_hash: credential.secretHash,
        prefix: credential.prefix,
        last_four: credential.lastFour,
        created_at: credential.createdAt,
        revoked_at: null,
      })
      .execute();
  }

  listCredentials(): Promise<readonly Credential[]> {
    return this.#credentials().orderBy('credentials.created_at').orderBy('credentials.id').execute();
  }

  async revokeCredential(id: string, now: number): Promise<'revoked' | 'already-revoked' | 'unknown'> {
    const revoked = await this.#db
      .updateTable('credentials')
      .set({ revoked_at: now })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (revoked !== undefined) return 'revoked';
    return (await this.credential(id)) === undefined ? 'unknown' : 'already-revoked';
  }

  credentialByHash(secretHash: string): Promise<Credential | undefined> {
    return this.#credentials().where('credentials.secret_hash', '=', secretHash).executeTakeFirst();
  }

  credential(id: string): Promise<Credential | undefined> {
    return this.#credentials().where('credentials.id', '=', id).executeTakeFirst();
  }

  #credentials() {
    return this.#db
      .selectFrom('credentials')
      .innerJoin('accounts', 'accounts.id', 'credentials.account_id')
      .select([
        'credentials.id as id',
        'credentials.account_id as accountId',
        'accounts.name as accountName',
        'credentials.kind as kind',
        'credentials.label as label',
        'credentials.prefix as prefix',
        'credentials.last_four as lastFour',
        'credentials.created_at as createdAt',
        'credentials.revoked_at as revokedAt',
      ]);
  }

  async createSession(session: NewSession, credentials: SessionCredentials): Promise<void> {
    await this.#db.insertInto('sessions').values(sessionRow(session, credentials)).execute();
  }

  sessionByHash(tokenHash: string, now: number): Promise<Session | undefined> {
    return this.#session('token_hash', tokenHash, now);
  }

  session(id: string, now: number): Promise<Session | undefined> {
    return this.#session('id', id, now);
  }

  async #session(column: 'id' | 'token_hash', value: string, now: number): Promise<Session | undefined> {
    const row = await this.#db
      .selectFrom('sessions')
      .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
      .leftJoin('credentials as api', (join) =>
        join.onRef('api.id', '=', 'sessions.api_credential_id').on('api.revoked_at', 'is', null),
      )
      .leftJoin('credentials as service', (join) =>
        join.onRef('service.id', '=', 'sessions.service_credential_id').on('service.revoked_at', 'is', null),
      )
      .select([
        'sessions.id as id',
        'sessions.account_id as accountId',
        'accounts.name as accountName',
        'sessions.expires_at as expiresAt',
        'api.id as apiId',
        'api.label as apiLabel',
        'api.prefix as apiPrefix',
        'api.last_four as apiLastFour',
        'service.id as serviceId',
        'service.label as serviceLabel',
        'service.prefix as servicePrefix',
        'service.last_four as serviceLastFour',
      ])
      .where(`sessions.${column}`, '=', value)
      .where('sessions.expires_at', '>', now)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { id, accountId, accountName, expiresAt } = row;
    const api = sessionCredential(row.apiId, row.apiLabel, row.apiPrefix, row.apiLastFour);
    const service = sessionCredential(row.serviceId, row.serviceLabel, row.servicePrefix, row.serviceLastFour);
    return api === null && service === null ? undefined : { id, accountId, accountName, api, service, expiresAt };
  }

  async endSession(id: string): Promise<void> {
    await this.#db.deleteFrom('sessions').where('id', '=', id).execute();
  }

  async createSignInToken(
    token: { readonly tokenHash: string; readonly expiresAt: number },
    credentials: SessionCredentials,
  ): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('sign_in_tokens').where('account_id', '=', credentials.accountId).execute();
      await transaction
        .insertInto('sign_in_tokens')
        .values({
          token_hash: token.tokenHash,
          account_id: credentials.accountId,
          api_credential_id: credentials.apiCredentialId,
          service_credential_id: credentials.serviceCredentialId,
          expires_at: token.expiresAt,
        })
        .execute();
    });
  }

  spendSignInToken(tokenHash: string, session: NewSession): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const spent = await transaction
        .deleteFrom('sign_in_tokens')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', session.createdAt)
        .returningAll()
        .executeTakeFirst();
      if (spent === undefined) return false;
      const credentials = {
        accountId: spent.account_id,
        apiCredentialId: spent.api_credential_id,
        serviceCredentialId: spent.service_credential_id,
      };
      await transaction.insertInto('sessions').values(sessionRow(session, credentials)).execute();
      return true;
    });
  }

  usageSums(accountId: string, window: UsageWindow): Promise<UsageSums> {
    return usageSums(this.#db, accountId, window);
  }

  addSimulatedUsage(accountId: string, uses: readonly SimulatedUse[]): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const used = await transaction
        .selectFrom('usage')
        .select('day')
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      if (used !== undefined) return false;
      const months = new Map<string, { free: number; premium: number }>();
      for (const { day, credentialId, free, premium } of uses) {
        const sum = months.get(monthOfDay(day)) ?? { free: 0, premium: 0 };
        months.set(monthOfDay(day), { free: sum.free + free, premium: sum.premium + premium });
        await transaction
          .insertInto('usage')
          .values({
            account_id: accountId,
            day,
            credential_id: credentialId,
            kind: SIMULATED,
            free_credits: free,
            premium_credits: premium,
          })
          .execute();
      }
      for (const [month, { free, premium }] of months)
        await transaction
          .insertInto('usage_months')
          .values({ account_id: accountId, month, free_credits: free, premium_credits: premium })
          .execute();
      return true;
    });
  }

  async simulatedWindow(accountId: string): Promise<UsageWindow | undefined> {
    const row = await this.#db
      .selectFrom('usage')
      .select((of) => [of.fn.min('day').as('from'), of.fn.max('day').as('to')])
      .where('account_id', '=', accountId)
      .where('kind', '=', SIMULATED)
      .executeTakeFirst();
    return row === undefined || row.from === null || row.to === null ? undefined : { from: row.from, to: row.to };
  }

  async deleteExpired(now: number): Promise<void> {
    await this.#db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
    await this.#db.deleteFrom('sign_in_tokens').where('expires_at', '<=', now).execute();
  }

  async ping(): Promise<void> {
    await sql`select 1 from accounts where 1 = 0`.execute(this.#db);
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }
}

function account(row: AccountsTable): Account {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    maxCredits: row.max_credits,
    flexLimit: row.flex_limit,
    freeCredits: row.free_credits,
    createdAt: row.created_at,
  };
}

function sessionRow(session: NewSession, credentials: SessionCredentials) {
  return {
    id: session.id,
    token_hash: session.tokenHash,
    account_id: credentials.accountId,
    api_credential_id: credentials.apiCredentialId,
    service_credential_id: credentials.serviceCredentialId,
    created_at: session.createdAt,
    expires_at: session.expiresAt,
  };
}

function sessionCredential(
  id: string | null,
  label: string | null,
  prefix: string | null,
  lastFour: string | null,
): SessionCredential | null {
  if (id === null || label === null || prefix === null || lastFour === null) return null;
  return { id, label, prefix, lastFour };
}

import { monthOfDay, type UsageWindow } from '@l4desk/protocol';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { SIMULATED, type UsageSums, usageSums } from '../usage/usage-sums.ts';
import { findSession, insertSession } from './session-rows.ts';
import type {
  Account,
  Credential,
  NewCredential,
  NewSession,
  PlanChanges,
  Session,
  SessionCredentials,
  SimulatedUse,
  StoredDocument,
} from './store.ts';

/** How long the names of batches are kept, by which a spooled charge counts only once. Longer than any spool stays unread. */
const BATCHES_KEPT_MS = 92 * 86_400_000;

/** The columns of an account, named after its fields. */
const ACCOUNT = [
  'id',
  'name',
  'plan',
  'max_credits as maxCredits',
  'flex_limit as flexLimit',
  'free_credits as freeCredits',
  'created_at as createdAt',
] as const;

/** The store as its users call it, in their thread or over a port. */
export type Store = Pick<KyselyStore, keyof KyselyStore>;

/**
 * Stored accounts, keys, sessions and usage, over the tables of `openDatabase`, in the calling thread. Every method is one
 * durable transaction with plain data; one that rejects with DatabaseError has changed nothing. Times are ms since the Unix
 * epoch, hashes SHA-256 in hexadecimal. Closing it closes the database.
 */
export class KyselyStore {
  readonly #db: Kysely<Tables>;
  #pinging: Promise<void> | undefined;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Resolves with the account, or with undefined if its name is taken. */
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

  accountNamed(name: string): Promise<Account | undefined> {
    return this.#db.selectFrom('accounts').select(ACCOUNT).where('name', '=', name).executeTakeFirst();
  }

  /** All accounts, oldest first. */
  listAccounts(): Promise<readonly Account[]> {
    return this.#db.selectFrom('accounts').select(ACCOUNT).orderBy('created_at').orderBy('id').execute();
  }

  /** Changes the given fields of an account's plan. Resolves with the changed account, or with undefined if none has the name. */
  setPlan(name: string, { plan, maxCredits, flexLimit, freeCredits }: PlanChanges): Promise<Account | undefined> {
    return this.#db
      .updateTable('accounts')
      .set({
        // Set to itself if nothing is given, so that a change with no fields is a valid statement.
        plan: plan ?? sql.ref('plan'),
        max_credits: maxCredits ?? sql.ref('max_credits'),
        flex_limit: flexLimit ?? sql.ref('flex_limit'),
        free_credits: freeCredits ?? sql.ref('free_credits'),
      })
      .where('name', '=', name)
      .returning(ACCOUNT)
      .executeTakeFirst();
  }

  /** Stores a key. Rejects if its account does not exist, or its id or hash exists already. */
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

  /** The keys of one account, or of all accounts, oldest first, including revoked ones. */
  listCredentials(accountId?: string): Promise<readonly Credential[]> {
    const all = this.#credentials().orderBy('credentials.created_at').orderBy('credentials.id');
    return (accountId === undefined ? all : all.where('credentials.account_id', '=', accountId)).execute();
  }

  /** Revokes a key from `now` on. Revoking it again changes nothing. */
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

  /** The key with this hash, revoked or not. */
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

  /** Stores a session. Ends the account's oldest sessions, so that it has at most `sessionsMax`. */
  createSession(session: NewSession, credentials: SessionCredentials, sessionsMax: number): Promise<void> {
    return this.#db
      .transaction()
      .execute((transaction) => insertSession(transaction, session, credentials, sessionsMax));
  }

  /** Undefined if it is unknown, has expired or has no credential left. */
  sessionByHash(tokenHash: string, now: number): Promise<Session | undefined> {
    return findSession(this.#db, 'token_hash', tokenHash, now);
  }

  /** Undefined if it is unknown, has expired or has no credential left. */
  session(id: string, now: number): Promise<Session | undefined> {
    return findSession(this.#db, 'id', id, now);
  }

  async endSession(id: string): Promise<void> {
    await this.#db.deleteFrom('sessions').where('id', '=', id).execute();
  }

  /** Stores a one-time sign-in token. Earlier tokens of the account become invalid. */
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

  /** Turns a sign-in token into a session, exactly once. False if the token is unknown, spent or expired (AUTH-22). */
  async spendSignInToken(tokenHash: string, session: NewSession, sessionsMax: number): Promise<boolean> {
    // Reads first, because unknown tokens must not take the lock that charges need.
    const known = await this.#db
      .selectFrom('sign_in_tokens')
      .select('token_hash')
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst();
    if (known === undefined) return false;
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
      await insertSession(transaction, session, credentials, sessionsMax);
      return true;
    });
  }

  /** What an account keeps for its pages; undefined if it keeps nothing yet. */
  document(accountId: string): Promise<StoredDocument | undefined> {
    return this.#db
      .selectFrom('documents')
      .select(['version', 'text'])
      .where('account_id', '=', accountId)
      .executeTakeFirst();
  }

  /** Stores a text as the version after `version`, which is 0 for the first. False if that is not the present version. */
  async replaceDocument(accountId: string, { version, text }: StoredDocument): Promise<boolean> {
    const next = { account_id: accountId, version: version + 1, text };
    const replaced =
      version === 0
        ? this.#db
            .insertInto('documents')
            .values(next)
            .onConflict((conflict) => conflict.column('account_id').doNothing())
            .returning('version')
        : this.#db
            .updateTable('documents')
            .set(next)
            .where('account_id', '=', accountId)
            .where('version', '=', version)
            .returning('version');
    return (await replaced.executeTakeFirst()) !== undefined;
  }

  /** Sums up an account's usage in a window of UTC days, both inclusive (§4.8). Empty if the account does not exist. */
  usageSums(accountId: string, window: UsageWindow): Promise<UsageSums> {
    return usageSums(this.#db, accountId, window);
  }

  /** Stores simulated usage, unless the account has used anything, simulated or not. Resolves with whether it did. */
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

  /** The first and last day with simulated usage. Undefined if there is none. */
  async simulatedWindow(accountId: string): Promise<UsageWindow | undefined> {
    const row = await this.#db
      .selectFrom('usage')
      .select((of) => [of.fn.min('day').as('from'), of.fn.max('day').as('to')])
      .where('account_id', '=', accountId)
      .where('kind', '=', SIMULATED)
      .executeTakeFirst();
    return row === undefined || row.from === null || row.to === null ? undefined : { from: row.from, to: row.to };
  }

  /** Deletes expired sessions and tokens, and names of batches of charges that no spool can still hold. */
  async deleteExpired(now: number): Promise<void> {
    await this.#db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
    await this.#db.deleteFrom('sign_in_tokens').where('expires_at', '<=', now).execute();
    const before = now - BATCHES_KEPT_MS;
    // An older version on the same database writes no time. Its rows are kept.
    for (const table of ['charge_writers', 'charge_replays'] as const)
      await this.#db.deleteFrom(table).where('at', '>', 0).where('at', '<', before).execute();
  }

  /** Resolves if the database can be read. One query for all callers: those who gave up on a database that hangs must not pile up queries. */
  ping(): Promise<void> {
    this.#pinging ??= this.#pingNow().finally(() => {
      this.#pinging = undefined;
    });
    return this.#pinging;
  }

  async #pingNow(): Promise<void> {
    await sql`select 1 from accounts where 1 = 0`.execute(this.#db);
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }
}

import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { NewSession, Session, SessionCredential, SessionCredentials } from './store.ts';

/** Returns the session with this value in a unique column if it has not expired and still has a credential. */
export async function findSession(
  db: Kysely<Tables>,
  column: 'id' | 'token_hash',
  value: string,
  now: number,
): Promise<Session | undefined> {
  const row = await db
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

/** Adds a session and ends the account's oldest sessions past the limit. */
export async function insertSession(
  transaction: Transaction<Tables>,
  session: NewSession,
  { accountId, apiCredentialId, serviceCredentialId }: SessionCredentials,
  sessionsMax: number,
): Promise<void> {
  const others = transaction
    .selectFrom('sessions')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(sessionsMax - 1);
  await transaction.deleteFrom('sessions').where('account_id', '=', accountId).where('id', 'not in', others).execute();
  await transaction
    .insertInto('sessions')
    .values({
      id: session.id,
      token_hash: session.tokenHash,
      account_id: accountId,
      api_credential_id: apiCredentialId,
      service_credential_id: serviceCredentialId,
      created_at: session.createdAt,
      expires_at: session.expiresAt,
    })
    .execute();
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

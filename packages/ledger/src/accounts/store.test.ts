import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { usage } from '@l4desk/protocol';
import { bundleProgram, removeBundles, temporaryDirectory } from '@l4desk/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KyselyLedger } from '../credits/kysely-ledger.ts';
import { openDatabaseThread } from '../database/database-thread.ts';
import { openDatabase } from '../database/open-database.ts';
import { DATABASES, type TestDatabase } from '../test-support/databases.ts';
import { createId, createToken, sha256 } from './keys.ts';
import { KyselyStore, type Store } from './kysely-store.ts';
import { DEFAULT_PLAN, issueKey, newAccount } from './new-account.ts';
import type { NewSession, SessionCredentials } from './store.ts';

let workerUrl: URL;

beforeAll(async () => {
  workerUrl = await bundleProgram('packages/ledger/src/database/worker.ts', 'db-worker');
  return removeBundles;
});

const NOW = 1_778_002_753_024;

const session = (fields: Partial<NewSession> = {}): NewSession => ({
  id: createId('ses'),
  tokenHash: createToken().hash,
  createdAt: NOW,
  expiresAt: NOW + 1000,
  ...fields,
});

const OPENINGS: readonly (readonly [string, (place: string) => Promise<Store>])[] = [
  ['in the same thread', async (place) => new KyselyStore(await openDatabase(place))],
  ['in a thread of its own', (place) => openDatabaseThread('store', workerUrl, place, () => {})],
];

const STORES = DATABASES.flatMap(([name, create]) =>
  OPENINGS.map(([where, open]) => ({ name: `${where}, ${name}`, create, open })),
);

describe.each(STORES)('the store $name', ({ create, open }) => {
  let database: TestDatabase;
  let store: Store;

  beforeAll(async () => {
    database = await create();
    store = await open(database.place);
  });

  afterAll(async () => {
    await store.close();
    await database[Symbol.asyncDispose]();
  });

  let accountId: string;
  let credentials: SessionCredentials;

  beforeEach(async () => {
    const account = await store.createAccount(newAccount(createId('acc'), DEFAULT_PLAN, NOW));
    accountId = account?.id ?? '';
    credentials = {
      accountId,
      apiCredentialId: (await issueKey(store, accountId, 'api', 'bot', NOW)).id,
      serviceCredentialId: (await issueKey(store, accountId, 'service', '', NOW)).id,
    };
  });

  it('keeps every field of an account, and allows a name once', async () => {
    const plan = { plan: 'desk', maxCredits: Number.MAX_SAFE_INTEGER, flexLimit: 0, freeCredits: 12 };
    const made = newAccount(`one ${accountId}`, plan, NOW);
    expect(await store.createAccount(made)).toEqual(made);
    expect(await store.createAccount(newAccount(made.name, DEFAULT_PLAN, NOW))).toBeUndefined();
    expect(await store.accountNamed(made.name)).toEqual(made);
    expect(await store.accountNamed('nobody')).toBeUndefined();
    expect(await store.listAccounts()).toContainEqual(made);
  });

  it('finds a key by its hash with its account, and revokes it once', async () => {
    const { id, key } = await issueKey(store, accountId, 'api', 'mine', NOW);
    const found = await store.credentialByHash(sha256(key));
    expect(found).toEqual({
      id,
      accountId,
      accountName: (await store.listAccounts()).find((account) => account.id === accountId)?.name,
      kind: 'api',
      label: 'mine',
      prefix: 'l4k_',
      lastFour: key.slice(-4),
      createdAt: NOW,
      revokedAt: null,
    });
    expect(await store.listCredentials()).toContainEqual(found);
    expect(await store.credentialByHash(sha256('another'))).toBeUndefined();
    expect(await store.revokeCredential(id, NOW + 5)).toBe('revoked');
    expect(await store.revokeCredential(id, NOW + 9)).toBe('already-revoked');
    expect(await store.revokeCredential('key_0', NOW)).toBe('unknown');
    expect(await store.credential(id)).toMatchObject({ revokedAt: NOW + 5 });
  });

  it('finds a session until it ends or expires', async () => {
    const begun = session();
    await store.createSession(begun, credentials, 100);
    const found = await store.sessionByHash(begun.tokenHash, NOW);
    expect(found).toMatchObject({ id: begun.id, accountId, api: { label: 'bot' }, service: { prefix: 'l4s_' } });
    expect(await store.session(begun.id, NOW)).toEqual(found);
    expect(await store.session(begun.id, begun.expiresAt)).toBeUndefined();
    await store.endSession(begun.id);
    expect(await store.sessionByHash(begun.tokenHash, NOW)).toBeUndefined();
  });

  it('removes a revoked credential from a session, and ends the session with the last one', async () => {
    const begun = session();
    await store.createSession(begun, credentials, 100);
    await store.revokeCredential(credentials.apiCredentialId ?? '', NOW);
    expect(await store.session(begun.id, NOW)).toMatchObject({ api: null, service: { label: '' } });
    await store.revokeCredential(credentials.serviceCredentialId ?? '', NOW);
    expect(await store.session(begun.id, NOW)).toBeUndefined();
  });

  it('[AUTH-22] gives one session if many spend one sign-in token concurrently', async () => {
    const { hash } = createToken();
    await store.createSignInToken({ tokenHash: hash, expiresAt: NOW + 10 }, credentials);
    const attempts = Array.from({ length: 8 }, () => session());
    const spent = await Promise.all(attempts.map((begun) => store.spendSignInToken(hash, begun, 100)));
    expect(spent.filter(Boolean)).toHaveLength(1);
    const found = await Promise.all(attempts.map((begun) => store.session(begun.id, NOW)));
    expect(found.filter((one) => one !== undefined)).toHaveLength(1);
  });

  it('[AUTH-22] rejects a sign-in token that has expired, or after a new one was created', async () => {
    const [late, old, fresh] = [createToken().hash, createToken().hash, createToken().hash];
    await store.createSignInToken({ tokenHash: late, expiresAt: NOW }, credentials);
    expect(await store.spendSignInToken(late, session(), 100)).toBe(false);
    await store.createSignInToken({ tokenHash: old, expiresAt: NOW + 10 }, credentials);
    await store.createSignInToken({ tokenHash: fresh, expiresAt: NOW + 10 }, credentials);
    expect(await store.spendSignInToken(old, session(), 100)).toBe(false);
    expect(await store.spendSignInToken(fresh, session(), 100)).toBe(true);
  });

  it('keeps one document per account, replaced only from its present version, until the account is deleted', async () => {
    const replace = (version: number, text: string) => store.replaceDocument(accountId, { version, text });
    expect(await store.document(accountId)).toBeUndefined();
    expect(await replace(1, 'too new')).toBe(false);
    const outcomes = await Promise.all(['a', 'b', 'c'].map((text) => replace(0, text)));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await replace(1, 'second “é”')).toBe(true);
    expect(await replace(1, 'too late')).toBe(false);
    expect(await store.document(accountId)).toEqual({ version: 2, text: 'second “é”' });
    const other = newAccount(`other ${accountId}`, DEFAULT_PLAN, NOW);
    await store.createAccount(other);
    expect(await store.document(other.id)).toBeUndefined();
    await store.replaceDocument(other.id, { version: 0, text: 'x' });
    const db = await openDatabase(database.place);
    await db.deleteFrom('accounts').where('id', '=', other.id).execute();
    await db.destroy();
    expect(await store.document(other.id)).toBeUndefined();
  });

  it('deletes what has expired and nothing else', async () => {
    const [gone, kept] = [session({ expiresAt: NOW + 1 }), session({ expiresAt: NOW + 3 })];
    await store.createSession(gone, credentials, 100);
    await store.createSession(kept, credentials, 100);
    await store.deleteExpired(NOW + 2);
    expect(await store.session(gone.id, NOW)).toBeUndefined();
    expect(await store.session(kept.id, NOW)).toBeDefined();
  });

  it('keeps the names of batches of charges for 92 days after the batch, then deletes them', async () => {
    const { apiCredentialId } = credentials;
    if (apiCredentialId === null) throw new Error('an API key');
    const ledger = new KyselyLedger(await openDatabase(database.place));
    const charge = { accountId, credentialId: apiCredentialId, kind: 'openOrders', credits: 1 };
    const batch = { writer: createId('ses'), number: 1, at: NOW, charges: [charge] };
    const spooled = { ...batch, number: 2 };
    await ledger.commitBatch(batch);
    await ledger.replay([spooled]);
    const kept = async () => {
      const rows = ['charge_writers', 'charge_replays'].map((table) =>
        database.rows(`select * from ${table} where writer = '${batch.writer}'`),
      );
      return (await Promise.all(rows)).map((found) => found.length);
    };
    await store.deleteExpired(NOW + 92 * 86_400_000);
    expect(await kept()).toEqual([1, 1]);
    // As long as the names are kept, each batch counts once.
    await ledger.replay([batch, spooled]);
    const used = async () => (await ledger.monthUsage(accountId, NOW))?.used;
    expect(await used()).toBe(2);
    await store.deleteExpired(NOW + 92 * 86_400_000 + 1);
    expect(await kept()).toEqual([0, 0]);
    await ledger.close();
  });

  it('stores no secret in its files', async () => {
    const { key } = await issueKey(store, accountId, 'api', '', NOW);
    const { token, hash } = createToken();
    await store.createSignInToken({ tokenHash: hash, expiresAt: NOW + 10 }, credentials);
    const tables = ['accounts', 'credentials', 'sessions', 'sign_in_tokens'];
    const rows = await Promise.all(tables.map((table) => database.rows(`select * from ${table}`)));
    const everything = JSON.stringify(rows);
    expect(everything).toContain(sha256(key));
    expect(everything).not.toContain(key.slice(4));
    expect(everything).not.toContain(token);
  });
});

describe('the database thread', () => {
  it('rejects with the reason if the database cannot be opened', async () => {
    const opening = openDatabaseThread('store', workerUrl, join(fileURLToPath(workerUrl), 'data'), () => {});
    await expect(opening).rejects.toMatchObject({ code: 'unwritable' });
  });

  it.each(DATABASES)('[USE-12] for usage reads the response of the endpoint as bytes: %s', async (_, create) => {
    await using database = await create();
    const store = await openDatabaseThread('store', workerUrl, database.place, () => {});
    const reader = await openDatabaseThread('usage', workerUrl, database.place, () => {});
    const account = await store.createAccount(newAccount('team', DEFAULT_PLAN, NOW));
    const credentialId = (await issueKey(store, account?.id ?? '', 'api', '', NOW)).id;
    await store.addSimulatedUsage(account?.id ?? '', [{ day: '2026-05-02', credentialId, free: 3, premium: 4 }]);
    const window = { from: '2026-05-01', to: '2026-05-02' };
    const json = await reader.usageJson(account?.id ?? '', window);
    expect(usage.parse(JSON.parse(Buffer.from(json ?? []).toString())).data).toMatchObject({
      aggregate: { credits_consumed: 7, plan: 'standard' },
      by_day: [{ date: '2026-05-01' }, { date: '2026-05-02', premium_credits: 4, free_credits: 3 }],
      by_api_key: [{ credits: 7 }],
    });
    expect(await reader.usageJson('acc_none', window)).toBeUndefined();
    await Promise.all([store.close(), reader.close()]);
  });

  it.each(DATABASES)('several threads can open a new %s at the same time', async (_, create) => {
    await using database = await create();
    const stores = await Promise.all(
      Array.from({ length: 6 }, () => openDatabaseThread('store', workerUrl, database.place, () => {})),
    );
    await Promise.all(stores.map((store, index) => store.createAccount(newAccount(`team ${index}`, DEFAULT_PLAN, 1))));
    expect(await stores[0]?.listAccounts()).toHaveLength(6);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('rejects every call after dying, and reports it once', async () => {
    await using directory = await temporaryDirectory();
    const program = join(directory.path, 'dying.mjs');
    const script = `
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => process.exit(3));
      parentPort.postMessage({ kind: 'open', methods: ['ping', 'listAccounts'] });`;
    writeFileSync(program, script);
    const lost: Error[] = [];
    const store = await openDatabaseThread(
      'store',
      pathToFileURL(program),
      directory.path,
      (error) => void lost.push(error),
    );
    await expect(store.ping()).rejects.toMatchObject({ name: 'DatabaseError', code: 'failed' });
    await expect(store.listAccounts()).rejects.toMatchObject({ code: 'failed' });
    expect(lost).toHaveLength(1);
  });

  it('rejects a call with the code of its error', async () => {
    await using directory = await temporaryDirectory();
    const program = join(directory.path, 'locked.mjs');
    const script = `
      import { parentPort } from 'node:worker_threads';
      const error = { code: 'locked', message: 'The database is locked.' };
      parentPort.once('message', ({ id }) => parentPort.postMessage({ kind: 'refused', id, error }));
      parentPort.postMessage({ kind: 'open', methods: ['ping'] });`;
    writeFileSync(program, script);
    const store = await openDatabaseThread('store', pathToFileURL(program), directory.path, () => {});
    await expect(store.ping()).rejects.toMatchObject({ code: 'locked', retryable: true });
  });

  it('rejects calls after it was closed, and does not count as lost', async () => {
    await using directory = await temporaryDirectory();
    const lost: Error[] = [];
    const store = await openDatabaseThread('store', workerUrl, directory.path, (error) => void lost.push(error));
    await store.close();
    await expect(store.ping()).rejects.toMatchObject({ name: 'DatabaseError' });
    expect(lost).toEqual([]);
  });
});

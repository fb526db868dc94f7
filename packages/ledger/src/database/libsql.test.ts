import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { temporaryDirectory } from '@l4desk/testkit';
import { sql } from 'kysely';
import Database from 'libsql';
import { beforeEach, describe, expect, it } from 'vitest';
import { KyselyStore } from '../accounts/kysely-store.ts';
import { DEFAULT_PLAN, newAccount } from '../accounts/new-account.ts';
import { DatabaseError } from './database-error.ts';
import { checkpointEmbedded } from './libsql.ts';
import { openDatabase } from './open-database.ts';

let directory: string;

beforeEach(async () => {
  const temporary = await temporaryDirectory();
  directory = temporary.path;
  return () => temporary[Symbol.asyncDispose]();
});

const failure = async (opening: Promise<unknown>): Promise<DatabaseError> => {
  const error: unknown = await opening.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof DatabaseError) return error;
  throw new Error('no DatabaseError', { cause: error });
};

describe('opening', () => {
  it('creates directory and files for their owner only', async () => {
    const path = join(directory, 'a', 'b');
    const db = await openDatabase(path);
    const mode = (name: string) => statSync(join(path, name)).mode & 0o777;
    expect(mode('.')).toBe(0o700);
    for (const file of ['l4desk.db', 'l4desk.db-wal', 'l4desk.db-shm']) expect(mode(file)).toBe(0o600);
    await db.destroy();
  });

  it('waits for the transaction of another process', async () => {
    const store = new KyselyStore(await openDatabase(directory, { lockWaitMs: 60_000 }));
    const libsql = createRequire(import.meta.url).resolve('libsql');
    const script = `
      const db = new (require(${JSON.stringify(libsql)}))(${JSON.stringify(join(directory, 'l4desk.db'))});
      db.exec('begin immediate');
      process.send('held');
      setTimeout(() => { db.exec('commit'); db.close(); process.disconnect(); }, 300);`;
    const other = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await once(other, 'message');
    expect(await store.createAccount(newAccount('patient', DEFAULT_PLAN, 1))).toMatchObject({ name: 'patient' });
    await once(other, 'close');
    await store.close();
  });

  it('waits for a transaction in a new database, which does not have its side files yet', async () => {
    const other = new Database(join(directory, 'l4desk.db'));
    other.exec('begin immediate');
    const opening = openDatabase(directory, { lockWaitMs: 60_000 });
    await new Promise(setImmediate);
    other.exec('commit');
    other.close();
    const db = await opening;
    expect(existsSync(join(directory, 'l4desk.db-wal'))).toBe(true);
    await db.destroy();
  });

  it('shares the database with a process that closes it, also when it was opened several times', async () => {
    const stores = [];
    for (let times = 0; times < 3; times += 1) stores.push(new KyselyStore(await openDatabase(directory)));
    const script = `
      const Database = require(${JSON.stringify(createRequire(import.meta.url).resolve('libsql'))});
      const db = new Database(${JSON.stringify(join(directory, 'l4desk.db'))}, { timeout: 5000 });
      db.exec("update accounts set name = 'renamed'");
      db.close();`;
    const account = await stores[0]?.createAccount(newAccount('first', DEFAULT_PLAN, 1));
    const other = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit'] });
    expect(await once(other, 'close')).toEqual([0, null]);
    expect(existsSync(join(directory, 'l4desk.db-wal')), 'its side file is still there').toBe(true);
    for (const store of stores) {
      expect(await store.accountNamed('renamed')).toMatchObject({ id: account?.id });
      await store.close();
    }
  });
});

describe('refusals', () => {
  it('name a directory that cannot be created', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    const error = await failure(openDatabase(join(file, 'data')));
    expect(error.code).toBe('unwritable');
    expect(error.message).toContain(join(file, 'data'));
  });

  it('name a directory that is in the place of the file', async () => {
    mkdirSync(join(directory, 'l4desk.db'));
    expect((await failure(openDatabase(directory))).code).toBe('unwritable');
  });

  it('distinguish a damaged file, and say what to do', async () => {
    writeFileSync(join(directory, 'l4desk.db'), 'this is no database, whatever its name says\n'.repeat(200));
    const error = await failure(openDatabase(directory));
    expect(error.code).toBe('corrupt');
    expect(error.message).toContain('Restore a backup');
  });

  it('name a database that stays locked, after the wait', async () => {
    const store = new KyselyStore(await openDatabase(directory, { lockWaitMs: 20 }));
    const holder = new Database(join(directory, 'l4desk.db'));
    holder.exec('begin immediate');
    expect((await failure(openDatabase(directory, { lockWaitMs: 20 }))).code).toBe('locked');
    expect((await failure(store.createAccount(newAccount('late', DEFAULT_PLAN, 1)))).code).toBe('locked');
    holder.exec('rollback');
    holder.close();
    expect(await store.createAccount(newAccount('late', DEFAULT_PLAN, 1))).toMatchObject({ name: 'late' });
    await store.close();
  });

  it('report a session as unwritable if the disk is full', async () => {
    const db = await openDatabase(directory);
    const store = new KyselyStore(db);
    const { id: accountId } = (await store.createAccount(newAccount('team', DEFAULT_PLAN, 1))) ?? { id: '' };
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
    await sql`pragma max_page_count = ${sql.raw(String(rows[0]?.page_count))}`.execute(db);
    const held = { accountId, apiCredentialId: null, serviceCredentialId: null };
    const fill = async () => {
      for (let n = 0; n < 10_000; n += 1)
        await store.createSession(
          { id: `ses_${n}`, tokenHash: `${n}`.repeat(40), createdAt: 1, expiresAt: 2 },
          held,
          20_000,
        );
    };
    expect((await failure(fill())).code).toBe('unwritable');
    await store.close();
  });

  it('report a side file that another process still reads as locked', async () => {
    const store = new KyselyStore(await openDatabase(directory));
    await store.createAccount(newAccount('first', DEFAULT_PLAN, 1));
    const reader = new Database(join(directory, 'l4desk.db'));
    reader.exec('begin');
    expect(reader.prepare('select name from accounts').all()).toHaveLength(1);
    await store.createAccount(newAccount('second', DEFAULT_PLAN, 1));
    expect(() => checkpointEmbedded(directory, 50)).toThrow(expect.objectContaining({ code: 'locked' }));
    reader.exec('rollback');
    reader.close();
    checkpointEmbedded(directory, 60_000);
    expect(statSync(join(directory, 'l4desk.db-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    await store.close();
  });

  it('leave a database of a newer version unchanged', async () => {
    await (await openDatabase(directory)).destroy();
    const raw = new Database(join(directory, 'l4desk.db'));
    raw.exec("insert into migrations (name, timestamp) values ('9999-the-future', '2030-01-01')");
    raw.close();
    expect((await failure(openDatabase(directory))).code).toBe('newer');
  });
});

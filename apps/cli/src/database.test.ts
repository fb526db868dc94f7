import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { KyselyLedger, KyselyStore, openDatabase } from '@l4desk/ledger';
import { builtProgram, Chance, temporaryDirectory } from '@l4desk/testkit';
import { postgresDatabase } from '@l4desk/testkit/postgres';
import { expect, it } from 'vitest';
import { runCommand } from './test-support/command.ts';

const NOW = Date.UTC(2026, 10, 20);

const l4desk = (environment: Readonly<Record<string, string>>, ...words: string[]) =>
  runCommand(words, { environment, envFilePath: join(environment.DATA_DIR ?? '', '.env'), now: () => NOW });

const json = ({ out }: { readonly out: string }) => JSON.parse(out) as Readonly<Record<string, unknown>>;

/** Creates accounts, keys, a session and more usage records than one page of a copy. */
async function fill(place: string): Promise<void> {
  const db = await openDatabase(place);
  const store = new KyselyStore(db);
  const ledger = new KyselyLedger(db);
  const chance = new Chance(3);
  for (const name of ['team a', 'Team b', 'Ünïcode']) {
    const id = `acc_${name}`;
    const plan = { plan: 'p', maxCredits: Number.MAX_SAFE_INTEGER - 1, flexLimit: 0, freeCredits: 50 };
    await store.createAccount({ id, name, ...plan, createdAt: NOW });
    const common = { accountId: id, kind: 'api' as const, prefix: 'l4k_', lastFour: 'abcd', createdAt: NOW };
    await store.createCredential({ ...common, id: `key_${name}`, label: '€ "x"', secretHash: `hash ${name}` });
    for (let page = 0; page < 3; page += 1) {
      const charges = Array.from({ length: 250 }, (_, place) => {
        const kind = `kind ${page} ${place}`;
        return { accountId: id, credentialId: `key_${name}`, kind, credits: chance.int(1, 1_000_000_000) };
      });
      await ledger.commit(NOW - page * 40 * 86_400_000, charges);
    }
    const held = { accountId: id, apiCredentialId: `key_${name}`, serviceCredentialId: null };
    const session = { id: `ses_${name}`, tokenHash: `token ${name}`, createdAt: NOW, expiresAt: NOW + 1000 };
    // What a service's spool leaves behind: its last batch, and one that was replayed.
    const charges = [{ accountId: id, credentialId: `key_${name}`, kind: 'spooled', credits: 7 }];
    await ledger.commitBatch({ writer: `writer ${name}`, number: 1, at: NOW, charges });
    await ledger.replay([{ writer: `writer ${name}`, number: 2, at: NOW, charges }]);
    await store.createSession(session, held, 10);
    await store.createSignInToken({ tokenHash: `sign-in ${name}`, expiresAt: NOW + 10 }, held);
    await store.replaceDocument(id, { version: 0, text: '{"label":"€"}' });
    await store.revokeCredential(`key_${name}`, NOW + 5);
  }
  await store.close();
}

it('copy transfers everything to PostgreSQL and back, and refuses a non-empty target unless told otherwise', async () => {
  await using first = await temporaryDirectory();
  await using second = await temporaryDirectory();
  const DATABASE_URL = await postgresDatabase();
  await fill(first.path);
  const there = await l4desk({ DATA_DIR: first.path, DATABASE_URL }, 'copy', 'postgres', '--json');
  expect(there).toMatchObject({ code: 0, err: '' });
  expect(json(there).tables).toMatchObject([
    { table: 'accounts', rows: 3 },
    { table: 'credentials', rows: 3 },
    { table: 'sessions', rows: 3 },
    { table: 'sign_in_tokens', rows: 3 },
    { table: 'documents', rows: 3 },
    { table: 'usage', rows: 2253, sums: { free_credits: '450' } },
    { table: 'usage_months', rows: 9, sums: { free_credits: '450' } },
    { table: 'charge_writers', rows: 3 },
    { table: 'charge_replays', rows: 3 },
  ]);
  const again = await l4desk({ DATA_DIR: first.path, DATABASE_URL }, 'copy', 'postgres');
  expect(again).toMatchObject({ code: 1, out: '' });
  expect(again.err).toContain('The target is not empty: its table charge_replays has rows. To delete them: ');
  const back = await l4desk({ DATA_DIR: second.path, DATABASE_URL }, 'copy', 'embedded', '--json');
  expect(json(back).tables).toEqual(json(there).tables);
  const replaced = await l4desk({ DATA_DIR: second.path, DATABASE_URL }, 'copy', 'postgres', '--replace');
  expect(replaced.out).toMatch(/^TABLE +ROWS +FREE CREDITS +PREMIUM CREDITS\naccounts +3 +150 *\n/);
  expect(replaced.out).toMatch(/Copied to postgres; all rows were compared and are equal\.\n$/);
});

it('the documented commands back up a database in use and restore it; a damaged backup changes nothing', async () => {
  await using directory = await temporaryDirectory();
  const DATA_DIR = join(directory.path, 'data');
  const file = join(directory.path, 'l4desk-backup.db');
  const documented = readFileSync(
    join(import.meta.dirname, '..', '..', '..', 'docs', 'operating', 'accounts.md'),
    'utf8',
  );
  const [, ...cells] = /^\| embedded \| `l4desk (.+)` \| `l4desk (.+)` \|$/m.exec(documented) ?? [];
  const run = (words: string) =>
    l4desk({ DATA_DIR }, ...words.split(' ').map((word) => (word === 'l4desk-backup.db' ? file : word)));
  const [backup = '', restore = ''] = cells;
  const accounts = async () => JSON.parse((await l4desk({ DATA_DIR }, 'accounts', 'list', '--json')).out);
  expect(await run(backup)).toMatchObject({ code: 1, err: `There is no database in ${DATA_DIR}.\n` });
  await fill(DATA_DIR);
  // A service that has the database open, with its last writes still in the side file.
  const inUse = await openDatabase(DATA_DIR);
  const before = await accounts();
  expect(await run(backup)).toEqual({ code: 0, out: `Backed up to ${file}.\n`, err: '' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await run(backup)).toMatchObject({ code: 2, err: `${file} exists already. Nothing is overwritten.\n` });
  const nowhere = join(directory.path, 'missing', 'backup.db');
  for (const command of ['backup', 'restore'])
    expect(await l4desk({ DATA_DIR }, command, nowhere)).toMatchObject({
      code: 2,
      err: `${nowhere}: no such file or folder.\n`,
    });
  // The database library cannot write to so long a path. The database is not to blame, and nothing is left behind.
  const long = join(directory.path, ...['x', 'y', 'z'].map((letter) => letter.repeat(200)));
  mkdirSync(long, { recursive: true });
  expect(await l4desk({ DATA_DIR }, 'backup', join(long, 'backup.db'))).toMatchObject({
    code: 1,
    err: `The backup ${join(long, 'backup.db')} cannot be written (SQLITE_CANTOPEN).\n`,
  });
  expect(readdirSync(long)).toEqual([]);
  await l4desk({ DATA_DIR }, 'accounts', 'create', 'later');
  await inUse.destroy();
  expect(await accounts()).toHaveLength(before.length + 1);
  expect(await run(restore)).toEqual({ code: 0, out: `Restored from ${file}.\n`, err: '' });
  expect(await accounts()).toEqual(before);
  expect(statSync(join(DATA_DIR, 'l4desk.db')).mode & 0o777).toBe(0o600);

  writeFileSync(file, 'no database at all, but long enough to have been taken for one by its first bytes '.repeat(20));
  expect(await run(restore)).toMatchObject({
    code: 1,
    err: `The backup ${file} is damaged or is not a database.\n`,
  });
  expect(await accounts()).toEqual(before);
  const elsewhere = { DATA_DIR, DATABASE_URL: 'postgres://127.0.0.1:9/x' };
  for (const words of [backup, restore])
    expect(await l4desk(elsewhere, ...words.split(' '))).toMatchObject({ code: 2, err: expect.stringMatching(/pg_/) });
});

/** Returns a module for `node --import` that kills the process at its first file change after `changes` of them. */
function killedAfter(changes: number): string {
  const module = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    let left = ${changes};
    for (const name of ['copyFileSync', 'rmSync', 'renameSync']) {
      const change = fs[name];
      fs[name] = (...args) => {
        if (left === 0) process.kill(process.pid, 'SIGKILL');
        left -= 1;
        return change(...args);
      };
    }
    syncBuiltinESMExports();`;
  return `data:text/javascript,${encodeURIComponent(module)}`;
}

it.each([
  ['is damaged', (old: string) => writeFileSync(old, 'no database '.repeat(500))],
  ['cannot be opened', (old: string) => symlinkSync(dirname(old), old)],
])('restore replaces an old database that %s', async (_, spoil) => {
  await using directory = await temporaryDirectory();
  const DATA_DIR = join(directory.path, 'data');
  const backup = join(directory.path, 'backup.db');
  await l4desk({ DATA_DIR }, 'accounts', 'create', 'first');
  await l4desk({ DATA_DIR }, 'backup', backup);
  const old = join(DATA_DIR, 'l4desk.db');
  for (const file of [old, `${old}-wal`, `${old}-shm`]) rmSync(file, { force: true });
  spoil(old);
  expect(await l4desk({ DATA_DIR }, 'restore', backup)).toMatchObject({ code: 0, err: '' });
  const listed = await l4desk({ DATA_DIR }, 'accounts', 'list', '--json');
  expect(JSON.parse(listed.out)).toEqual([expect.objectContaining({ name: 'first' })]);
});

it('a restore killed at any step leaves either the old database or the restored one, never a mix; the next restore deletes its copy', async () => {
  const cli = await builtProgram('cli');
  await using directory = await temporaryDirectory();
  const DATA_DIR = join(directory.path, 'data');
  const backup = join(directory.path, 'backup.db');
  const names = async (of: string) => {
    const listed = await l4desk({ DATA_DIR: of }, 'accounts', 'list', '--json');
    const accounts = JSON.parse(listed.out) as readonly { readonly name: string }[];
    // Both were created at the same time, so their order is undefined.
    return accounts.map(({ name }) => name).sort();
  };
  await l4desk({ DATA_DIR }, 'accounts', 'create', 'first');
  await l4desk({ DATA_DIR }, 'backup', backup);
  // Held open as a service does, so that new writes are only in the side file.
  const inUse = await openDatabase(DATA_DIR);
  await l4desk({ DATA_DIR }, 'accounts', 'create', 'later');
  const left: (readonly string[])[] = [];
  for (let code: unknown = null; code !== 0; ) {
    const killed = join(directory.path, `killed after ${left.length}`);
    mkdirSync(killed);
    // The files that a killed service leaves behind.
    for (const file of ['l4desk.db', 'l4desk.db-wal']) copyFileSync(join(DATA_DIR, file), join(killed, file));
    const child = spawn(process.execPath, ['--import', killedAfter(left.length), cli, 'restore', backup], {
      cwd: directory.path,
      env: { PATH: process.env.PATH ?? '', DATA_DIR: killed },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const exit = await once(child, 'exit');
    expect(exit).toEqual(exit[0] === 0 ? [0, null] : [null, 'SIGKILL']);
    [code] = exit;
    left.push(await names(killed));
  }
  await inUse.destroy();
  const replacedAt = left.findIndex((accounts) => accounts.length === 1);
  // The steps before it (the copy and the side files) did not change the contents of the old database.
  expect(replacedAt).toBeGreaterThanOrEqual(4);
  expect(left).toEqual(left.map((_, step) => (step < replacedAt ? ['first', 'later'] : ['first'])));
  const killedEarly = join(directory.path, 'killed after 1');
  const copies = () => readdirSync(killedEarly).filter((name) => name.startsWith('restore-'));
  expect(copies()).toHaveLength(1);
  mkdirSync(join(killedEarly, 'restore-notes-of-mine'));
  expect(await l4desk({ DATA_DIR: killedEarly }, 'restore', backup)).toMatchObject({ code: 0, err: '' });
  expect(copies()).toEqual(['restore-notes-of-mine']);
});

it('copy requires both databases', async () => {
  await using directory = await temporaryDirectory();
  const { code, err } = await l4desk({ DATA_DIR: directory.path }, 'copy', 'postgres');
  expect({ code, err }).toEqual({ code: 2, err: 'DATABASE_URL must be set to copy.\n' });
});

it('migrate updates a new database once', async () => {
  await using directory = await temporaryDirectory();
  const environment = { DATA_DIR: directory.path, DATABASE_URL: await postgresDatabase() };
  const { applied } = json(await l4desk(environment, 'migrate', '--json'));
  expect(applied).toContain('0001-accounts');
  expect((await l4desk(environment, 'migrate')).out).toBe('The database is up to date.\n');
});

it('the command line works with DATABASE_URL as with DATA_DIR', async () => {
  await using directory = await temporaryDirectory();
  const environment = { DATA_DIR: directory.path, DATABASE_URL: await postgresDatabase() };
  await l4desk(environment, 'accounts', 'create', 'team');
  const made = await l4desk(environment, 'keys', 'create', '--account', 'team', '--json');
  expect(json(made)).toMatchObject({ account: 'team', kind: 'api' });
  expect((await l4desk({ DATA_DIR: directory.path }, 'accounts', 'list')).out).toBe('No accounts yet.\n');
  expect((await l4desk(environment, 'accounts', 'list')).out).toContain('team');
  expect(await l4desk({ ...environment, DATABASE_URL: 'mysql://x' }, 'accounts', 'list')).toMatchObject({ code: 2 });
});

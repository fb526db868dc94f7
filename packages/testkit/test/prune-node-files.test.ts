import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@l4desk/testkit';
import { Program } from '@l4desk/testkit/stack';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Compose, deploy, filled } from './test-support/deploy-files.ts';
import { WORKSPACE } from './test-support/try-package.ts';

const execute = promisify(execFile);

it('the pruner removes files of a node that are older than KEEP_HOURS, and nothing else', async () => {
  await using directory = await temporaryDirectory();
  const root = directory.path;
  const put = (path: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), '');
    // The names give the age, not the files' own times.
    utimesSync(join(root, path), new Date(0), new Date(0));
  };
  const name = (hoursAgo: number) => {
    const at = new Date(Date.now() - hoursAgo * 3_600_000);
    return `${at.toISOString().slice(0, 10).replaceAll('-', '')}/${at.getUTCHours()}`;
  };
  const kinds = ['node_raw_book_diffs_by_block', 'node_order_statuses_streaming', 'node_fills_by_block'];
  for (const kind of kinds) for (const hours of [0, 2, 4, 60]) put(`${kind}/hourly/${name(hours)}`);
  const others = [
    'periodic_abci_states/20200101/1',
    'node_fills_by_block/hourly/20200101/notes',
    'visor_child_stderr/0',
  ];
  for (const path of others) put(path);
  const script = join(WORKSPACE, 'deploy', 'prune-node-files.mjs');
  const run = (env: Readonly<Record<string, string>>) => execute(process.execPath, [script, '--once'], { env });
  const { stdout } = await run({ NODE_DATA_DIR: root, KEEP_HOURS: '3' });
  expect(stdout.trim().split('\n')).toHaveLength(6);
  for (const kind of kinds) {
    for (const hours of [0, 2]) expect(existsSync(join(root, kind, 'hourly', name(hours)))).toBe(true);
    for (const hours of [4, 60]) expect(existsSync(join(root, kind, 'hourly', name(hours)))).toBe(false);
    expect(existsSync(join(root, kind, 'hourly', name(60), '..'))).toBe(false);
  }
  for (const path of others) expect(existsSync(join(root, path))).toBe(true);
  await expect(run({})).rejects.toMatchObject({ code: 2 });
  await expect(run({ NODE_DATA_DIR: root, KEEP_HOURS: '0' })).rejects.toMatchObject({ code: 2 });
});

it('the pruner runs as compose.yaml starts it, and continues until it is stopped', async () => {
  const {
    entrypoint = [],
    environment,
    volumes,
  } = (parse(deploy('compose.yaml')) as Compose).services['prune-node-files'] as Compose['services'][string];
  const [, script = '', ...args] = entrypoint;
  expect(args).toEqual([]);
  await using directory = await temporaryDirectory();
  const node = join(directory.path, 'node');
  // The only volume is the folder that it searches.
  expect(volumes.map((volume) => filled(volume).split(':')[1])).toEqual([environment.NODE_DATA_DIR]);
  mkdirSync(join(node, 'node_fills_by_block', 'hourly', '20200101'), { recursive: true });
  const old = join(node, 'node_fills_by_block', 'hourly', '20200101', '7');
  writeFileSync(old, '');
  const env = Object.entries(environment).map(([name, text]) => [name, filled(text)]);
  await using pruner = new Program(join(WORKSPACE, script.replace('/app/', '')), {
    env: { ...Object.fromEntries(env), NODE_DATA_DIR: node },
    cwd: directory.path,
  });
  await pruner.printed(/^removed node_fills_by_block\/hourly\/20200101\/7$/);
  expect(existsSync(old)).toBe(false);
  expect(pruner.running).toBe(true);
  expect((await pruner.stop()).stderr).toBe('');
});

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { withLock } from './lock.mjs';
import { cacheDir } from './workspace.mjs';

const name = `test-${process.pid}`;
const path = join(cacheDir, `${name}.lock`);

/** Written by the other process just before it releases the lock. */
const marker = `${path}.released`;

afterEach(() => {
  for (const file of [path, marker]) rmSync(file, { force: true });
});

it('holds the lock while the body runs and releases it even if the body throws', async () => {
  const failing = withLock(name, () => {
    expect(existsSync(path)).toBe(true);
    throw new Error('body');
  });
  await expect(failing).rejects.toThrow('body');
  expect(existsSync(path)).toBe(false);
});

it('waits until another process releases the lock', async () => {
  const lockUrl = pathToFileURL(join(import.meta.dirname, 'lock.mjs')).href;
  const program = `
    import { writeFileSync } from 'node:fs';
    import { withLock } from ${JSON.stringify(lockUrl)};
    await withLock(${JSON.stringify(name)}, async () => {
      process.stdout.write('held');
      for await (const _ of process.stdin);
      writeFileSync(${JSON.stringify(marker)}, '');
    });`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  const ours = withLock(name, () => existsSync(marker));
  expect(existsSync(marker)).toBe(false);
  holder.stdin.end();
  expect(await ours).toBe(true);
});

it('takes over the lock of a process that died', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  mkdirSync(cacheDir, { recursive: true });
  writeFileSync(path, String(pid));
  expect(await withLock(name, () => 'ours')).toBe('ours');
});

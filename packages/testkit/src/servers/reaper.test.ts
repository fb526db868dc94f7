import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.ts';

const REAPER = join(import.meta.dirname, 'reaper.mjs');

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts a program that runs until it is ended. Resolves once it runs. */
async function program(...args: readonly string[]): Promise<ChildProcess> {
  const script = 'setInterval(() => {}, 1_000); process.stdout.write("up");';
  const child = spawn(process.execPath, ['-e', script, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  if (child.stdout === null) throw new Error('a program without output');
  await once(child.stdout, 'data');
  return child;
}

/** Returns the id of a process that has ended. */
async function endedProcess(): Promise<number | undefined> {
  const owner = spawn(process.execPath, ['-e', '']);
  await once(owner, 'exit');
  return owner.pid;
}

async function reap(directory: string, server: ChildProcess): Promise<void> {
  const pidFile = join(directory, 'pid');
  writeFileSync(pidFile, `${server.pid}\n`);
  await promisify(execFile)(process.execPath, [REAPER, directory, String(await endedProcess()), pidFile]);
}

it('ends a server whose owner is gone, and removes its directory', async () => {
  await using directory = await temporaryDirectory();
  const server = await program(directory.path);
  const ended = once(server, 'exit');
  await reap(directory.path, server);
  expect(await ended).toEqual([null, 'SIGQUIT']);
  expect(existsSync(directory.path)).toBe(false);
});

it('does not end another program that has the id of the server by now', async () => {
  await using directory = await temporaryDirectory();
  const stranger = await program();
  await reap(directory.path, stranger);
  expect(existsSync(directory.path)).toBe(false);
  expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
  const ended = once(stranger, 'exit');
  stranger.kill('SIGTERM');
  expect(await ended).toEqual([null, 'SIGTERM']);
});

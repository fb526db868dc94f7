import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@l4desk/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { announceService, localUrl, runningServices } from './service-address.ts';

let directory: string;

beforeEach(async () => {
  const temporary = await temporaryDirectory();
  directory = temporary.path;
  return () => temporary[Symbol.asyncDispose]();
});

const note = (name: string, content: string) => {
  mkdirSync(join(directory, 'running'), { recursive: true });
  writeFileSync(join(directory, 'running', name), content);
};

/** The id of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('runningServices', () => {
  it('returns a service as long as it runs, readable by its owner only', () => {
    expect(runningServices(directory)).toEqual([]);
    const withdraw = announceService(directory, { host: '127.0.0.1', port: 43_121 });
    expect(runningServices(directory)).toEqual([
      { url: 'http://127.0.0.1:43121', port: 43_121, pid: process.pid, startedAt: expect.any(Number) },
    ]);
    const folder = join(directory, 'running');
    expect(readdirSync(folder)).toEqual([`${process.pid}.json`]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, `${process.pid}.json`)).mode & 0o777).toBe(0o600);
    withdraw();
    expect(runningServices(directory)).toEqual([]);
  });

  it('returns the one that started last first', () => {
    const one = { url: 'http://127.0.0.1:1', port: 1, pid: process.pid, startedAt: 1 };
    const two = { url: 'http://127.0.0.1:2', port: 2, pid: process.ppid, startedAt: 2 };
    note('1.json', JSON.stringify(one));
    note('2.json', JSON.stringify(two));
    expect(runningServices(directory)).toEqual([two, one]);
  });

  it('ignores a service whose process is gone or whose file is invalid; the next start removes those files', async () => {
    const gone = { url: 'http://127.0.0.1:1', port: 1, pid: await endedPid(), startedAt: 1 };
    note('1.json', JSON.stringify(gone));
    note('2.json', '{"url":');
    note('3.json', '{"url":1}');
    note('other.txt', '');
    expect(runningServices(directory)).toEqual([]);
    announceService(directory, { host: '127.0.0.1', port: 7 });
    expect(readdirSync(join(directory, 'running')).toSorted()).toEqual([`${process.pid}.json`, 'other.txt']);
  });
});

it.each([
  ['127.0.0.1', 'http://127.0.0.1:80'],
  ['localhost', 'http://localhost:80'],
  ['0.0.0.0', 'http://127.0.0.1:80'],
  ['::', 'http://[::1]:80'],
  ['[::]', 'http://[::1]:80'],
  ['::1', 'http://[::1]:80'],
  ['fe80::2', 'http://[fe80::2]:80'],
  ['10.0.0.7', 'http://10.0.0.7:80'],
])('returns a local URL for a service on %s: %s', (host, url) => {
  expect(localUrl(host, 80)).toBe(url);
});

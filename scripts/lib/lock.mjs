// Allows one install and one build at a time, across processes: for example two terminals, or a test next to a running service.
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cacheDir } from './workspace.mjs';

/** Runs `body` while this process holds the named lock. A lock left behind by a process that died is taken over. */
export async function withLock(name, body) {
  mkdirSync(cacheDir, { recursive: true });
  const path = join(cacheDir, `${name}.lock`);
  while (!acquire(path)) await delay(100);
  try {
    return await body();
  } finally {
    rmSync(path, { force: true });
  }
}

function acquire(path) {
  // Written to a separate file and linked into place, so that a lock file always contains its holder's process id.
  const own = `${path}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
  if (!holderLives(path)) rmSync(path, { force: true });
  return false;
}

function holderLives(path) {
  try {
    const holder = Number.parseInt(readFileSync(path, 'utf8'), 10);
    // This process's own id is left over from an earlier process.
    if (holder === process.pid) return false;
    process.kill(holder, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

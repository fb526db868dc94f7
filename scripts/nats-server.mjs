// Finds a nats-server for the cluster tests, or downloads one. As a program, it prints the path.
//
// Tried in this order: $NATS_SERVER_PATH, one on the PATH, one downloaded before, Debian's package (unpacked here, not
// installed).
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findOrUnpack } from './lib/debian-packages.mjs';
import { onPath } from './lib/on-path.mjs';
import { run } from './lib/run.mjs';
import { cacheDir, Failure, script } from './lib/workspace.mjs';

const unpacked = join(cacheDir, 'nats-server');

async function works(path) {
  if (path === undefined || !existsSync(path)) return false;
  const { code } = await run(path, ['--version'], { output: 'keep', timeoutMs: 30_000 });
  return code === 0;
}

const places = () => ['sbin', 'bin'].map((folder) => join(unpacked, 'usr', folder, 'nats-server'));

async function found() {
  for (const path of [onPath('nats-server'), ...places()]) if (await works(path)) return path;
  return undefined;
}

/** The path of a working nats-server; downloads one if there is none. */
export async function ensureNatsServer() {
  const named = process.env.NATS_SERVER_PATH;
  if (named) {
    if (await works(named)) return named;
    throw new Failure(`NATS_SERVER_PATH is ${named}, which is not a nats-server that runs.`);
  }
  // Without its system service.
  const path = await findOrUnpack(found, ['nats-server'], unpacked);
  if (path) return path;
  throw new Failure(
    'The tests of the cluster need nats-server, and it could not be had. Install it (Debian: `apt-get install nats-server`, macOS: `brew install nats-server`), or set NATS_SERVER_PATH to one.',
  );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await script(async () => {
    process.stdout.write(`${await ensureNatsServer()}\n`);
  });
}

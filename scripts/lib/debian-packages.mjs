import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { onPath } from './on-path.mjs';
import { run } from './run.mjs';

/** A blocked network must not delay the tests for long. */
const COMMAND_TIMEOUT_MS = 180_000;
const CONNECTION_TIMEOUT_S = 15;

/**
 * Returns what `find` finds; if nothing, fills a directory with the files of Debian packages first, without installing
 * these or what they depend on. A directory that was filled before is kept, because the same files would not work either.
 */
export function findOrUnpack(find, names, directory) {
  return withLock('debian-packages', async () => {
    const found = await find();
    if (found !== undefined || existsSync(join(directory, 'usr'))) return found;
    await unpack(names, directory);
    return find();
  });
}

/** Does nothing on another system; a command that fails is reported on standard error. */
async function unpack(names, directory) {
  if (onPath('apt-get') === undefined || onPath('dpkg-deb') === undefined) return;
  process.stderr.write(`Getting Debian's ${names.join(' and ')} …\n`);
  const cwd = `${directory}.part`;
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd, { recursive: true });
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const execute = (...command) =>
    run(command[0], command.slice(1), { cwd, output: 'keep', env, timeoutMs: COMMAND_TIMEOUT_MS });
  const aptGet = (...args) => execute('apt-get', '-o', `Acquire::http::Timeout=${CONNECTION_TIMEOUT_S}`, ...args);
  let { code, text } = await aptGet('download', ...names);
  if (code !== 0 && process.getuid?.() === 0) {
    await aptGet('update');
    ({ code, text } = await aptGet('download', ...names));
  }
  if (code !== 0) return reportFailure('apt-get download', code, text);
  for (const archive of readdirSync(cwd)) {
    ({ code, text } = await execute('dpkg-deb', '-x', archive, '.'));
    if (code !== 0) return reportFailure('dpkg-deb', code, text);
    rmSync(join(cwd, archive));
  }
  rmSync(directory, { recursive: true, force: true });
  renameSync(cwd, directory);
}

function reportFailure(command, code, text) {
  process.stderr.write(`${command} ended with code ${code}: ${text.trim().split('\n').at(-1)}\n`);
}

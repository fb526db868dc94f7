import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from './on-path.mjs';
import { run } from './run.mjs';

/**
 * Replaces a directory with the files of Debian packages, without installing these or what they depend on. Does nothing
 * on another system; a failed download is reported on standard error.
 */
export async function unpackDebianPackages(names, directory) {
  if (onPath('apt-get') === undefined || onPath('dpkg-deb') === undefined) return;
  process.stderr.write(`Getting Debian's ${names.join(' and ')} …\n`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const options = { cwd: directory, output: 'keep', env: { DEBIAN_FRONTEND: 'noninteractive' } };
  const download = () => run('apt-get', ['download', ...names], options);
  let { code, text } = await download();
  if (code !== 0 && process.getuid?.() === 0) {
    await run('apt-get', ['update'], options);
    ({ code, text } = await download());
  }
  if (code !== 0) {
    process.stderr.write(`apt-get download ended with code ${code}: ${text.trim().split('\n').at(-1)}\n`);
    return;
  }
  for (const archive of readdirSync(directory)) {
    await run('dpkg-deb', ['-x', archive, '.'], options);
    rmSync(join(directory, archive));
  }
}

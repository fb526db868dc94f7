// Installs the dependencies of the workspace with the pinned pnpm, only if something that they depend on has changed. A
// user's machine needs only Node and npm: npx downloads pnpm.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withLock } from './lib/lock.mjs';
import { run } from './lib/run.mjs';
import { cacheDir, Failure, requireNode, root, script } from './lib/workspace.mjs';

/** pnpm 11 crashes on Node 20; this version works there. */
export const PNPM = 'pnpm@12.21.0';

const stampPath = join(cacheDir, 'install.stamp');

/** A hash of what an installation depends on: Node, the platform, the lockfile and the workspace file. */
function wantedStamp() {
  const hash = createHash('sha256').update(`${process.version} ${process.platform} ${process.arch} ${PNPM}\0`);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml'])
    hash.update(readFileSync(join(root, file))).update('\0');
  return hash.digest('hex');
}

function isFresh() {
  return (
    existsSync(join(root, 'node_modules', '.modules.yaml')) &&
    existsSync(stampPath) &&
    readFileSync(stampPath, 'utf8') === wantedStamp()
  );
}

/** Installs missing dependencies. Output goes to standard error; with `quiet` it is shown only on failure. */
export async function install({ quiet = false } = {}) {
  requireNode();
  if (isFresh()) return;
  await withLock('install', async () => {
    if (isFresh()) return;
    if (!quiet) process.stderr.write('Installing dependencies …\n');
    const args = ['--yes', PNPM, 'install', '--frozen-lockfile', '--trust-lockfile', '--prefer-offline'];
    // CI=1, so that pnpm never prompts, no matter who started this script.
    const { code, text } = await run('npx', args, { output: quiet ? 'keep' : 'stderr', env: { CI: '1' } });
    if (code !== 0) {
      process.stderr.write(text);
      throw new Failure(
        `Installing dependencies failed (code ${code}). Is the npm registry reachable? The lines above say more.`,
      );
    }
    writeFileSync(stampPath, wantedStamp());
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await script(() => install());

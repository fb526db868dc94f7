// Paths in the workspace, and the required Node version.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository root. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Scratch directory of the scripts: stamps, locks and reports. It can be deleted at any time. */
export const cacheDir = join(root, '.cache');

/** The path of a dependency's command, installed at the root. */
export const bin = (name) => join(root, 'node_modules', '.bin', name);

/** An error whose message is sufficient: printed without a stack. */
export class Failure extends Error {}

/** Reads and parses a JSON file under the root. */
export const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'));

/** Throws a Failure if Node is older than `engines.node` requires. */
export function requireNode(version = process.versions.node) {
  const needed = readJson('package.json').engines.node.replace('>=', '').split('.').map(Number);
  const [major, minor] = version.split('.').map(Number);
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return;
  throw new Failure(`L4 Desk needs Node ${needed.join('.')} or newer; this is Node ${version}. See https://nodejs.org`);
}

/** The applications of the workspace, with the build settings of their package.json. */
export function apps() {
  return readdirSync(join(root, 'apps'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const manifest = readJson('apps', name, 'package.json');
      return { name, directory: join(root, 'apps', name), manifest };
    });
}

/** Every file under a directory, depth first, sorted. Directories in `skipped` are not entered. */
export function filesUnder(directory, skipped = new Set(['node_modules', 'dist', '.cache', 'test-results'])) {
  const found = [];
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (skipped.has(entry.name)) continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) found.push(...filesUnder(path, skipped));
    else if (entry.isFile()) found.push(path);
  }
  return found.sort();
}

/**
 * Runs a script's body. A `Failure` prints its message and sets exit code 1; an unknown option sets code 2. With `help`,
 * the script's file, `--help` prints the comment at the beginning of that file.
 */
export async function script(body, { help } = {}) {
  try {
    if (help !== undefined && process.argv.includes('--help')) process.stdout.write(headOf(help));
    else await body();
  } catch (error) {
    const isUnknownOption = error?.code?.startsWith('ERR_PARSE_ARGS') === true;
    if (!(error instanceof Failure) && !isUnknownOption) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = isUnknownOption ? 2 : 1;
  }
}

/** The comment at the beginning of a file, as text. */
function headOf(file) {
  const [head] = readFileSync(file, 'utf8').split(/^(?!\/\/)/m, 1);
  return head.replaceAll(/^\/\/ ?/gm, '');
}

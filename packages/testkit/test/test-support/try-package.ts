/**
 * Installs and uses the packages of `npm run pack` outside the workspace. Nothing is downloaded: their dependencies are copied
 * from where they are installed here.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@l4desk/testkit';

/** The root of the workspace, wherever a bundler put this file. */
export const WORKSPACE = workspaceAbove(import.meta.dirname);

function workspaceAbove(directory: string): string {
  return existsSync(join(directory, 'pnpm-workspace.yaml')) ? directory : workspaceAbove(join(directory, '..'));
}

/** Runs a program to its end. Rejects, with its output, if the exit code is not 0. */
export const execute = promisify(execFile);

/** Runs npm without a network, without the settings of the developer or of an npm that runs the tests. */
function npm(cwd: string, home: string, ...args: readonly string[]) {
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    npm_config_offline: 'true',
    npm_config_ignore_scripts: 'true',
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
  };
  return execute('npm', args, { cwd, env });
}

export interface Tried extends AsyncDisposable {
  /** A folder for everything else that a test needs. */
  readonly root: string;
  /** A directory that contains only what npm installed. */
  readonly directory: string;
  /** The folder of the installed package. */
  readonly installed: string;
  /** Its files, relative to that folder. */
  readonly files: readonly string[];
  readonly tarballBytes: number;
  /** How long npm took to install it, without a network. */
  readonly installMs: number;
}

/** Packs a package as `npm run pack` does, and installs it, with packages from the workspace, into an empty directory. */
export async function tryPackage(
  which: 'l4desk' | 'client',
  name: string,
  needs: readonly [part: string, name: string][],
): Promise<Tried> {
  const temporary = await temporaryDirectory();
  const root = temporary.path;
  const [out, directory] = [join(root, 'out'), join(root, 'user')];
  for (const path of [out, directory]) mkdirSync(path);
  const { stdout } = await execute(process.execPath, [join(WORKSPACE, 'scripts', 'pack.mjs'), '--out', out, which]);
  const tarball = join(out, stdout.trim());
  const installedHere = new Set(needs.map(([part, need]) => directoryOf(need, join(WORKSPACE, part)) ?? ''));
  // The set grows while it is iterated.
  for (const path of installedHere) for (const needed of neededBy(path)) installedHere.add(needed);
  // Copies, because pnpm hard-links equal files of a package to each other, and npm cannot pack those.
  const copies = [...installedHere].map((path, index) => {
    const copy = join(out, String(index));
    cpSync(path, copy, { recursive: true });
    return copy;
  });
  const startedAt = performance.now();
  await npm(directory, root, 'install', '--install-links', tarball, ...copies);
  const installMs = performance.now() - startedAt;
  const installed = join(directory, 'node_modules', name);
  return {
    root,
    directory,
    installed,
    files: filesUnder(installed),
    tarballBytes: statSync(tarball).size,
    installMs,
    [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
  };
}

/** Returns where a package finds another one, or undefined if that is not installed, such as a driver for another system. */
function directoryOf(name: string, from: string): string | undefined {
  const places = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
  const found = places.map((place) => join(place, name)).find((place) => existsSync(place));
  return found === undefined ? undefined : realpathSync(found);
}

function neededBy(directory: string): readonly string[] {
  const { dependencies = {}, optionalDependencies = {} } = manifestOf(directory);
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  return names.flatMap((name) => directoryOf(name, directory) ?? []);
}

interface Manifest {
  readonly exports?: Readonly<Record<string, { readonly default: string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The package.json of a directory. */
export function manifestOf(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
}

function filesUnder(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(directory, join(parentPath, name)).split(sep).join('/'))
    .sort();
}

/** Returns packed files that contain a path of this workspace, a key, or a version that only the workspace understands. */
export function leaks({ installed, files }: Tried): readonly string[] {
  const paths = ['apps', 'packages', 'node_modules', 'scripts'].map((part) => join(WORKSPACE, part));
  const secret = /\bl4[ks]_[A-Za-z0-9]{20,}|"(?:workspace|catalog):/;
  return files.filter((file) => {
    const text = readFileSync(join(installed, file), 'latin1');
    return secret.test(text) || paths.some((path) => text.includes(`${path}${sep}`));
  });
}

import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Chance, ScriptedService, temporaryDirectory } from '@l4desk/testkit';
import { Program } from '@l4desk/testkit/stack';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/*
 * The packages of `npm run pack`, installed and used outside of the workspace. Nothing is downloaded: what they depend on
 * is packed from where it is installed here.
 */

const WORKSPACE = join(import.meta.dirname, '..', '..', '..');

const execute = promisify(execFile);

let temporary: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  temporary = await temporaryDirectory();
});
afterAll(() => temporary[Symbol.asyncDispose]());

/** Runs npm without a network, with settings of neither the developer nor an npm that runs the tests. */
function npm(cwd: string, ...args: readonly string[]) {
  const env = {
    PATH: process.env.PATH,
    HOME: temporary.path,
    npm_config_offline: 'true',
    npm_config_ignore_scripts: 'true',
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
  };
  return execute('npm', args, { cwd, env });
}

interface Tried {
  /** An empty directory but for what npm installed. */
  readonly directory: string;
  /** The installed package. */
  readonly installed: string;
  /** Its files, from there on. */
  readonly files: readonly string[];
  readonly tarballBytes: number;
}

/** Makes a package as `npm run pack` does and installs it, with packages of the workspace's, into an empty directory. */
async function tryPackage(which: string, name: string, needs: readonly [part: string, name: string][]): Promise<Tried> {
  const out = join(temporary.path, `${which}-out`);
  const directory = join(temporary.path, which);
  for (const path of [out, directory]) mkdirSync(path);
  const { stdout } = await execute(process.execPath, [join(WORKSPACE, 'scripts', 'pack.mjs'), '--out', out, which]);
  const tarball = join(out, stdout.trim());
  const installedHere = new Set(needs.map(([part, need]) => directoryOf(need, join(WORKSPACE, part)) ?? ''));
  // The set grows while it is walked.
  for (const path of installedHere) for (const needed of neededBy(path)) installedHere.add(needed);
  // Copies: pnpm links equal files of a package to one another, and npm cannot pack those.
  const copies = [...installedHere].map((path, index) => {
    const copy = join(out, String(index));
    cpSync(path, copy, { recursive: true });
    return copy;
  });
  await npm(directory, 'install', '--install-links', tarball, ...copies);
  const installed = join(directory, 'node_modules', name);
  return { directory, installed, files: filesUnder(installed), tarballBytes: statSync(tarball).size };
}

/** Where a package finds another one; undefined where it is not installed, as is a driver for another system. */
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
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function manifestOf(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
}

function filesUnder(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(directory, join(parentPath, name)).split(sep).join('/'))
    .sort();
}

/** Packed files that hold a path of this machine, a key, or a version that only the workspace understands. */
function leaks({ installed, files }: Tried): readonly string[] {
  const paths = [homedir(), ...['apps', 'packages', 'node_modules', 'scripts'].map((part) => join(WORKSPACE, part))];
  const secret = /\bl4[ks]_[A-Za-z0-9]{20,}|"(?:workspace|catalog):/;
  return files.filter((file) => {
    const text = readFileSync(join(installed, file), 'latin1');
    return secret.test(text) || paths.some((path) => text.includes(`${path}${sep}`));
  });
}

describe('the package l4desk', () => {
  let tried: Tried;
  let elsewhere: string;
  beforeAll(async () => {
    tried = await tryPackage('l4desk', 'l4desk', [['apps/bff', 'libsql']]);
    elsewhere = join(temporary.path, 'elsewhere');
    mkdirSync(elsewhere);
  });

  const desk = (...args: readonly string[]) =>
    new Program(join(tried.directory, 'node_modules', '.bin', 'l4desk'), {
      args,
      cwd: elsewhere,
      env: { PORT: '0', VENUE_PORT: '0', VENUE_CONTROL_PORT: '0', VENUE_SIZE: '0.02', VENUE_COINS: 'BTC' },
    });

  it('[OPS-17] holds the built programs and pages, no test, no source and nothing of the machine that made it', () => {
    const [pages, others] = [/^web\/dist\/assets\/[\w.-]+\.(?:css|js|woff2)(?:\.br|\.gz)?$/, [] as string[]];
    for (const file of tried.files) if (!pages.test(file)) others.push(file);
    expect(others).toEqual([
      'LICENSE',
      'README.md',
      'THIRD_PARTY_LICENSES.txt',
      'bff/dist/db-worker.js',
      'bff/dist/l4-worker.js',
      'bff/dist/main.js',
      'bin/l4desk.mjs',
      'cli/dist/main.js',
      'node_modules/swagger-ui-dist/LICENSE',
      'node_modules/swagger-ui-dist/NOTICE',
      'node_modules/swagger-ui-dist/package.json',
      'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
      'node_modules/swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
      'node_modules/swagger-ui-dist/swagger-ui.css',
      'package.json',
      'venue/dist/main.js',
      'web/dist/favicon.svg',
      'web/dist/index.html',
      'web/dist/index.html.br',
      'web/dist/index.html.gz',
      'web/dist/theme.js',
    ]);
    expect(leaks(tried)).toEqual([]);
    expect(tried.tarballBytes).toBeLessThan(5_000_000);
    const licenses = readFileSync(join(tried.installed, 'THIRD_PARTY_LICENSES.txt'), 'utf8');
    for (const name of ['express', 'react', 'zod', '@fontsource-variable/inter', 'commander', 'tar-stream'])
      expect(licenses).toMatch(new RegExp(`^${name} \\d\\S* \\(`, 'm'));
  });

  it('[OPS-17] starts the product in an empty directory, with the command line beside it, and ends with it', async () => {
    await using service = desk();
    const [, url = ''] = await service.printed(/^L4 Desk ready at (\S+)$/);
    const answers = ['/readyz', '/', '/docs/swagger-ui.css'].map((path) => fetch(new URL(path, url)));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await (await fetch(url)).text()).toContain('<meta name="l4desk-command" content="l4desk" />');
    expect(readdirSync(elsewhere)).toEqual(['.data']);
    const { code, stdout } = await desk('accounts', 'list', '--json').ended;
    expect([code, JSON.parse(stdout)]).toEqual([0, [expect.objectContaining({ name: 'demo' })]]);
    expect((await service.stop('SIGTERM')).code).toBe(0);
  });

  it('[OPS-17] runs the exchange alone, and --help names every command', async () => {
    await using venue = desk('venue');
    const [, url = ''] = await venue.printed(/^venue: info (\S+), /);
    const meta = await fetch(url, { method: 'POST', body: '{"type":"meta"}', headers: JSON_BODY });
    expect(await meta.json()).toMatchObject({
      universe: expect.arrayContaining([expect.objectContaining({ name: 'BTC' })]),
    });
    expect((await venue.stop('SIGTERM')).code).toBe(0);
    const { code, stdout } = await desk('--help').ended;
    expect(code).toBe(0);
    for (const command of ['start', 'venue', 'accounts', 'keys', 'usage', 'tail', 'verify'])
      expect(stdout).toMatch(new RegExp(`^  (?:l4desk )?${command} `, 'm'));
    const settings = (await desk('start', '--help').ended).stdout;
    expect(settings).toMatch(/^ {2}DATA_DIR$/m);
    expect(settings).toMatch(/: l4desk venue --help\n$/);
    expect((await desk('venue', '--help').ended).stdout).toContain('VENUE_SEED');
  });
});

const JSON_BODY = { 'Content-Type': 'application/json' };

/** What a user's compiler is told; libraries are checked too, for ours is one. */
const USER_TSCONFIG = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    skipLibCheck: false,
    noEmitOnError: true,
    types: ['node'],
    outDir: 'built',
  },
  include: ['*.ts'],
};

/** Types that have come through: a call that fits and two that do not. */
const TYPED = `
import { createClient, openOrders } from '@l4desk/client';
const client = createClient({ baseUrl: 'http://127.0.0.1:1' });
export async function prices(): Promise<string[]> {
  const orders = await openOrders(client, { user: '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5' });
  // @ts-expect-error: a price is a decimal string
  orders.map(({ limitPx }) => limitPx satisfies number);
  return orders.map(({ limitPx }) => limitPx);
}
// @ts-expect-error: a wallet begins with 0x
export const wrong = () => openOrders(client, { user: 'somebody' });
`;

describe('the package @l4desk/client', () => {
  let tried: Tried;
  beforeAll(async () => {
    tried = await tryPackage('client', '@l4desk/client', [
      ['packages/protocol', 'zod'],
      ['packages/decimal', 'decimal.js'],
      ['packages/client', 'ws'],
      ['packages/client', '@types/ws'],
    ]);
  });

  it('[OPS-18] holds every module with its types, README, API reference and examples, and nothing of the workspace', () => {
    const { files, installed } = tried;
    const modules = files.filter((file) => file.startsWith('dist/'));
    const examples = readdirSync(join(WORKSPACE, 'packages', 'client', 'examples')).filter(
      (name) => !name.includes('.test.'),
    );
    expect(files.filter((file) => !file.startsWith('dist/'))).toEqual([
      'API.md',
      'LICENSE',
      'README.md',
      ...examples.map((name) => `examples/${name}`),
      'package.json',
    ]);
    const withoutEnding = modules.map((file) => file.replace(/\.(?:js|d\.ts)$/, ''));
    expect(modules).toEqual([...new Set(withoutEnding)].flatMap((module) => [`${module}.d.ts`, `${module}.js`]));
    expect(files.filter((file) => /\.(?:test|bench)\.|test-support/.test(file))).toEqual([]);
    expect(leaks(tried)).toEqual([]);
    expect(tried.tarballBytes).toBeLessThan(300_000);

    const declared = Object.keys(manifestOf(installed).dependencies ?? {});
    expect(declared.sort()).toEqual(['decimal.js', 'zod']);
    for (const file of modules) {
      const text = readFileSync(join(installed, file), 'utf8');
      for (const [, specifier = ''] of text.matchAll(/\b(?:from |import |import\()['"]([^'"\s]+)['"]/g)) {
        const isPacked = existsSync(resolve(installed, dirname(file), specifier));
        expect(isPacked || declared.includes(specifier), `${specifier} in ${file}`).toBe(true);
      }
    }
  });

  it('[OPS-18] describes everything that it exports', async () => {
    const reference = readFileSync(join(tried.installed, 'API.md'), 'utf8');
    const { default: entry } = (manifestOf(tried.installed) as { exports: Record<string, { default: string }> })
      .exports['.'] ?? { default: '' };
    const exported = Object.keys((await import(pathToFileURL(join(tried.installed, entry)).href)) as object);
    expect(exported).toContain('follow');
    for (const name of [...exported, 'Follower', 'BookStatus'])
      expect(reference).toMatch(new RegExp(`^### ${name}\n\n[^#\`][^]*?\`\`\`ts\n`, 'm'));
  });

  it('[OPS-18] gives a page what it imports and no more', async () => {
    const { metafile } = await build({
      absWorkingDir: tried.directory,
      stdin: { contents: "export { createClient, openOrders } from '@l4desk/client';", resolveDir: tried.directory },
      bundle: true,
      format: 'esm',
      metafile: true,
      write: false,
    });
    const carried = Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    );
    const kinds = carried.filter((path) => /\/dist\/(?:book|insight|client\/(?:info|follow))\//.test(path));
    expect(kinds).toEqual(['node_modules/@l4desk/client/dist/client/info/openOrders.js']);
  });

  it('[OPS-18] type-checks in a program of its own, which follows a book', async () => {
    const { directory, installed } = tried;
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(USER_TSCONFIG));
    writeFileSync(join(directory, 'typed.ts'), TYPED);
    writeFileSync(join(directory, 'follow.ts'), readFileSync(join(installed, 'examples', 'follow.ts')));
    const tsc = join(WORKSPACE, 'node_modules', '.bin', 'tsc');
    // Rejects with what the compiler says.
    await execute(tsc, ['-p', directory]);

    await using service = await ScriptedService.start({ coins: ['BTC', 'ETH'], chance: new Chance(8) });
    await using program = new Program(join(directory, 'built', 'follow.js'), {
      cwd: directory,
      env: { L4DESK_URL: service.url, L4DESK_KEY: 'l4k_key' },
    });
    for (const coin of ['BTC', 'ETH']) await program.printed(new RegExp(`^${coin} live`));
    for (let block = 0; block < 3; block += 1) service.block(['BTC']);
    await program.printed(/^3 blocks$/);
    expect((await program.ended).code).toBe(0);
  });
});

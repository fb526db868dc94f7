import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Program } from '@l4desk/testkit/stack';
import { beforeAll, describe, expect, it } from 'vitest';
import { leaks, type Tried, tryPackage } from './test-support/try-package.ts';

const JSON_BODY = { 'Content-Type': 'application/json' };

describe('the package l4desk', () => {
  let tried: Tried;
  let elsewhere: string;
  beforeAll(async () => {
    tried = await tryPackage('l4desk', 'l4desk', [['apps/bff', 'libsql']]);
    elsewhere = join(tried.root, 'elsewhere');
    mkdirSync(elsewhere);
    return () => tried[Symbol.asyncDispose]();
  });

  const rig = (...args: readonly string[]) =>
    new Program(join(tried.directory, 'node_modules', '.bin', 'l4desk'), {
      args,
      cwd: elsewhere,
      env: { PORT: '0', VENUE_PORT: '0', VENUE_CONTROL_PORT: '0', VENUE_SIZE: '0.02', VENUE_COINS: 'BTC' },
    });

  it('contains the built programs and pages, but no test, no source and no trace of the build machine', () => {
    // These are named by their content.
    const hashed =
      /^web\/dist\/(?:assets\/[\w.-]+\.(?:css|js|woff2)|index\.html)(?:\.br|\.gz)?$|^(?:bff|cli)\/dist\/chunks\/[\w-]+\.js$/;
    expect(tried.files.filter((file) => !hashed.test(file))).toEqual([
      'LICENSE',
      'README.md',
      'THIRD_PARTY_LICENSES.txt',
      'bff/dist/db-worker.js',
      'bff/dist/l4-gateway-worker.js',
      'bff/dist/l4-node-worker.js',
      'bff/dist/l4-worker.js',
      'bff/dist/main.js',
      'bff/dist/recorder.js',
      'bff/dist/spool-worker.js',
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
      'web/dist/theme.js',
    ]);
    expect(leaks(tried)).toEqual([]);
    expect(tried.tarballBytes).toBeLessThan(6_500_000);
    const licenses = readFileSync(join(tried.installed, 'THIRD_PARTY_LICENSES.txt'), 'utf8');
    for (const name of ['express', 'react', 'zod', '@fontsource-variable/inter', 'commander', 'tar-stream'])
      expect(licenses).toMatch(new RegExp(`^${name} \\d\\S* \\(`, 'm'));
  });

  it('keeps the clients of PostgreSQL, NATS and tracing out of what the embedded default loads', () => {
    const dist = join(tried.installed, 'bff', 'dist');
    const programs = ['main', 'db-worker', 'l4-worker', 'recorder'];
    const loaded = programs.flatMap((name) => staticModules(join(dist, `${name}.js`)));
    // Shows that chunks were followed.
    expect(loaded.length).toBeGreaterThan(programs.length);
    const chunks = readdirSync(join(dist, 'chunks')).map((file) => join(dist, 'chunks', file));
    const holding = (text: string, files: readonly string[]) =>
      files.filter((file) => readFileSync(file, 'utf8').includes(text));
    // A text in each client that no other package has.
    for (const text of ['SASLInitialResponse', 'NATS/1.0']) {
      expect(holding(text, chunks)).not.toEqual([]);
      expect(holding(text, loaded)).toEqual([]);
    }
  });

  it('starts the product in an empty directory, with the command line next to it, and ends with it', async () => {
    await using service = rig();
    const [, url = ''] = await service.printed(/^L4 Desk ready at (\S+)$/);
    const responses = ['/readyz', '/', '/docs/swagger-ui.css'].map((path) => fetch(new URL(path, url)));
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await (await fetch(url)).text()).toContain('<meta name="l4desk-command" content="l4desk" />');
    expect(readdirSync(elsewhere)).toEqual(['.data']);
    const { code, stdout } = await rig('accounts', 'list', '--json').ended;
    expect([code, JSON.parse(stdout)]).toEqual([0, [expect.objectContaining({ name: 'demo' })]]);
    expect((await service.stop('SIGTERM')).code).toBe(0);
  });

  it('runs the exchange alone, --version prints the version of the package, and --help lists every command', async () => {
    await using venue = rig('venue');
    const [, url = ''] = await venue.printed(/^venue: info (\S+), /);
    const meta = await fetch(url, { method: 'POST', body: '{"type":"meta"}', headers: JSON_BODY });
    expect(await meta.json()).toMatchObject({
      universe: expect.arrayContaining([expect.objectContaining({ name: 'BTC' })]),
    });
    expect((await venue.stop('SIGTERM')).code).toBe(0);
    const { version } = JSON.parse(readFileSync(join(tried.installed, 'package.json'), 'utf8'));
    expect(await rig('--version').ended).toMatchObject({ code: 0, stdout: `${version}\n` });
    const { code, stdout } = await rig('--help').ended;
    expect(code).toBe(0);
    for (const command of ['start', 'venue', 'accounts', 'keys', 'usage', 'tail', 'verify', 'queue', 'owners', 'sweep'])
      expect(stdout).toMatch(new RegExp(`^  (?:l4desk )?${command} `, 'm'));
    const settings = (await rig('start', '--help').ended).stdout;
    expect(settings).toMatch(/^ {2}DATA_DIR$/m);
    expect(settings).toMatch(/: l4desk venue --help\n$/);
    expect((await rig('venue', '--help').ended).stdout).toContain('VENUE_SEED');
  });

  it('reads .env of the working directory, and names its own help', async () => {
    writeFileSync(join(elsewhere, '.env'), 'LOG_LEVEL=loud\n');
    const { code, stderr } = await rig('start').ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(/LOG_LEVEL must be .*\nAll settings: l4desk start --help\n$/);
  });
});

/** Returns a built program and every file that it imports statically. */
function staticModules(path: string, found = new Set<string>()): readonly string[] {
  if (found.has(path)) return [];
  found.add(path);
  const code = readFileSync(path, 'utf8');
  for (const [, file = ''] of code.matchAll(/^(?:\} from|import) "(\.[^"]+\.js)";$/gm))
    staticModules(join(dirname(path), file), found);
  return [...found];
}

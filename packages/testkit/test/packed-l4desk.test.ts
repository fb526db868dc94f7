import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NatsServer } from '@l4desk/testkit/nats';
import { postgresDatabase } from '@l4desk/testkit/postgres';
import { freePort, Program } from '@l4desk/testkit/stack';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Compose, deploy, filled } from './test-support/deploy-files.ts';
import { treeOf } from './test-support/tree.ts';
import { execute, leaks, type Tried, tryPackage, WORKSPACE } from './test-support/try-package.ts';

const JSON_BODY = { 'Content-Type': 'application/json' };

let tried: Tried;
beforeAll(async () => {
  tried = await tryPackage('l4desk', 'l4desk', [['apps/bff', 'libsql']]);
  return () => tried[Symbol.asyncDispose]();
});

describe('the package l4desk', () => {
  let elsewhere: string;
  beforeAll(() => {
    elsewhere = join(tried.root, 'elsewhere');
    mkdirSync(elsewhere);
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

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** The instructions of a Dockerfile, stage by stage. */
function stagesOf(text: string): readonly (readonly Instruction[])[] {
  const stages: Instruction[][] = [];
  for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const [, name = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, rest });
  }
  return stages;
}

const AS_USER = join(import.meta.dirname, 'test-support', 'as-user.mjs');
/** A user for compose.yaml's NODE_UID and NODE_GID that the image does not have. */
const [UID, GID] = [12_345, 12_345];

const KNOWN = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT'];

describe('the image', () => {
  const stages = stagesOf(deploy('Dockerfile'));
  const [, image = []] = stages;
  const only = (name: string) => image.filter((one) => one.name === name).map(({ rest }) => rest);
  const commandOf = (text: string) => JSON.parse(text.slice(text.indexOf('['))) as readonly string[];

  /** A path of the image, mapped to the directory that replaces `/app` or `/data`. */
  const here = (path: string) =>
    path.replace(/^\/app(?=\/|$)/, tried.directory).replace(/^\/data(?=\/|$)/, join(tried.root, 'data'));

  it('has a build stage that packs, and an image that is small, runs without root and has a health check', () => {
    expect(stages.flat().filter(({ name }) => !KNOWN.includes(name))).toEqual([]);
    expect(stages).toHaveLength(2);
    const [build = []] = stages;
    const scripts = build.flatMap(({ name, rest }) => (name === 'RUN' ? [/^node (\S+)/.exec(rest)?.[1] ?? ''] : []));
    for (const script of scripts.filter(Boolean)) expect(existsSync(join(WORKSPACE, script))).toBe(true);
    const { version } = JSON.parse(readFileSync(join(WORKSPACE, 'package.json'), 'utf8')) as {
      readonly version: string;
    };
    expect(build.map(({ rest }) => rest).join('\n')).toContain(`/out/l4desk-${version}.tgz`);
    for (const stage of stages) expect(stage[0]?.rest).toMatch(/^node:20\.20\.2-bookworm-slim( AS build)?$/);
    expect(only('USER')).toEqual(['node']);
    for (const copy of only('COPY').filter((rest) => !rest.startsWith('--from')))
      for (const source of copy.split(' ').slice(0, -1)) expect(existsSync(join(WORKSPACE, source))).toBe(true);
    const ignored = deploy('Dockerfile.dockerignore').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', '.env', '.data', '**/node_modules']));
  });

  /** Copies to `/app` what the image copies from the repository. */
  function copyFiles(): void {
    for (const copy of only('COPY').filter((rest) => !rest.startsWith('--from'))) {
      const words = copy.split(' ');
      mkdirSync(here(words.at(-1) ?? ''), { recursive: true });
      for (const source of words.slice(0, -1)) {
        const name = source.split('/').at(-1) ?? '';
        writeFileSync(join(here(words.at(-1) ?? ''), name), readFileSync(join(WORKSPACE, source)));
      }
    }
  }

  /** Creates a volume in its initial state: a copy of the image's `/data`, with the mode and group of its instruction. */
  function makeVolume(path: string): void {
    const install = only('RUN').flatMap((rest) => /^install -d -m (0\d{3}) -o node -g 0 \/data$/.exec(rest) ?? []);
    const mode = Number.parseInt(install[1] ?? '', 8);
    // The group may write. Others may not even list it.
    expect(mode).toBe(0o770);
    mkdirSync(path);
    chmodSync(path, mode);
    // The id of the image's user `node`.
    if (process.getuid?.() === 0) chownSync(path, 1000, 0);
  }

  const environment = () =>
    Object.fromEntries(only('ENV').flatMap((rest) => rest.split(' ').map((pair) => pair.split('='))));
  const entrypoint = () => commandOf(only('ENTRYPOINT')[0] ?? '').map(here);

  it('starts as any user of compose.yaml in an empty directory with only what it copies, writes only to its volume, and its health check reports its state', async () => {
    copyFiles();
    const data = here('/data');
    makeVolume(data);
    // By default, only root may enter a temporary directory.
    chmodSync(tried.root, 0o755);
    const port = String(await freePort());
    const env: Readonly<Record<string, string>> = environment();
    // A demo on loopback instead of a node. Everything else is as in the image.
    const own = { ...env, DATA_DIR: here(env.DATA_DIR ?? ''), PORT: port, HOST: '127.0.0.1', VENUE_SIZE: '0.02' };
    const [entry = '', program = ''] = entrypoint();
    const health = commandOf(only('HEALTHCHECK')[0] ?? '').map(here);
    expect([entry, health[0]]).toEqual(['node', 'node']);
    const check = () => execute(process.execPath, health.slice(1), { env: { PORT: port } });
    await expect(check()).rejects.toMatchObject({ code: 1 });
    const { group_add: groups = [] } = (parse(deploy('compose.yaml')) as Compose).services.l4desk ?? {};
    const before = treeOf(tried.root, [data]);
    const run = (group: string) =>
      new Program(AS_USER, {
        args: [String(UID), String(GID), group, program],
        env: { ...own, VENUE_PORT: '0', VENUE_CONTROL_PORT: '0', VENUE_COINS: 'BTC' },
        cwd: process.getuid?.() === 0 ? '/' : here(only('WORKDIR')[0] ?? ''),
      });
    await using service = run(groups[0] ?? String(GID));
    await service.printed(/^L4 Desk ready at/);
    await check();
    expect((await service.stop()).code).toBe(0);
    await expect(check()).rejects.toMatchObject({ code: 1 });
    expect(existsSync(join(data, 'l4desk.db'))).toBe(true);
    expect(treeOf(tried.root, [data])).toEqual(before);
    if (process.getuid?.() !== 0) return;
    // A user who is not in the group must not access the volume.
    const refused = await run(String(GID)).ended;
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('cannot be written')]);
  });

  it('runs as the sequencer and the gateway of cluster.yaml, each with a volume of its own', async () => {
    const { services } = parse(deploy('cluster.yaml'), { merge: true }) as Compose;
    const [, program = ''] = entrypoint();
    await using nats = await NatsServer.start();
    const directory = (name: string) => join(tried.root, name);
    for (const name of ['venue', 'sequencer-1', 'gateway-1']) mkdirSync(directory(name));
    await using venue = new Program(program, {
      args: ['venue'],
      env: { VENUE_PORT: '0', VENUE_CONTROL_PORT: '0', VENUE_SIZE: '0.02', VENUE_COINS: 'BTC' },
      cwd: directory('venue'),
    });
    const [, UPSTREAM_INFO_URL = '', UPSTREAM_L4_URL = ''] = await venue.printed(
      /^venue: info (\S+), l4Book (\S+), control /,
    );
    const replaced: Readonly<Record<string, string>> = {
      NATS_URL: nats.url,
      DATABASE_URL: await postgresDatabase(),
      UPSTREAM_INFO_URL,
      UPSTREAM_L4_URL,
      // More than one sequencer and gateway on this machine.
      PORT: '0',
    };
    const before = treeOf(tried.directory);
    const run = (name: string) => {
      const own = Object.entries(services[name]?.environment ?? {}).map(([variable, text]) => [
        variable,
        replaced[variable] ?? filled(text),
      ]);
      return new Program(program, {
        env: { ...environment(), ...Object.fromEntries(own), DATA_DIR: directory(name) },
        cwd: directory(name),
      });
    };
    await using sequencer = run('sequencer-1');
    await using gateway = run('gateway-1');
    await sequencer.printed(/^L4 Desk sequencer ready at/);
    await gateway.printed(/^L4 Desk ready at/);
    expect((await gateway.stop()).code).toBe(0);
    expect((await sequencer.stop()).code).toBe(0);
    expect(treeOf(tried.directory)).toEqual(before);
  });
});

import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NatsServer } from '@l4desk/testkit/nats';
import { postgresDatabase } from '@l4desk/testkit/postgres';
import { settingsOf } from '@l4desk/testkit/service';
import { freePort, Program } from '@l4desk/testkit/stack';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Compose, deploy, filled } from './test-support/deploy-files.ts';
import { treeOf } from './test-support/tree.ts';
import { type Tried, tryPackage, WORKSPACE } from './test-support/try-package.ts';

const execute = promisify(execFile);

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
  let tried: Tried;
  beforeAll(async () => {
    tried = await tryPackage('l4desk', 'l4desk', [['apps/bff', 'libsql']]);
    return () => tried[Symbol.asyncDispose]();
  });

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

  it('is run by compose.yaml with a read-only root next to the files of a node', () => {
    const { services, volumes } = parse(deploy('compose.yaml')) as Compose;
    expect(Object.keys(services)).toEqual(['l4desk', 'prune-node-files']);
    for (const [name, service] of Object.entries(services)) {
      expect([name, service.read_only, service.cap_drop]).toEqual([name, true, ['ALL']]);
      expect(service.image).toBe(services.l4desk?.image);
      for (const volume of service.volumes) {
        const [source = ''] = filled(volume).split(':');
        expect(source.startsWith('/') || Object.hasOwn(volumes, source)).toBe(true);
      }
    }
    const dockerfile = join(
      WORKSPACE,
      'deploy',
      services.l4desk?.build?.context ?? '',
      services.l4desk?.build?.dockerfile ?? '',
    );
    expect(readFileSync(dockerfile, 'utf8')).toBe(deploy('Dockerfile'));
    const variables = Object.entries(services.l4desk?.environment ?? {}).map(([name, text]) => [name, filled(text)]);
    expect(settingsOf(Object.fromEntries(variables))).toMatchObject({ NODE_DATA_DIR: expect.any(String), PORT: 4400 });
    const [program, script = ''] = services['prune-node-files']?.entrypoint ?? [];
    expect([program, existsSync(join(WORKSPACE, script.replace('/app/', '')))]).toEqual(['node', true]);
  });
});

describe('the compose files', () => {
  it('let the gateways share the request weight of one address', () => {
    const { services } = parse(deploy('cluster.yaml'), { merge: true }) as Compose;
    const weights = ['gateway-1', 'gateway-2'].map((name) =>
      Number(filled(services[name]?.environment.UPSTREAM_WEIGHT_PER_MINUTE ?? '')),
    );
    expect(weights[0]).toBeGreaterThan(0);
    expect(weights.reduce((sum, weight) => sum + weight)).toBeLessThanOrEqual(
      settingsOf({}).UPSTREAM_WEIGHT_PER_MINUTE,
    );
  });
});

describe('the cluster', () => {
  const { services, volumes } = parse(deploy('cluster.yaml'), { merge: true }) as Compose;
  const ours = Object.entries(services).filter(([, { image }]) => image === 'l4desk:0.1.0');

  it('in cluster.yaml runs this image as two sequencers and two gateways with a read-only root and valid settings', () => {
    expect(Object.keys(services)).toEqual([
      'postgres',
      'nats',
      'sequencer-1',
      'sequencer-2',
      'gateway-1',
      'gateway-2',
      'balancer',
    ]);
    const roles = ours.map(([name, { environment, read_only, cap_drop, volumes: mounts }]) => {
      const variables = Object.entries(environment).map(([variable, text]) => [variable, filled(text)]);
      const settings = settingsOf(Object.fromEntries(variables));
      expect([name, read_only, cap_drop, settings.PORT, settings.HOST]).toEqual([name, true, ['ALL'], 4400, '0.0.0.0']);
      // The spools of gateways must not be shared.
      expect(mounts).toEqual([`${name}:/data`]);
      expect(Object.hasOwn(volumes, name)).toBe(true);
      for (const url of [settings.NATS_URL, settings.DATABASE_URL])
        expect(url === undefined || Object.hasOwn(services, new URL(url).hostname)).toBe(true);
      return settings.ROLE;
    });
    expect(roles).toEqual(['sequencer', 'sequencer', 'gateway', 'gateway']);
    const [builder] = ours.flatMap(([, { build }]) => build ?? []);
    const dockerfile = join(WORKSPACE, 'deploy', builder?.context ?? '', builder?.dockerfile ?? '');
    expect(readFileSync(dockerfile, 'utf8')).toBe(deploy('Dockerfile'));
    expect(services.nats?.command).toContain('--jetstream');
  });

  it('has a load balancer that knows every gateway and checks whether it is ready', () => {
    const lines = deploy('haproxy.cfg')
      .split('\n')
      .map((line) => line.trim());
    const servers = lines.flatMap((line) => /^server (\S+) (\S+):4400$/.exec(line)?.slice(1) ?? []);
    expect(servers).toEqual(['gateway-1', 'gateway-1', 'gateway-2', 'gateway-2']);
    expect(lines).toContain('option httpchk GET /readyz');
    expect(services.balancer?.volumes[0]).toMatch(/^\.\/haproxy\.cfg:/);
    // There is one proxy in front, which adds the client's address.
    expect(lines).toContain('option forwardfor');
    for (const [name, { environment }] of ours)
      expect(filled(environment.TRUST_PROXY ?? '')).toBe(name.startsWith('gateway') ? '1' : '');
  });

  it('has valid settings for systemd', () => {
    const lines = deploy('systemd/l4desk-gateway.env').split('\n');
    const variables = lines.flatMap((line) => {
      const [, name = '', value = ''] = /^([A-Z_0-9]+)=(.*)$/.exec(line) ?? [];
      return name === '' ? [] : [[name, value]];
    });
    expect(settingsOf(Object.fromEntries(variables))).toMatchObject({ ROLE: 'gateway', TRUST_PROXY: 1 });
  });
});

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@l4desk/testkit';
import { settingsOf } from '@l4desk/testkit/service';
import { freePort, Program, Stack } from '@l4desk/testkit/stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Tried, tryPackage, WORKSPACE } from './test-support/try-package.ts';

const execute = promisify(execFile);
const deploy = (path: string) => readFileSync(join(WORKSPACE, 'deploy', path), 'utf8');

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

  /** A path of the image, in the directory that stands for `/app`, or for `/data`. */
  const here = (path: string) =>
    path.replace(/^\/app(?=\/|$)/, tried.directory).replace(/^\/data(?=\/|$)/, join(tried.root, 'data'));

  it('[DEP-1] has a build stage that packs and an image that is small, without root, and knows its health', () => {
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

  it('[DEP-1] starts from an empty directory with only what it copies, writes to its volume alone, and its health check tells', async () => {
    const data = here('/data');
    mkdirSync(data);
    for (const copy of only('COPY').filter((rest) => !rest.startsWith('--from'))) {
      const words = copy.split(' ');
      mkdirSync(here(words.at(-1) ?? ''), { recursive: true });
      for (const source of words.slice(0, -1)) {
        const name = source.split('/').at(-1) ?? '';
        writeFileSync(join(here(words.at(-1) ?? ''), name), readFileSync(join(WORKSPACE, source)));
      }
    }
    const port = String(await freePort());
    const env = Object.fromEntries(only('ENV').flatMap((rest) => rest.split(' ').map((pair) => pair.split('='))));
    // A demo on loopback in place of a node; the rest is as in the image.
    const own = { ...env, DATA_DIR: here(String(env.DATA_DIR)), PORT: port, HOST: '127.0.0.1', VENUE_SIZE: '0.02' };
    const [entry = '', ...args] = commandOf(only('ENTRYPOINT')[0] ?? '').map(here);
    const health = commandOf(only('HEALTHCHECK')[0] ?? '').map(here);
    expect([entry, health[0]]).toEqual(['node', 'node']);
    const check = () => execute(process.execPath, health.slice(1), { env: { PORT: port } });
    await expect(check()).rejects.toMatchObject({ code: 1 });
    const before = statSync(tried.directory).mtimeMs;
    await using service = new Program(args[0] ?? '', {
      env: { ...own, VENUE_PORT: '0', VENUE_CONTROL_PORT: '0', VENUE_COINS: 'BTC' },
      cwd: here(only('WORKDIR')[0] ?? ''),
    });
    await service.printed(/^L4 Desk ready at/);
    await check();
    expect((await service.stop()).code).toBe(0);
    await expect(check()).rejects.toMatchObject({ code: 1 });
    expect(existsSync(join(data, 'l4desk.db'))).toBe(true);
    expect(statSync(tried.directory).mtimeMs).toBe(before);
  });

  it('[DEP-2] compose.yaml runs this image with a read-only root beside the files of a node', () => {
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
    expect(settingsOf(Object.fromEntries(variables))).toMatchObject({ L4_SOURCE: 'node', PORT: 4400 });
    const [program, script = ''] = services['prune-node-files']?.entrypoint ?? [];
    expect([program, existsSync(join(WORKSPACE, script.replace('/app/', '')))]).toEqual(['node', true]);
  });
});

describe('the cluster', () => {
  const { services, volumes } = parse(deploy('cluster.yaml'), { merge: true }) as Compose;
  const ours = Object.entries(services).filter(([, { image }]) => image === 'l4desk:0.1.0');

  it('[CL-14] cluster.yaml runs this image as two sequencers and two gateways with a read-only root and settings that are accepted', () => {
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
      // Charges that wait in one gateway's spool are no other's.
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

  it('[CL-14] the load balancer knows every gateway and asks whether it is ready', () => {
    const lines = deploy('haproxy.cfg')
      .split('\n')
      .map((line) => line.trim());
    const servers = lines.flatMap((line) => /^server (\S+) (\S+):4400$/.exec(line)?.slice(1) ?? []);
    expect(servers).toEqual(['gateway-1', 'gateway-1', 'gateway-2', 'gateway-2']);
    expect(lines).toContain('option httpchk GET /readyz');
    expect(services.balancer?.volumes[0]).toMatch(/^\.\/haproxy\.cfg:/);
    // One proxy in front: the one that writes the client's address.
    expect(lines).toContain('option forwardfor');
    for (const [name, { environment }] of ours)
      expect(environment.TRUST_PROXY).toBe(name.startsWith('gateway') ? '1' : undefined);
  });

  it('[CL-14] the settings for systemd are accepted', () => {
    const lines = deploy('systemd/l4desk-gateway.env').split('\n');
    const variables = lines.flatMap((line) => {
      const [, name = '', value = ''] = /^([A-Z_0-9]+)=(.*)$/.exec(line) ?? [];
      return name === '' ? [] : [[name, value]];
    });
    expect(settingsOf(Object.fromEntries(variables))).toMatchObject({ ROLE: 'gateway', TRUST_PROXY: 1 });
  });
});

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image: string;
        readonly build?: { readonly context: string; readonly dockerfile: string };
        readonly entrypoint?: readonly string[];
        readonly command?: readonly string[];
        readonly environment: Readonly<Record<string, string>>;
        readonly volumes: readonly string[];
        readonly read_only: boolean;
        readonly cap_drop: readonly string[];
      }
    >
  >;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** A text with the defaults of its variables. */
function filled(text: string): string {
  return text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');
}

describe('the pruner', () => {
  it('[DEP-3] removes files of a node that are older than KEEP_HOURS, and nothing else', async () => {
    await using directory = await temporaryDirectory();
    const root = directory.path;
    const put = (path: string) => {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), '');
      // The names tell the age, not the files' own times.
      utimesSync(join(root, path), new Date(0), new Date(0));
    };
    const name = (hoursAgo: number) => {
      const at = new Date(Date.now() - hoursAgo * 3_600_000);
      return `${at.toISOString().slice(0, 10).replaceAll('-', '')}/${at.getUTCHours()}`;
    };
    const kinds = ['node_raw_book_diffs_by_block', 'node_order_statuses_streaming', 'node_fills_by_block'];
    for (const kind of kinds) for (const hours of [0, 2, 4, 60]) put(`${kind}/hourly/${name(hours)}`);
    const others = [
      'periodic_abci_states/20200101/1',
      'node_fills_by_block/hourly/20200101/notes',
      'visor_child_stderr/0',
    ];
    for (const path of others) put(path);
    const script = join(WORKSPACE, 'deploy', 'prune-node-files.mjs');
    const run = (env: Readonly<Record<string, string>>) => execute(process.execPath, [script, '--once'], { env });
    const { stdout } = await run({ NODE_DATA_DIR: root, KEEP_HOURS: '3' });
    expect(stdout.trim().split('\n')).toHaveLength(6);
    for (const kind of kinds) {
      for (const hours of [0, 2]) expect(existsSync(join(root, kind, 'hourly', name(hours)))).toBe(true);
      for (const hours of [4, 60]) expect(existsSync(join(root, kind, 'hourly', name(hours)))).toBe(false);
      expect(existsSync(join(root, kind, 'hourly', name(60), '..'))).toBe(false);
    }
    for (const path of others) expect(existsSync(join(root, path))).toBe(true);
    await expect(run({})).rejects.toMatchObject({ code: 2 });
    await expect(run({ NODE_DATA_DIR: root, KEEP_HOURS: '0' })).rejects.toMatchObject({ code: 2 });
  });
});

describe('the systemd units', () => {
  it('[DEP-4] have sections, directives and programs that exist', () => {
    for (const unit of ['l4desk.service', 'l4desk-prune.service', 'l4desk-prune.timer']) {
      const lines = deploy(`systemd/${unit}`)
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'));
      for (const line of lines) expect(line).toMatch(/^(\[(Unit|Service|Timer|Install)\]|[A-Z][A-Za-z]+=.*)$/);
      const commands = lines.flatMap((line) => /^ExecStart=(.+)$/.exec(line)?.[1] ?? []);
      for (const command of commands)
        expect(command).toMatch(/^\/usr\/bin\/(l4desk$|node \/usr\/lib\/l4desk\/prune-node-files\.mjs --once$)/);
    }
  });
});

describe('monitoring', () => {
  let metrics: string;
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({ env: { VENUE_SIZE: '0.02', VENUE_COINS: 'BTC' } });
    metrics = await (await fetch(`${stack.url}/metrics`)).text();
  });
  afterAll(async () => stack[Symbol.asyncDispose]());

  /** The series that an expression of Prometheus names, with what it asks of their labels. */
  function seriesOf(expression: string) {
    const found = [...expression.matchAll(/\b((?:l4desk|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
    return found.map(([, name = '', labels = '']) => ({
      name,
      labels: [...labels.matchAll(/(\w+)(=~|=)"([^"]*)"/g)].map(([, label = '', operator, value = '']) => ({
        label,
        values: operator === '=~' ? value.split('|') : [value],
      })),
    }));
  }

  function missing(expression: string): readonly string[] {
    return seriesOf(expression).flatMap(({ name, labels }) => {
      const base = name.replace(/_(bucket|sum|count)$/, '');
      if (!new RegExp(`^# TYPE (${name}|${base}) `, 'm').test(metrics)) return [name];
      return labels.flatMap(({ label, values }) =>
        // A status is there once a response had it.
        values.filter((value) => label !== 'status' && !metrics.includes(`${label}="${value}"`)),
      );
    });
  }

  it('[DEP-5] every alert asks for metrics and labels that a running service has', () => {
    const { groups } = parse(deploy('prometheus/alerts.yaml')) as {
      readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(10);
    expect(rules.filter(({ expr }) => missing(expr).length > 0)).toEqual([]);
    expect(rules.filter(({ expr }) => seriesOf(expr).length === 0).map(({ alert }) => alert)).toEqual(['L4DeskDown']);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  it('[DEP-5] every panel of the dashboard asks for metrics and labels that a running service has', () => {
    const { panels } = JSON.parse(deploy('grafana/l4desk.json')) as {
      readonly panels: readonly {
        readonly id: number;
        readonly title: string;
        readonly targets: readonly { readonly expr: string }[];
      }[];
    };
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThanOrEqual(panels.length);
    expect(expressions.filter((expr) => seriesOf(expr).length === 0 || missing(expr).length > 0)).toEqual([]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  it('[DEP-5] a metric that is not there is found missing', () => {
    expect(missing('rate(l4desk_no_such_total[1m])')).toEqual(['l4desk_no_such_total']);
    expect(missing('l4desk_feed_coins{state="asleep"}')).toEqual(['asleep']);
  });

  it('[DEP-6] every metric of the service is explained in the documentation', () => {
    const documented = readFileSync(join(WORKSPACE, 'docs', 'operating.md'), 'utf8');
    const names = [...metrics.matchAll(/^# TYPE (l4desk_\w+) /gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !documented.includes(`\n| \`${name}\` |`))).toEqual([]);
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsOf } from '@l4desk/testkit/service';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Compose, deploy, filled } from './test-support/deploy-files.ts';
import { WORKSPACE } from './test-support/try-package.ts';

describe('the compose files', () => {
  it('run the image with a read-only root next to the files of a node', () => {
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

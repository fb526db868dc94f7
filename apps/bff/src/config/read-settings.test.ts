import type { Variables } from '@l4desk/runtime/node';
import { settingsOf } from '@l4desk/testkit/service';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedSettings, problemsText, readSettings } from './read-settings.ts';
import { isDemo, isLoopback, SETTING_NAMES, SETTINGS, type SettingName } from './settings.ts';

function problemsOf(variables: Variables) {
  const result = readSettings(variables);
  return result.kind === 'problems' ? result.problems : [];
}

function warningsOf(environment: Variables, envFile: Variables = {}) {
  const result = readSettings(environment, envFile);
  return result.kind === 'settings' ? result.warnings : [];
}

describe('values', () => {
  it.each<[SettingName, string, unknown]>([
    ['PORT', '0', 0],
    ['PORT', ' 65535 ', 65_535],
    ['HOST', '::1', '::1'],
    ['PUBLIC_URL', 'https://desk.example.com', 'https://desk.example.com'],
    ['PUBLIC_URL', 'https://Desk.Example.com:443/', 'https://desk.example.com'],
    ['CORS_ORIGINS', 'https://a.example, http://b.example:8080', ['https://a.example', 'http://b.example:8080']],
    ['L4_PINNED_COINS', 'BTC, xyz:GOLD', ['BTC', 'xyz:GOLD']],
    ['TRUST_PROXY', '2', 2],
    ['TRUST_PROXY', 'loopback, 10.0.0.0/8, ::1', ['loopback', '10.0.0.0/8', '::1']],
    ['UPSTREAM_INFO_URL', 'https://api.example/info?x=1', 'https://api.example/info?x=1'],
    ['UPSTREAM_L4_URL', 'wss://node.example:8000/ws', 'wss://node.example:8000/ws'],
    ['UPSTREAM_WS_URL', 'wss://api.example/ws', 'wss://api.example/ws'],
    ['METRICS_KEY', 'sixteen-letters-', 'sixteen-letters-'],
  ])('accept %s=%s', (name, value, read) => {
    expect(settingsOf({ [name]: value })[name]).toEqual(read);
  });

  it.each<[SettingName, string]>([
    ['PORT', '65536'],
    ['UPSTREAM_WEIGHT_PER_MINUTE', '99'],
    ['PORT', '-1'],
    ['PORT', '44oo'],
    ['PORT', '4400.0'],
    ['PORT', '0x10'],
    ['PORT', '1e3'],
    ['HOST', 'a\nb'],
    ['PUBLIC_URL', 'desk.example.com'],
    ['PUBLIC_URL', 'ftp://desk.example.com'],
    ['PUBLIC_URL', 'https://desk.example.com/desk'],
    ['PUBLIC_URL', 'https://desk.example.com/?a'],
    ['PUBLIC_URL', 'https://user:word@desk.example.com'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://a.example,'],
    ['DATABASE_URL', 'postgres://somewhere'],
    ['DATABASE_URL', 'mysql://somewhere/desk'],
    ['NATS_URL', 'somewhere:4222'],
    ['NATS_URL', 'http://somewhere:4222'],
    ['NATS_URL', 'nats://somewhere:4222/stream'],
    ['ROLE', 'everything'],
    ['UPSTREAM', 'hosted'],
    ['UPSTREAM', 'constructor'],
    ['UPSTREAM_INFO_URL', 'ws://node.example/info'],
    ['UPSTREAM_INFO_URL', 'http://node.example/info#part'],
    ['UPSTREAM_L4_URL', 'http://node.example/ws'],
    ['UPSTREAM_L4_URL', 'not a url'],
    ['LOG_LEVEL', 'loud'],
    ['L4_AUDIT_MS', '-1'],
    ['SUBSCRIPTION_COINS_MAX', '65'],
    ['UNSENT_BYTES_MAX', '1'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '0'],
    ['TRUST_PROXY', '100'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '::/0'],
    ['TRUST_PROXY', 'proxy.example'],
    ['METRICS_KEY', 'short'],
  ])('reject %s=%s with the name, the problem and an example', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems.map((problem) => problem.name)).toEqual([name]);
    const text = problemsText(problems, undefined);
    expect(text).toContain(`${name} ${problems[0]?.problem}`);
    expect(text).toContain(`Example: ${name}=${SETTINGS[name].example}`);
  });

  it('require NATS for cluster roles, PostgreSQL for a gateway, and only the upstream settings that each role uses', () => {
    const names = (variables: Variables) => problemsOf(variables).map(({ name, problem }) => `${name} ${problem}`);
    const info = { UPSTREAM: 'exchange', UPSTREAM_INFO_URL: 'http://127.0.0.1:1/info' };
    const NATS_URL = 'nats://desk:secret@127.0.0.1:4222';
    const gateway = { ROLE: 'gateway', NATS_URL, DATABASE_URL: 'postgres://desk@127.0.0.1/desk', ...info };
    expect(settingsOf(gateway)).toMatchObject({ ROLE: 'gateway', NATS_URL });
    expect(names({ ...gateway, NATS_URL: '', DATABASE_URL: '' })).toEqual([
      'NATS_URL is required with ROLE=gateway',
      'DATABASE_URL is required with ROLE=gateway',
    ]);
    expect(names({ ...gateway, UPSTREAM: 'sim' })).toEqual(['UPSTREAM cannot be sim with ROLE=gateway']);
    expect(settingsOf({ ...gateway, NODE_DATA_DIR: '/data' })).toMatchObject({ NODE_INFO_URL: undefined });
    const sequencer = { ROLE: 'sequencer', NATS_URL, UPSTREAM: 'exchange' };
    expect(names(sequencer)).toEqual(['UPSTREAM_L4_URL is required with UPSTREAM=exchange']);
    const l4 = { UPSTREAM_L4_URL: 'ws://127.0.0.1:1/ws' };
    expect(settingsOf({ ...sequencer, ...l4 })).toMatchObject({ UPSTREAM_INFO_URL: undefined, NATS_REPLICAS: 1 });
    expect(names({ ...sequencer, ...l4, UPSTREAM: 'service', UPSTREAM_API_KEY: 'k' })).toEqual([
      'UPSTREAM_INFO_URL is required with UPSTREAM=service',
    ]);
    expect(names({ ...sequencer, NODE_DATA_DIR: '/data' })).toEqual(['NODE_INFO_URL is required with NODE_DATA_DIR']);
    expect(warningsOf({ NATS_URL, NATS_REPLICAS: '3' })).toEqual(
      ['NATS_URL', 'NATS_REPLICAS'].map(
        (name) => `${name} has no effect with ROLE=all; did you mean ROLE=gateway or ROLE=sequencer?`,
      ),
    );
    expect(JSON.stringify(changedSettings(settingsOf(gateway)))).not.toContain('secret');
  });

  it('require both URLs for UPSTREAM=exchange', () => {
    expect(problemsOf({ UPSTREAM: 'exchange' }).map((problem) => problem.name)).toEqual([
      'UPSTREAM_INFO_URL',
      'UPSTREAM_L4_URL',
    ]);
    const both = { UPSTREAM_INFO_URL: 'http://127.0.0.1:1/info', UPSTREAM_L4_URL: 'ws://127.0.0.1:1/ws' };
    expect(settingsOf({ UPSTREAM: 'exchange', ...both })).toMatchObject({ UPSTREAM: 'exchange', ...both });
  });

  it('[NODE-1] require the info server of the node with NODE_DATA_DIR, but no order-level server', () => {
    expect(problemsOf({ UPSTREAM: 'exchange', NODE_DATA_DIR: '/data' })).toMatchObject([
      { name: 'UPSTREAM_INFO_URL', problem: 'is required with NODE_DATA_DIR' },
      { name: 'NODE_INFO_URL' },
    ]);
    const node = {
      UPSTREAM: 'exchange',
      UPSTREAM_INFO_URL: 'http://127.0.0.1:1/info',
      NODE_DATA_DIR: '/data',
      NODE_INFO_URL: 'http://127.0.0.1:2/info',
    };
    expect(settingsOf(node)).toMatchObject({ NODE_DATA_DIR: '/data', UPSTREAM_L4_URL: undefined });
    expect(warningsOf({ ...node, UPSTREAM_L4_URL: 'ws://a/ws' })).toEqual([
      'UPSTREAM_L4_URL has no effect with NODE_DATA_DIR',
    ]);
    expect(warningsOf({ NODE_DATA_DIR: '/data' })).toEqual([expect.stringContaining('NODE_DATA_DIR has no effect')]);
  });

  it('require both URLs and a key for UPSTREAM=service', () => {
    expect(problemsOf({ UPSTREAM: 'service' }).map((problem) => problem.name)).toEqual([
      'UPSTREAM_INFO_URL',
      'UPSTREAM_L4_URL',
      'UPSTREAM_API_KEY',
    ]);
    const all = {
      UPSTREAM_INFO_URL: 'https://desk.example/info',
      UPSTREAM_L4_URL: 'wss://desk.example/ws',
      UPSTREAM_API_KEY: 'l4k_of_the_hosted_service',
    };
    const settings = settingsOf({ UPSTREAM: 'service', ...all });
    expect(settings).toMatchObject({ UPSTREAM: 'service', ...all });
    expect(JSON.stringify(changedSettings(settings))).not.toContain(all.UPSTREAM_API_KEY);
  });

  it('accept any text or reject it with name, problem and example, without repeating it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SETTING_NAMES),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
        (name, value) => {
          const result = readSettings({ [name]: value });
          if (result.kind === 'settings') return;
          for (const { name: told, problem, example } of result.problems) {
            expect(SETTING_NAMES).toContain(told);
            expect(problem).not.toBe('');
            expect(example).not.toBe('');
            // A short value may also occur as a word of the message.
            expect(value.trim().length > 12 && problem.includes(value.trim())).toBe(false);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('keep a number exactly or reject it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.integer({ min: 0, max: 65_535 })), (value) => {
        const result = readSettings({ PORT: String(value) });
        const isPort = value >= 0 && value <= 65_535;
        expect(result.kind === 'settings' ? result.settings.PORT : undefined).toBe(isPort ? value : undefined);
      }),
    );
  });
});

describe('sources', () => {
  it('prefer the environment over .env, and treat an empty variable as not set', () => {
    const result = readSettings({ PORT: '1', HOST: '' }, { PORT: '2', HOST: '::1' });
    expect(result).toMatchObject({ kind: 'settings', settings: { PORT: 1, HOST: '::1' } });
  });

  it.each<[string, Variables, Variables, string]>([
    ['an unknown variable with a prefix of ours', { L4_AUDIT: '1' }, {}, 'unknown setting L4_AUDIT'],
    ['an unknown variable of .env', {}, { PUBLIC_URI: 'x' }, 'unknown setting PUBLIC_URI'],
    [
      'an upstream URL with the simulation',
      { UPSTREAM_L4_URL: 'ws://a/ws' },
      {},
      'UPSTREAM_L4_URL has no effect with UPSTREAM=sim',
    ],
    [
      'a stream URL of the exchange with the simulation',
      { UPSTREAM_WS_URL: 'ws://a/ws' },
      {},
      'UPSTREAM_WS_URL has no effect with UPSTREAM=sim',
    ],
    ['an unused API key', { UPSTREAM_API_KEY: 'l4k_x' }, {}, 'UPSTREAM_API_KEY has no effect'],
    ['a wildcard host without PUBLIC_URL', { HOST: '0.0.0.0' }, {}, 'HOST=0.0.0.0 requires PUBLIC_URL'],
    ['a PUBLIC_URL without TLS', { PUBLIC_URL: 'http://desk.lan:4400' }, {}, 'http://desk.lan:4400 is neither https'],
  ])('warn about %s', (_, environment, envFile, warning) => {
    expect(warningsOf(environment, envFile)).toEqual([expect.stringContaining(warning)]);
  });

  it('do not warn about unrelated environment variables', () => {
    expect(warningsOf({ HOST: '::', PUBLIC_URL: 'https://desk.example.com' })).toEqual([]);
    expect(warningsOf({ HOST: '::', PUBLIC_URL: 'http://[::1]:4400' })).toEqual([]);
    const l4 = { UPSTREAM: 'exchange', UPSTREAM_L4_URL: 'ws://127.0.0.1:1/ws' };
    const sequencer = { ...l4, ROLE: 'sequencer', NATS_URL: 'nats://127.0.0.1:4222' };
    expect(settingsOf({ ...sequencer, HOST: '0.0.0.0' })).toMatchObject({ ROLE: 'sequencer' });
    expect(warningsOf({ ...sequencer, HOST: '0.0.0.0' })).toEqual([]);
    expect(warningsOf({ PATH: '/bin', HOSTNAME: 'x', L4DESK_DATA: 'y', VENUE_COINS: 'BTC' })).toEqual([]);
  });
});

it('printing masks secrets and the query of a URL', () => {
  const settings = settingsOf({
    METRICS_KEY: 'a-very-secret-metrics-key',
    UPSTREAM: 'exchange',
    UPSTREAM_INFO_URL: 'https://api.example/info?token=hidden-word',
    UPSTREAM_L4_URL: 'wss://api.example/ws?token=hidden-word',
  });
  const printed = JSON.stringify(changedSettings(settings));
  expect(printed).not.toContain('secret');
  expect(printed).not.toContain('hidden-word');
  expect(changedSettings(settings)).toMatchObject({
    METRICS_KEY: '***',
    UPSTREAM_INFO_URL: 'https://api.example/info?***',
  });
  expect(Object.keys(changedSettings(settings))).toEqual([
    'UPSTREAM',
    'UPSTREAM_INFO_URL',
    'UPSTREAM_L4_URL',
    'METRICS_KEY',
  ]);
  expect(changedSettings(settingsOf({ PORT: '4400', L4_PINNED_COINS: '' }))).toEqual({});
});

describe('demo mode', () => {
  it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('is on for HOST=%s with the simulation', (host) => {
    expect(isDemo(settingsOf({ HOST: host }))).toBe(true);
  });

  it.each(['0.0.0.0', '::', '10.0.0.1', 'localhost.example.com', '127.0.0.1.example.com'])(
    'is off for HOST=%s',
    (host) => {
      expect(isDemo(settingsOf({ HOST: host }))).toBe(false);
      expect(isLoopback(host)).toBe(false);
    },
  );

  it('is off with a real exchange', () => {
    const addresses = { UPSTREAM_INFO_URL: 'http://a/info', UPSTREAM_L4_URL: 'ws://a/ws' };
    expect(isDemo(settingsOf({ UPSTREAM: 'exchange', ...addresses }))).toBe(false);
  });
});

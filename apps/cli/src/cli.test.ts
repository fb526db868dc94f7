import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@l4desk/testkit';
import { bearer, http, postJson, startTestService } from '@l4desk/testkit/service';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from './test-support/command.ts';

const START = Date.UTC(2026, 10, 20);
const clock = { now: START };
let directory: string;

beforeEach(async () => {
  clock.now = START;
  const temporary = await temporaryDirectory();
  directory = temporary.path;
  return () => temporary[Symbol.asyncDispose]();
});

const l4desk = (...words: string[]) => l4deskWith({}, ...words);

const l4deskWith = (environment: Readonly<Record<string, string>>, ...words: string[]) =>
  runCommand(words, {
    environment: { DATA_DIR: directory, ...environment },
    envFilePath: join(directory, '.env'),
    now: () => clock.now,
  });

const json = (response: { readonly out: string }) => JSON.parse(response.out) as unknown;

describe('accounts', () => {
  it('are created with generous defaults and listed', async () => {
    const made = await l4desk('accounts', 'create', 'team', '--json');
    expect(made).toMatchObject({ code: 0, err: '' });
    const account = {
      id: expect.stringMatching(/^acc_[0-9a-f]{16}$/),
      name: 'team',
      plan: 'standard',
      maxCredits: 100_000_000,
      flexLimit: 10_000_000,
      freeCredits: 1_000_000,
      createdAt: '2026-11-20T00:00:00.000Z',
    };
    expect(json(made)).toEqual(account);
    expect(json(await l4desk('accounts', 'list', '--json'))).toEqual([account]);
    expect((await l4desk('accounts', 'list')).out).toMatch(/^NAME +PLAN .*\nteam +standard /);
  });

  it('rejects a name that is already taken', async () => {
    const { out } = await l4desk('accounts', 'create', 'team');
    expect(out).toContain(`Account team created in ${directory}.\n`);
    const again = await l4desk('accounts', 'create', 'team');
    expect(again).toEqual({ code: 1, out: '', err: 'An account named team already exists.\n' });
  });
});

it('accounts set-plan changes only the given values', async () => {
  await l4desk('accounts', 'create', 'team');
  const changed = await l4desk('accounts', 'set-plan', 'team', '--max-credits', '7', '--json');
  expect(json(changed)).toMatchObject({ name: 'team', plan: 'standard', maxCredits: 7, flexLimit: 10_000_000 });
  const words = ['--plan', 'big', '--flex-limit', '0', '--free-credits', '3'];
  expect((await l4desk('accounts', 'set-plan', 'team', ...words)).out).toBe(
    'team has the plan big: 7 credits per month, 3 of them free, and 0 more before calls are refused.\n',
  );
  expect(json(await l4desk('accounts', 'list', '--json'))).toMatchObject([
    { plan: 'big', maxCredits: 7, flexLimit: 0, freeCredits: 3 },
  ]);
});

describe('usage', () => {
  it('prints the same as the usage endpoint, for one account or all', async () => {
    await using rig = await startTestService({ directory });
    rig.feed.makeLive('BTC');
    const { api, service } = await rig.account('team');
    await rig.account('quiet');
    await postJson(`${rig.url}/info`, { type: 'l4BookSnapshot', coin: 'BTC' }, bearer(api));
    const { data } = (await http(`${rig.url}/platform/usage/`, { headers: bearer(service) })).json() as {
      readonly data: object;
    };
    expect(json(await l4desk('usage', '--account', 'team', '--json'))).toEqual({ account: 'team', ...data });
    expect(json(await l4desk('usage', '--json', '--from', '2026-11-20', '--to', '2026-11-20'))).toMatchObject([
      { account: 'team', aggregate: { credits_consumed: 1 }, by_day: [{ date: '2026-11-20', free_credits: 1 }] },
      { account: 'quiet', aggregate: { credits_consumed: 0 }, by_api_key: [] },
    ]);
    const text = (await l4desk('usage', '--account', 'team', '--duration', '3')).out;
    expect(text).toContain('team, 2026-08-20 to 2026-11-20: 1 credit, 0 premium and 1 free\n');
    expect(text).toContain('\nThis month: 1 credit, < 0.1 % of the plan\n');
    expect(text).toContain(`  l4k_…${api.slice(-4)}  test         1  100.0 %\n`);
    expect(text).toMatch(/\n2026-11-20 +0 +1\n$/);
    expect((await l4desk('usage')).out).toMatch(/^2026-11-01 to 2026-11-20\n\nACCOUNT .*\nteam +standard +1 /);
  });

  it('aligns numbers, shows key labels, and measures the plan by the month whatever the window', async () => {
    await using rig = await startTestService({ directory });
    rig.feed.makeLive('BTC');
    await l4desk('accounts', 'create', 'big', '--max-credits', '1234567');
    await l4desk('accounts', 'create', 'team', '--max-credits', '8', '--flex-limit', '0');
    await l4desk('accounts', 'create', 'none', '--max-credits', '0');
    const made = async (label: string) =>
      json(await l4desk('keys', 'create', '--kind', 'api', '--account', 'team', '--label', label, '--json')) as {
        readonly id: string;
        readonly key: string;
      };
    const [{ id: botId, key: bot }, { id: desktopId, key: desktop }] = [await made('bot 1'), await made('')];
    const ask = (key: string) => postJson(`${rig.url}/info`, { type: 'l4BookSnapshot', coin: 'BTC' }, bearer(key));
    for (const key of [bot, bot, desktop]) expect((await ask(key)).status).toBe(200);
    expect((await l4desk('usage', '--from', '2026-10-01', '--to', '2026-10-31')).out).toBe(
      [
        '2026-10-01 to 2026-10-31',
        '',
        'ACCOUNT  PLAN      CREDITS  PREMIUM  FREE  THIS MONTH  MONTHLY MAX  OF PLAN        FLEX',
        'team     standard        0        0     0           3            8   37.5 %           0',
        'big      standard        0        0     0           0    1,234,567    0.0 %  10,000,000',
        'none     standard        0        0     0           0            0        –  10,000,000',
        '',
      ].join('\n'),
    );
    expect((await l4desk('usage', '--account', 'team')).out).toBe(
      [
        'team, 2026-11-01 to 2026-11-20: 3 credits, 0 premium and 3 free',
        'Plan standard: 8 credits per month and 0 more before calls are refused',
        'This month: 3 credits, 37.5 % of the plan',
        '',
        `${'ID'.padEnd(botId.length)}  KEY        LABEL  CREDITS   SHARE`,
        `${botId}  l4k_…${bot.slice(-4)}  bot 1        2  66.7 %`,
        `${desktopId}  l4k_…${desktop.slice(-4)}               1  33.3 %`,
        '',
        'DAY         PREMIUM  FREE',
        '2026-11-20        0     3',
        '',
      ].join('\n'),
    );
  });
});

describe('keys', () => {
  it('shows a key only once, on create, as one JSON document', async () => {
    await l4desk('accounts', 'create', 'team');
    const made = await l4desk('keys', 'create', '--kind', 'api', '--account', 'team', '--label', 'bot 1', '--json');
    const { key, ...rest } = json(made) as { readonly key: string; readonly id: string };
    expect(rest).toEqual({ id: expect.stringMatching(/^key_/), kind: 'api', account: 'team', label: 'bot 1' });
    expect(key).toMatch(/^l4k_\w{49}$/);
    const list = await l4desk('keys', 'list', '--json');
    expect(json(list)).toEqual([
      {
        ...rest,
        shown: `l4k_…${key.slice(-4)}`,
        createdAt: '2026-11-20T00:00:00.000Z',
        revokedAt: null,
      },
    ]);
    expect(list.out).not.toContain(key.slice(4, -4));
    expect((await l4desk('keys', 'list')).out).not.toContain(key.slice(4, -4));
  });

  it('create without options makes an API key for the only account, and lists the accounts if there are several', async () => {
    await l4desk('accounts', 'create', 'Team B');
    expect(json(await l4desk('keys', 'create', '--json'))).toMatchObject({ kind: 'api', account: 'Team B' });
    clock.now += 1;
    await l4desk('accounts', 'create', 'other');
    expect(await l4desk('keys', 'create', '--kind', 'service')).toEqual({
      code: 2,
      out: '',
      err: [
        'There are 2 accounts. Choose one with --account:',
        '  Team B',
        '  other',
        "For example: npm run -s l4desk -- keys create --kind service --account 'Team B'",
        '',
      ].join('\n'),
    });
    expect(json(await l4desk('keys', 'list', '--json'))).toHaveLength(1);
  });

  it('messages name the commands of the repository, or the installed one', async () => {
    const installed = { L4DESK_COMMAND: 'l4desk' };
    expect((await l4desk('keys', 'create')).err).toContain(': npm run -s l4desk -- accounts create <name>\n');
    const calls = [
      ['keys', 'create'],
      ['tail', 'BTC'],
      ['tail', 'BTC', '--key', 'l4k_x', '--url', 'http://127.0.0.1:9'],
      ['accounts', 'create', 'team'],
    ];
    for (const words of calls) {
      const { out, err } = await l4deskWith(installed, ...words);
      expect(out + err).toMatch(/[:.] .*l4desk/);
      expect(out + err).not.toContain('npm');
    }
  });

  it('revoke works once and reports a second attempt', async () => {
    await l4desk('accounts', 'create', 'team');
    const { id } = json(await l4desk('keys', 'create', '--kind', 'service', '--account', 'team', '--json')) as {
      readonly id: string;
    };
    expect(json(await l4desk('keys', 'revoke', id, '--json'))).toEqual({ id, revoked: true, already: false });
    expect(json(await l4desk('keys', 'revoke', id, '--json'))).toEqual({ id, revoked: true, already: true });
    expect(json(await l4desk('keys', 'list', '--json'))).toMatchObject([{ id, revokedAt: '2026-11-20T00:00:00.000Z' }]);
  });
});

describe('errors', () => {
  it.each<[string, string[], number, string | RegExp]>([
    ['nothing said', [], 2, ''],
    ['an unknown command', ['frobnicate'], 2, "unknown command 'frobnicate'"],
    ['an unknown option', ['accounts', 'list', '--all'], 2, "unknown option '--all'"],
    ['a word too many', ['accounts', 'list', 'team'], 2, 'too many arguments'],
    ['no name', ['accounts', 'create'], 2, "missing required argument 'name'"],
    ['a name of two lines', ['accounts', 'create', 'a\nb'], 2, 'must be 1 to 64'],
    ['credits that are no number', ['accounts', 'create', 'a', '--max-credits', 'many'], 2, 'must be a whole number'],
    ['an empty list of coins', ['verify', ' , '], 2, 'must name a coin'],
    ['another kind', ['keys', 'create', '--kind', 'root', '--account', 'team'], 2, 'api, service'],
    ['a key where there is no account', ['keys', 'create'], 2, 'accounts create <name>'],
    ['an unknown account', ['keys', 'create', '--kind', 'api', '--account', 'nobody'], 1, 'see "accounts list"'],
    ['a plan without a change', ['accounts', 'set-plan', 'team'], 2, 'Nothing to change'],
    ['a bad duration', ['usage', '--duration', '2'], 2, '--duration must be one of 1, 3, 6, 12'],
    ['half a window', ['usage', '--from', '2026-01-01'], 2, '--to is missing'],
    ['an unknown key', ['keys', 'revoke', 'key_0'], 1, 'see "keys list"'],
  ])('%s', async (_, words, code, message) => {
    const response = await l4desk(...words);
    expect(response.code).toBe(code);
    expect(response.out).toBe('');
    expect(response.err).toContain(message);
    expect(response.err).not.toContain('    at ');
    // What a program reads is the same sentence, wherever `--json` is.
    for (const line of [
      ['--json', ...words],
      [...words, '--json'],
    ]) {
      const { error, ...rest } = json(await l4desk(...line)) as { readonly error: Record<string, string> };
      expect([rest, error.code]).toEqual([{}, code === 2 ? 'usage' : 'failed']);
      expect(error.message).toContain(message);
    }
  });

  it('no command at all', async () => {
    const { code, out } = await l4desk('keys', '--json');
    const error = { code: 'usage', message: 'Specify a command; see --help.' };
    expect([code, JSON.parse(out)]).toEqual([2, { error }]);
    expect((await l4desk('--help')).out).toMatch(/Exit codes:\n {2}0 {2}done\n {2}1 .*\n {2}2 .*\n {2}3 /);
  });

  it.each(['--version', '-v'])('%s prints the version', async (option) => {
    expect(await l4desk(option)).toEqual({ code: 0, out: '1.2.3\n', err: '' });
  });

  it('--help files what does not exist under the code that it gets', async () => {
    const help = (await l4desk('--help')).out;
    const [, failed = '', usage = '', unavailable = ''] =
      /\n {2}1 {2}([^]*?)\n {2}2 {2}([^]*?)\n {2}3 {2}([^]*?)\n\n/.exec(help) ?? [];
    expect(failed).toMatch(/no such account, key, order or block$/);
    expect(usage).toMatch(/no such file or folder, or a new file that exists already$/);
    expect(unavailable).toMatch(/a coin that it does not have/);
    expect(help).not.toContain('what was named does not exist');
    const path = '/nowhere/none.l4rec';
    expect(await l4desk('at', path)).toMatchObject({ code: 2, err: `${path}: no such file or folder.\n` });
  });

  it('revoke does not repeat a key that was given instead of its id', async () => {
    const key = `l4k_${'a'.repeat(49)}`;
    expect((await l4desk('keys', 'revoke', key)).err).not.toContain(key);
  });

  it('report invalid settings and a damaged database', async () => {
    writeFileSync(join(directory, '.env'), 'PORT=many\n');
    expect(await l4desk('accounts', 'list')).toMatchObject({ code: 2, err: expect.stringContaining('PORT must be') });
    writeFileSync(join(directory, '.env'), '');
    writeFileSync(join(directory, 'l4desk.db'), 'no database at all, and long enough to be sure of it\n'.repeat(100));
    expect(await l4desk('accounts', 'list')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Restore a backup'),
    });
  });
});

it('empty lists say that they are empty', async () => {
  expect((await l4desk('accounts', 'list')).out).toBe('No accounts yet.\n');
  expect((await l4desk('keys', 'list')).out).toBe('No keys yet.\n');
  expect(json(await l4desk('keys', 'list', '--json'))).toEqual([]);
  expect((await l4desk('usage')).out).toBe('No accounts yet.\n');
});

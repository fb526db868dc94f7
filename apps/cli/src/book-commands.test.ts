import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { L4BookSnapshot } from '@l4desk/protocol';
import { Chance, order, respondError, ScriptedService, wallet } from '@l4desk/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunningCommand } from './test-support/command.ts';

const KEY = 'l4k_secret';
const [one, two, three] = [wallet(0xa1), wallet(0xb2), wallet(0xc3)];

let service: ScriptedService;
beforeEach(async () => {
  service = await ScriptedService.start({ coins: ['BTC', 'xyz:GOLD'], chance: new Chance(3) });
});
afterEach(() => service[Symbol.asyncDispose]());

function run(...words: readonly string[]): RunningCommand {
  return new RunningCommand(words, { environment: { L4DESK_URL: service.url, L4DESK_KEY: KEY } });
}

/** Sets the next snapshot: four bids on two levels and three asks on two levels, around a mid price of 100. */
function smallBook(levels?: L4BookSnapshot['levels']): void {
  const bid = (oid: number, limitPx: `${number}`, sz: `${number}`, user = one) => order({ oid, limitPx, sz, user });
  const ask = (oid: number, limitPx: `${number}`, sz: `${number}`, user = two) =>
    order({ oid, limitPx, sz, user, side: 'A' });
  const small: L4BookSnapshot['levels'] = [
    [bid(1, '99.9', '1.50'), bid(2, '99.9', '2.0', two), bid(3, '99.9', '0.5'), bid(4, '99.0', '10.0', three)],
    [ask(5, '100.1', '1.0'), ask(6, '100.1', '2.0', one), ask(7, '101.0', '1.0')],
  ];
  service.snapshotScript.push((snapshot, response) =>
    response.end(JSON.stringify({ ...snapshot, seq: 7, levels: levels ?? small })),
  );
}

it('queue prints a table without --json, and accepts an address in any letter case', async () => {
  smallBook();
  const spelled = `0x${three.slice(2).toUpperCase()}`;
  const command = run('queue', spelled, '--coin', 'BTC');
  expect(await command.code).toBe(0);
  expect(command.out.split('\n')).toEqual([
    `BTC  block ${service.height}  seq 7  1 order of ${three}`,
    'SIDE  PRICE  SIZE  ORDERS AHEAD  SIZE AHEAD  LEVEL ORDERS  LEVEL SIZE  OID',
    'bid    99.0  10.0             0           0             1          10  4',
    '',
  ]);
});

describe('owners', () => {
  it('prints a table without --json', async () => {
    smallBook();
    const command = run('owners', '--coin', 'BTC', '--within-bps', '100.5');
    expect(await command.code).toBe(0);
    expect(command.out.split('\n')).toEqual([
      `BTC  block ${service.height}  seq 7  mid 100  within 100.5 bps`,
      'SIDE  ORDERS  SIZE     SHARE  OWNER',
      `bid        1    10  0.714286  ${three}`,
      `bid        2     2  0.142857  ${one}`,
      `bid        1     2  0.142857  ${two}`,
      `ask        1     2  0.500000  ${one}`,
      `ask        2     2  0.500000  ${two}`,
      '',
    ]);
  });

  it('reports that a one-sided book has no mid price', async () => {
    const oneSided: L4BookSnapshot['levels'] = [[order({ limitPx: '99.9' })], []];
    smallBook(oneSided);
    const text = run('owners', '--coin', 'BTC');
    expect(await text.code).toBe(0);
    expect(text.out).toContain('no mid: a side is empty  within 10 bps\nNo orders.\n');
  });
});

describe('sweep', () => {
  it.each(['BTC', 'xyz:GOLD'])('with a notional uses the size decimals of %s from its coin list', async (coin) => {
    const command = run('sweep', '--coin', coin, '--side', 'sell', '--ntl', '100000', '--json');
    expect([await command.code, command.err]).toEqual([0, '']);
    const { filledSz, filledNtl, unfilled, ...rest } = JSON.parse(command.out) as Record<string, string>;
    expect(rest).toMatchObject({ coin, side: 'sell' });
    expect(filledSz).toMatch(/^\d+\.\d{5}$/);
    expect(Number(filledNtl) + Number(unfilled)).toBe(100_000);
  });

  it('refuses a size that is no multiple of the lot of the coin', async () => {
    for (const sz of ['0.000001', '1.500005', '3.1234567890']) {
      smallBook();
      const command = run('sweep', '--coin', 'BTC', '--side', 'buy', '--sz', sz);
      expect(await command.code).toBe(2);
      const decimals = sz === '3.1234567890' ? 9 : 6;
      expect(command.err).toBe(`A size of BTC has at most 5 decimals; ${sz} has ${decimals}.\n`);
      expect(command.out).toBe('');
    }
    for (const [sz, shown] of [
      ['0.00001', '0.00001'],
      ['1.5000000', '1.5'],
    ] as const) {
      smallBook();
      const command = run('sweep', '--coin', 'BTC', '--side', 'buy', '--sz', sz, '--json');
      expect([await command.code, JSON.parse(command.out)]).toMatchObject([0, { filledSz: shown, unfilled: '0' }]);
    }
  });

  it('prints a few lines and a table without --json', async () => {
    smallBook();
    const command = run('sweep', '--coin', 'BTC', '--side', 'sell', '--sz', '20');
    expect(await command.code).toBe(0);
    expect(command.out.split('\n')).toEqual([
      `BTC  block ${service.height}  seq 7  sell 20`,
      'filled    14 for 1389.6, unfilled 6',
      'price     99.25714286 on average, 99.9 at best, 99.0 at worst',
      'slippage  64.350064 bps',
      'taken     4 orders, 2 levels, 3 owners',
      'ORDERS  SIZE  OWNER',
      `     1    10  ${three}`,
      `     2     2  ${one}`,
      `     1     2  ${two}`,
      '',
    ]);
  });
});

describe('invalid arguments', () => {
  const coin = ['--coin', 'BTC'];
  it.each<[string, readonly string[], RegExp]>([
    ['no wallet', ['queue', ...coin], /missing required argument 'wallet'/],
    ['a bad wallet', ['queue', '0x123', ...coin], /'0x123' is invalid.*must be a wallet address: 0x and 40 hexa/],
    ['no coin', ['owners'], /^Specify --coin <coin>, or a recording with --from <file>\.\n$/],
    ['no decimal', ['owners', ...coin, '--within-bps', 'ten'], /'ten' is invalid.*must be a plain decimal from 0/],
    ['no side', ['sweep', ...coin, '--sz', '1'], /required option '--side <side>' not specified/],
    [
      'no amount',
      ['sweep', ...coin, '--side', 'buy'],
      /^Specify the amount with either --sz <size> or --ntl <notional>\.\n$/,
    ],
    ['two amounts', ['sweep', ...coin, '--side', 'buy', '--sz', '1', '--ntl', '1'], /^Specify the amount with either/],
    [
      'a size of zero',
      ['sweep', ...coin, '--side', 'buy', '--sz', '0.00'],
      /'0\.00' is invalid.*must be a plain decimal above zero/,
    ],
    ['a bad notional', ['sweep', ...coin, '--side', 'buy', '--ntl', '1,000'], /'1,000' is invalid.*must be a plain/],
  ])('%s is said in a sentence, with code 2', async (_, words, message) => {
    const command = run(...words);
    expect(await command.code).toBe(2);
    expect(command.err).toMatch(message);
    expect(command.out).toBe('');
    const forPrograms = run(...words, '--json');
    expect(await forPrograms.code).toBe(2);
    const { error } = JSON.parse(forPrograms.out) as { readonly error: { readonly code: string; message: string } };
    expect(error.code).toBe('usage');
    expect(command.err).toContain(error.message);
    expect(service.snapshotRequests).toEqual([]);
  });

  it.each(['l4k secret', 'ключ'])('report a key that cannot be sent: %j', async (key) => {
    const command = new RunningCommand(['owners', ...coin], {
      environment: { L4DESK_URL: service.url, L4DESK_KEY: key },
    });
    expect(await command.code).toBe(2);
    expect(command.err).toMatch(/^The API key contains a space, a line break or another character/);
    expect(command.err).not.toContain(key);
  });
});

describe('what the service refuses', () => {
  it.each([
    ['unauthorized', 'The key is unknown.', 'rejected the key: The key is unknown; see "keys list".'],
    ['wrong_credential', 'It is a ServiceKey.', 'rejected the key: It is a ServiceKey; see "keys list".'],
    ['credits_exhausted', 'No credits.', 'rejected the key: No credits; raise them with "accounts set-plan".'],
    ['upstream_error', 'The exchange failed.', 'BTC: The exchange failed.'],
  ] as const)('%s', async (code, message, sentence) => {
    service.snapshotScript.push((_, response) => respondError(response, code, message));
    const command = run('owners', '--coin', 'BTC', '--json');
    expect(await command.code).toBe(3);
    expect(JSON.parse(command.out)).toEqual({ error: { code, message: command.err.trimEnd() } });
    expect(command.err.replace(`The service at ${service.url} `, '')).toBe(`${sentence}\n`);
    expect(command.err).not.toContain(KEY);
  });

  it('a book that is not ready yet is asked for again, until the time is up', async () => {
    const headers = { 'Retry-After': '0.01' };
    service.snapshotScript.push((_, response) => respondError(response, 'book_not_ready', 'Not ready.', { headers }));
    const command = run('owners', '--coin', 'BTC', '--json');
    expect(await command.code).toBe(0);
    expect(service.snapshotRequests).toHaveLength(2);
    service.snapshotScript.push(() => {});
    const late = run('owners', '--coin', 'BTC', '--timeout', '1');
    expect(await late.code).toBe(3);
    expect(late.err).toBe('No book of BTC within 1 s.\n');
  });

  it('a service that does not respond', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const command = run('owners', '--coin', 'BTC', '--url', `http://127.0.0.1:${port}`);
    expect(await command.code).toBe(3);
    expect(command.err).toMatch(/cannot be reached \(no connection\)\. Start one with npm start/);
  });
});

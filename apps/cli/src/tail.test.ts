import { Chance, ScriptedService } from '@l4desk/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandWorld, RunningCommand } from './test-support/command.ts';

const KEY = 'l4k_secret';
const ESCAPE = '\u001b';

let service: ScriptedService;
beforeEach(async () => {
  service = await ScriptedService.start({ coins: ['BTC', 'ETH'], chance: new Chance(3) });
});
afterEach(() => service[Symbol.asyncDispose]());

function tail(words: readonly string[], world: CommandWorld = {}): RunningCommand {
  const environment = { L4DESK_URL: service.url, L4DESK_KEY: KEY };
  return new RunningCommand(['tail', ...words], { environment, ...world });
}

const documents = (command: RunningCommand) =>
  command.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

describe('tail', () => {
  it('--once --json prints one document: the first verified book of each coin', async () => {
    const command = tail(['BTC,ETH', '--once', '--levels', '2', '--json']);
    expect(await command.code).toBe(0);
    const [btc, eth] = JSON.parse(command.out) as Readonly<Record<string, unknown>>[];
    expect(btc).toEqual({
      coin: 'BTC',
      state: 'live',
      detail: expect.any(String),
      height: service.height,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      epoch: service.epoch,
      seq: 0,
      gaps: 0,
      resumes: 0,
      verified: { kind: 'equal', height: service.height },
      bids: expect.any(Array),
      asks: expect.any(Array),
    });
    const bids = btc?.bids as readonly { readonly px: string; readonly sz: string; readonly orders: number }[];
    expect(bids).toHaveLength(2);
    const [best] = service.book('BTC').levels()[0];
    expect(bids[0]).toEqual({ px: best?.limitPx, sz: expect.any(String), orders: expect.any(Number) });
    expect(eth).toMatchObject({ coin: 'ETH', state: 'live' });
    expect(command.err).toBe('');
  });

  it('--json prints one document per line and ends after --blocks', async () => {
    const command = tail(['BTC', '--blocks', '3', '--json']);
    await command.printed(/"verified":\{"kind":"equal"/);
    for (let block = 0; block < 3; block += 1) service.block(['BTC']);
    expect(await command.code).toBe(0);
    const all = documents(command);
    expect(new Set(all.map((document) => JSON.stringify(document))).size).toBe(all.length);
    const seen = all.filter(({ state }) => state === 'live');
    expect(seen.slice(-3).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(seen.at(-1)).toMatchObject({ coin: 'BTC', height: service.height, gaps: 0, verified: { kind: 'equal' } });
  });

  it('writes a line per change into a pipe, reports a gap, and recovers the book', async () => {
    const command = tail(['BTC']);
    await command.printed(/verified at block/);
    service.block(['BTC']);
    await command.printed(/seq 1 .*bid [\d.]+ \([\d.]+ in \d+\) {2}ask/);
    service.block(['BTC'], { losing: ['BTC'] });
    service.block(['BTC']);
    await command.printed(/BTC {2}REBUILDING \(.+\).* gaps 1/);
    await command.printed(/BTC {2}live .*gaps 1/);
    command.interrupt();
    expect(await command.code).toBe(0);
    await service.sees(() => service.connections === 0);
    expect(command.err).toBe('');
  });

  it('redraws the books in place on a terminal and restores the cursor', async () => {
    const command = tail(['BTC', 'ETH', '--levels', '40'], { terminal: { columns: 50, rows: 20 } });
    await command.printed(/BTC {2}live[^]*ETH {2}live/);
    service.block(['BTC']);
    await command.printed(new RegExp(`${ESCAPE}\\[\\d+F${ESCAPE}\\[J`));
    command.interrupt();
    expect(await command.code).toBe(0);
    expect(command.out.startsWith('\u001b[?25l')).toBe(true);
    expect(command.out.endsWith('\u001b[?25h')).toBe(true);
    const pictures = command.out.split('\u001b[J').slice(1);
    for (const picture of pictures) {
      const lines = picture.split('\u001b')[0]?.split('\n').slice(0, -1) ?? [];
      expect(lines.length).toBeLessThan(20);
      expect(Math.max(0, ...lines.map((line) => line.length))).toBeLessThanOrEqual(50);
    }
    expect(pictures.at(-1)).toMatch(/ORDERS +SIZE +BID +ASK +SIZE +ORDERS/);
  });

  it('draws the books on a terminal that was never given a size', async () => {
    const command = tail(['BTC'], { terminal: { columns: 0, rows: 0 } });
    await command.printed(/BTC {2}live/);
    command.interrupt();
    expect(await command.code).toBe(0);
    expect(command.out.split('\u001b[J').at(-1)).toMatch(/BTC {2}live.*\nORDERS +SIZE +BID +ASK +SIZE +ORDERS\n *\d/);
  });

  it('shows how often it resumed a lost connection without a gap', async () => {
    service.resumeField = 'sent';
    const command = tail(['BTC']);
    await command.printed(/BTC {2}live/);
    const asked = service.snapshotRequests.length;
    service.cut();
    service.make(['BTC']);
    service.make(['BTC']);
    await command.printed(/BTC {2}live {2}block \d+ {2}seq 2 {2}gaps 0 {2}resumed 1/);
    command.interrupt();
    expect(await command.code).toBe(0);
    // The first comparison may still be in progress.
    expect(service.snapshotRequests.length - asked).toBeLessThanOrEqual(1);
  });

  it('exits with 1 if a book differs', async () => {
    service.snapshotScript.push(
      (snapshot, response) => response.end(JSON.stringify(snapshot)),
      (snapshot, response) =>
        response.end(JSON.stringify({ ...snapshot, levels: [snapshot.levels[0].slice(1), snapshot.levels[1]] })),
    );
    const command = tail(['BTC', '--once']);
    expect(await command.code).toBe(1);
    expect(command.err).toMatch(/^BTC: DIFFERENT at block \d+: /);
  });
});

describe('what tail cannot do', () => {
  it('names a coin that is not streamed, with the reason', async () => {
    service.refusedCoins.set('DOGE', ': unknown coin');
    const command = tail(['DOGE']);
    expect(await command.code).toBe(3);
    expect(command).toMatchObject({ out: '', err: 'DOGE cannot be followed: unknown coin\n' });
  });

  it.each([
    [401, /rejected the key: the service does not know this key/],
    [402, /credits are used up; raise them with "accounts set-plan"/],
    [403, /does not accept this credential/],
    [429, /^The service at \S+ refuses the stream with status 429\.$/m],
    [503, /^The service at (\S+) refuses the stream with status 503; \1\/readyz says why\.$/m],
  ])('says what an upgrade refused with %i means', async (status, message) => {
    service.refusesUpgrades = status;
    const command = tail(['BTC']);
    expect(await command.code).toBe(3);
    expect(command.err).toMatch(message);
    expect(command.out + command.err).not.toContain(KEY);
  });

  it('say that the service does not respond with TLS', async () => {
    const url = service.url.replace('http:', 'https:');
    const command = tail(['BTC', '--url', url]);
    expect(await command.code).toBe(3);
    expect(command.err).toBe(
      `The service at ${url} does not respond with TLS. If it uses plain HTTP, use ${service.url}.\n`,
    );
  });

  it('--json: an error is the last of its lines', async () => {
    const command = tail(['BTC', '--json']);
    await command.printed(/"state":"live"/);
    service.refusesUpgrades = 401;
    service.cut();
    expect(await command.code).toBe(3);
    const lines = command.out.trimEnd().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ coin: 'BTC' });
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
      error: { code: 'unauthorized', message: command.err.trimEnd() },
    });
  });

  it('--once does not wait for ever', async () => {
    service.snapshotScript.push(() => {});
    const command = tail(['BTC', '--once', '--timeout', '1']);
    expect(await command.code).toBe(3);
    expect(command.err).toMatch(/^No live book of BTC within 1 s: /);
  });

  it.each<[string, readonly string[], CommandWorld, RegExp]>([
    ['no key', ['BTC'], { environment: {} }, /L4DESK_KEY.*keys create/],
    ['no address', ['BTC', '--url', 'desk'], {}, /must look like http/],
    ['no coin', [], {}, /missing required argument 'coins'/],
    ['no levels', ['BTC', '--levels', '0'], {}, /from 1 to 1000/],
    ['once and for blocks', ['BTC', '--once', '--blocks', '1'], {}, /cannot be used with/],
  ])('%s', async (_, words, world, message) => {
    const command = tail(words, world);
    expect(await command.code).toBe(2);
    expect(command.err).toMatch(message);
  });
});

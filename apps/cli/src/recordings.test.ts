import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { decodeL4BookSnapshot, type L4Order, l4BookSnapshot } from '@l4desk/protocol';
import { builtProgram, Chance, order, ScriptedService, temporaryDirectory, until } from '@l4desk/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RunningCommand } from './test-support/command.ts';
import { writeRecording } from './test-support/write-recording.ts';

const KEY = 'l4k_secret';

/** The built command line, for what only a process shows. */
let program: string;
let service: ScriptedService;
let folder: Awaited<ReturnType<typeof temporaryDirectory>>;

const run = (...words: readonly string[]) =>
  new RunningCommand(words, { environment: { L4DESK_URL: service.url, L4DESK_KEY: KEY } });

async function json(...words: readonly string[]): Promise<Record<string, unknown>> {
  const command = run(...words, '--json');
  const code = await command.code;
  if (code !== 0) throw new Error(`code ${code}: ${command.err}`);
  return JSON.parse(command.out);
}

const start = async () => {
  service = await ScriptedService.start({ coins: ['BTC'], chance: new Chance(3) });
  folder = await temporaryDirectory();
};
const stop = async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
};

beforeAll(async () => {
  program = await builtProgram('cli');
});

describe('record', () => {
  beforeEach(start);
  afterEach(stop);

  it('records until Ctrl-C, prints losses and lists them as gaps', async () => {
    const path = join(folder.path, 'btc.l4rec');
    const command = run('record', 'BTC', '--out', path, '--blocks', '5');
    await command.printed(/Recording BTC to .*btc\.l4rec\. Press Ctrl-C to stop\./);
    const from = service.height;
    for (let block = 0; block < 3; block += 1) service.block(['BTC']);
    service.block(['BTC'], { losing: ['BTC'] });
    const lost = service.height;
    service.block(['BTC']);
    await command.printed(
      new RegExp(`BTC {2}lost after block ${lost - 1}: .+\nBTC {2}recording again from block ${lost + 1}`),
    );
    for (let block = 0; block < 2; block += 1) service.block(['BTC']);
    expect([await command.code, command.err]).toEqual([0, '']);
    const gap = { after: lost - 1, before: lost + 1, reason: 'upstream-gap' };
    expect(command.out).toMatch(
      new RegExp(`BTC {2}blocks ${from} to ${service.height} {2}5 blocks, 1 gap, [\\d,]+ bytes\n$`),
    );
    const report = await json('replay', path, '--verify');
    expect(report).toMatchObject({
      coin: 'BTC',
      from,
      to: service.height,
      blocks: 5,
      entries: 5,
      gaps: [gap],
      keyframes: 2,
      checksums: 'equal',
      orders: service.book('BTC').levels().flat().length,
      end: { kind: 'complete' },
    });
    // An order that rests after the gap, or since before it: its life includes what was missed.
    const [bid] = service.book('BTC').levels()[0];
    expect(await json('order', String(bid?.oid), '--from', path)).toMatchObject({ oid: bid?.oid, end: null });
    const inGap = run('at', path, '--height', String(lost), '--json');
    const message = `${path}: Block ${lost} is in a gap: the blocks after ${gap.after} and before block ${gap.before} were not seen (upstream-gap).`;
    expect(await inGap.code).toBe(1);
    expect(JSON.parse(inGap.out)).toEqual({ error: { code: 'not_recorded', message } });
    expect(inGap.err).toBe(`${message}\n`);
  });

  it('leaves no gap if a lost connection is resumed', async () => {
    service.resumeField = 'sent';
    const path = join(folder.path, 'btc.l4rec');
    const command = run('record', 'BTC', '--out', path, '--blocks', '4', '--json');
    await until('the file', () => existsSync(path));
    service.block(['BTC']);
    service.cut();
    service.make(['BTC']);
    service.make(['BTC']);
    await service.sees(() => service.said.filter(({ method }) => method === 'subscribe').length === 2);
    service.block(['BTC']);
    expect(await command.code).toBe(0);
    expect(JSON.parse(command.out)).toMatchObject({ blocks: 4, gaps: [], to: service.height });
  });

  it('ends the file properly when the reader of its output has closed the pipe', async () => {
    const path = join(folder.path, 'btc.l4rec');
    const child = spawn(process.execPath, [program, 'record', 'BTC', '--out', path], {
      env: { L4DESK_URL: service.url, L4DESK_KEY: KEY },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    await once(child.stdout, 'close');
    // What it prints about the loss finds nobody.
    service.block(['BTC'], { losing: ['BTC'] });
    service.block(['BTC']);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await json('replay', path)).toMatchObject({ end: { kind: 'complete' } });
  });

  it('ends the file properly when its output cannot be written, says so once and fails', async () => {
    const path = join(folder.path, 'btc.l4rec');
    // Without /dev/full, as on other systems than Linux, a read-only descriptor makes writes fail.
    const full = existsSync('/dev/full') ? openSync('/dev/full', 'w') : openSync(program, 'r');
    const child = spawn(process.execPath, [program, 'record', 'BTC', '--out', path], {
      env: { L4DESK_URL: service.url, L4DESK_KEY: KEY },
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    if (child.stderr === null) throw new Error('it has no pipe');
    const [said, exit] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(exit).toEqual([1, null]);
    expect(said).toMatch(/^The output cannot be written \(E[A-Z]+\)\.\n$/);
    expect(await json('replay', path)).toMatchObject({ end: { kind: 'complete' } });
  });

  it('has the exit code of its failure if its error cannot be printed', async () => {
    const child = spawn(process.execPath, [program, 'replay', join(folder.path, 'none.l4rec')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.destroy();
    expect(await once(child, 'exit')).toEqual([2, null]);
  });

  it('ends the file properly on Ctrl-C', async () => {
    const path = join(folder.path, 'btc.l4rec');
    const command = run('record', 'BTC', '--out', path, '--json');
    await service.sees(() => service.snapshotRequests.length > 0);
    await until('the file', () => existsSync(path));
    command.interrupt();
    expect([await command.code, command.err]).toEqual([0, '']);
    expect(JSON.parse(command.out)).toMatchObject({
      coin: 'BTC',
      file: path,
      from: service.height,
      gaps: [],
      blocks: 0,
    });
    const ofFolder = run('replay', folder.path);
    expect([await ofFolder.code, ofFolder.err]).toEqual([2, `${folder.path} is a folder, not a file.\n`]);
  });

  it.each([
    ['taken.l4rec', 2, ' exists already. Nothing is overwritten.'],
    ['folder/', 2, ' is a folder, not a file.'],
    ['missing/btc.l4rec', 2, ': no such file or folder.'],
    ['taken.l4rec/btc.l4rec', 1, ': ENOTDIR.'],
  ])('refuses to record to %s before it asks the service for anything', async (name, code, problem) => {
    writeFileSync(join(folder.path, 'taken.l4rec'), '');
    const path = `${folder.path}/${name}`;
    const command = run('record', 'BTC', '--out', path);
    expect([await command.code, command.out, command.err]).toEqual([code, '', `${path}${problem}\n`]);
    expect(service.snapshotRequests).toHaveLength(0);
  });

  it('creates nothing before there is a book', async () => {
    utimesSync(folder.path, 1, 1);
    const command = new RunningCommand(['record', 'BTC', '--out', join(folder.path, 'btc.l4rec')], {
      environment: { L4DESK_URL: 'http://127.0.0.1:9', L4DESK_KEY: KEY },
    });
    expect(await command.code).toBe(3);
    expect(statSync(folder.path).mtimeMs).toBe(1_000);
  });
});

describe('queries of a recording', () => {
  let path: string;
  /** The book at each height, as on the service. */
  const books = new Map<number, readonly [L4Order[], L4Order[]]>();

  beforeAll(async () => {
    await start();
    path = join(folder.path, 'btc.l4rec');
    const command = run('record', 'BTC', '--out', path, '--blocks', '20', '--statuses', 'all');
    await command.printed(/Recording/);
    books.set(service.height, service.book('BTC').levels());
    for (let block = 0; block < 20; block += 1) {
      service.block(['BTC']);
      books.set(service.height, service.book('BTC').levels());
    }
    await command.code;
  });
  afterAll(stop);

  it('at returns the response of l4BookSnapshot at each height', async () => {
    for (const [height, levels] of books) {
      const response = await json('at', path, '--height', String(height));
      expect(l4BookSnapshot.safeParse(response).success).toBe(true);
      const { epoch } = service;
      const seq = height - Math.min(...books.keys());
      expect(response).toEqual({
        coin: 'BTC',
        height,
        epoch,
        seq,
        time: expect.any(Number),
        levels: expect.any(Array),
      });
      const places = (side: readonly L4Order[] = []) =>
        side.map(({ oid, sz, limitPx, user }) => [oid, sz, limitPx, user]);
      const read = decodeL4BookSnapshot(response, 'BTC').levels;
      expect([places(read[0]), places(read[1])]).toEqual([places(levels[0]), places(levels[1])]);
    }
    const told = run('at', path);
    expect([await told.code, told.err]).toEqual([0, '']);
    expect(told.out).toMatch(/^BTC {2}block \d+ {2}seq 20 {2}\d{4}-.*Z\nbids {2}\d+ orders, best [\d.]+\nasks /);
  });

  it('at writes a large book completely to a pipe', async () => {
    const large = join(folder.path, 'large.l4rec');
    const orders = Array.from({ length: 2_000 }, (_, oid) => order({ oid, limitPx: '99.9' }));
    writeRecording(large, 'BTC', { levels: [orders, []], epoch: service.epoch, height: 5, time: 7, seq: 3 });
    const child = spawn(process.execPath, [program, 'at', large, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const response = l4BookSnapshot.parse(JSON.parse(await text(child.stdout)));
    expect(response).toEqual({ coin: 'BTC', height: 5, time: 7, seq: 3, epoch: service.epoch, levels: [orders, []] });
  });

  it('queue, owners and sweep work on a recorded book', async () => {
    const [first, last] = [Math.min(...books.keys()), Math.max(...books.keys())];
    const head = { coin: 'BTC', epoch: service.epoch };
    const [bid] = books.get(first)?.[0] ?? [];
    const queue = await json('queue', bid?.user ?? '', '--from', path, '--at', String(first));
    expect(queue).toMatchObject({ ...head, height: first, seq: 0 });
    expect(queue.orders).toContainEqual(expect.objectContaining({ oid: bid?.oid, ordersAhead: 0 }));
    expect(await json('owners', '--from', path, '--coin', 'BTC')).toMatchObject({ ...head, height: last, seq: 20 });
    expect(await json('sweep', '--from', path, '--side', 'buy', '--ntl', '100')).toMatchObject({
      ...head,
      side: 'buy',
    });
    // A recording does not say what a lot is.
    expect(await json('sweep', '--from', path, '--side', 'buy', '--sz', '0.00000001')).toMatchObject({
      filledSz: '0.00000001',
    });
    const requests = service.snapshotRequests.length;
    const other = run('queue', bid?.user ?? '', '--from', path, '--coin', 'ETH');
    expect([await other.code, other.err]).toEqual([2, `${path} is a recording of BTC, not of ETH.\n`]);
    const neither = run('owners');
    expect([await neither.code, neither.err]).toEqual([
      2,
      'Specify --coin <coin>, or a recording with --from <file>.\n',
    ]);
    const past = run('owners', '--coin', 'BTC', '--at', '5');
    expect([await past.code, past.err]).toEqual([2, '--at needs --from: only a recording has past books.\n']);
    expect(service.snapshotRequests).toHaveLength(requests);
  });

  it('says beside the answer that a recording is cut off', async () => {
    const cut = join(folder.path, 'cut.l4rec');
    writeFileSync(cut, readFileSync(path).subarray(0, -400));
    for (const words of [
      ['owners', '--from', cut],
      ['sweep', '--from', cut, '--side', 'buy', '--sz', '1'],
      ['queue', `0x${'1'.repeat(40)}`, '--from', cut],
      ['at', cut],
    ]) {
      const command = run(...words, '--json');
      expect(await command.code).toBe(0);
      expect(command.err).toMatch(/^.*cut\.l4rec is cut off or still being written: readable up to byte [\d,]+.*\.\n$/);
      expect(JSON.parse(command.out)).toHaveProperty('coin', 'BTC');
    }
    const whole = run('owners', '--from', path);
    expect([await whole.code, whole.err]).toEqual([0, '']);
  });

  it('order returns its whole life, or reports that it is not in the recording', async () => {
    const heights = [...books.keys()];
    // An order that appeared and one that left during the recording.
    const oids = (height: number) =>
      new Set(
        books
          .get(height)
          ?.flat()
          .map(({ oid }) => oid),
      );
    const [before, after] = [oids(heights[0] ?? 0), oids(heights.at(-1) ?? 0)];
    const born = [...after].find((oid) => !before.has(oid));
    const gone = [...before].find((oid) => !after.has(oid));
    const life = await json('order', String(born), '--from', path);
    const bornAt = heights.find((height) => oids(height).has(born ?? -1));
    expect(life).toMatchObject({ oid: born, birth: { mark: { height: bornAt } }, end: null });
    expect(life.lifetimeBlocks).toBe((heights.at(-1) ?? 0) - (bornAt ?? 0));
    const end = await json('order', String(gone), '--from', path);
    const leftAt = heights.find((height) => !oids(height).has(gone ?? -1));
    expect(end).toMatchObject({ oid: gone, birth: null, end: { mark: { height: leftAt } } });
    const told = run('order', String(gone), '--from', path);
    expect(await told.code).toBe(0);
    expect(told.out).toMatch(
      new RegExp(
        `^Order ${gone} {2}(bid|ask) .*\nborn {6}before the recording, or in a gap\n[^]*left {6}block ${leftAt}: `,
      ),
    );
    const missing = run('order', '999999999', '--from', path);
    expect([await missing.code, missing.err]).toEqual([1, `Order 999999999 is not in ${path}.\n`]);
  });

  it('replay prints text and exits with 1 for a recording that contradicts itself', async () => {
    const told = run('replay', path, '--verify');
    expect([await told.code, told.err]).toEqual([0, '']);
    expect(told.out).toMatch(/^BTC {2}blocks \d+ to \d+\nrecorded {3}20 blocks, [\d,]+ changes, 1 keyframe\n/);
    expect(told.out).toMatch(/checksums {2}equal \(1 compared\)\ngaps {7}none\nfile {7}complete\n$/);
    const unverified = await json('replay', path);
    expect(unverified.checksums).toBe('not compared');
    const other = join(folder.path, 'text.l4rec');
    writeFileSync(other, 'this is no recording');
    const refused = run('replay', other);
    expect([await refused.code, refused.err]).toEqual([1, `${other}: The file is not a .l4rec recording.\n`]);
    const missing = run('replay', join(folder.path, 'none.l4rec'));
    expect(await missing.code).toBe(2);
    expect(missing.err).toMatch(/none\.l4rec: no such file or folder\.\n$/);
    const height = run('at', path, '--height', '-3');
    expect(await height.code).toBe(2);
    expect(height.err).toContain('It must be a whole number from 0.');
  });
});

import type { Updates } from '@l4desk/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diff, order, orderStatus } from '../build/orders.ts';
import { Chance } from '../chance.ts';
import { ScriptedService } from '../scripted-service.ts';
import { SpecClient } from './spec-client.ts';

const COINS = ['A', 'B', 'C'];

let service: ScriptedService;
let client: SpecClient;

beforeEach(async () => {
  service = await ScriptedService.start({ coins: COINS, chance: new Chance(5) });
  client = new SpecClient({
    infoUrl: `${service.url}/info`,
    streamUrl: `${service.url.replace('http', 'ws')}/ws`,
    key: 'k',
    coins: COINS,
  });
  client.start();
  await inStep();
});
afterEach(async () => {
  await client[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

async function inStep(): Promise<void> {
  await client.until(() =>
    COINS.every((coin) => {
      const position = client.position(coin);
      return position?.seq === service.seq(coin) && position.epoch === service.epoch;
    }),
  );
  for (const coin of COINS) expect(client.book(coin)?.difference(service.book(coin).levels())).toBeUndefined();
}

/** Sends the next block after applying `change`. */
function send(change: (updates: Updates) => unknown): void {
  const updates = service.make(['A']);
  service.sendText(JSON.stringify({ channel: 'l4BookUpdates', data: { Updates: change(updates) } }));
}

function firstEntry(updates: Updates, change: object): Updates {
  return { ...updates, book_diffs: updates.book_diffs.map((entry) => ({ ...entry, ...change })) };
}

describe('the specification client', () => {
  it('keeps exact books of three coins in one array, and reports no violation', async () => {
    for (let count = 0; count < 200; count += 1) service.block(COINS.filter((_, index) => count % (index + 1) === 0));
    await inStep();
    expect(service.said.filter(({ method }) => method === 'subscribe')).toHaveLength(1);
    expect(client.violations).toEqual([]);
    expect(client.gaps).toEqual([]);
    expect(client.batches).toBe(200);
  });

  it('reports every loss as a gap and recovers', async () => {
    service.block();
    service.block(COINS, { losing: ['B'] });
    service.block();
    await inStep();
    expect(client.gaps).toMatchObject([{ coin: 'B', kind: 'prev_seq', detail: 'at seq 1 came 2 → 3' }]);
    service.flipEpoch();
    service.block();
    await inStep();
    expect(client.gaps.slice(1).map(({ coin, kind }) => `${coin} ${kind}`)).toEqual(['A epoch', 'B epoch', 'C epoch']);
    service.cut();
    await client.until(() => client.gaps.length === 7);
    await inStep();
    expect(client.gaps.slice(4).every(({ kind }) => kind === 'connection')).toBe(true);
    expect(client.violations).toEqual([]);
  });

  it('[WS-33] accepts a report that a coin is unavailable, and continues', async () => {
    const body = '{"type":"l4BookUpdates","coin":["A","B","C"]}';
    const data = `Invalid subscription ${body}: B is not available upstream`;
    service.sendText(JSON.stringify({ channel: 'error', data }));
    await client.until(() => client.unavailable.length > 0);
    service.block();
    await inStep();
    expect([client.unavailable, client.violations, client.gaps]).toEqual([['B'], [], []]);
  });

  it.each<[string, (updates: Updates) => unknown, RegExp]>([
    ['a cursor of another block', (updates) => ({ ...updates, cursor: '1:1' }), /^cursor is 1:1$/],
    ['an epoch that is not a UUID', (updates) => ({ ...updates, epoch: 'today' }), /^Updates\.epoch is "today"$/],
    [
      'a block twice',
      (updates) => ({ ...updates, block_height: 1, cursor: `1:${updates.time}` }),
      /^Updates\.|^block 1 after block/,
    ],
    [
      'two entries of one coin',
      (updates) => ({ ...updates, book_diffs: [...updates.book_diffs, ...updates.book_diffs] }),
      /^two entries of one coin/,
    ],
    ['no entry at all', (updates) => ({ ...updates, book_diffs: [] }), /without an entry$/],
    [
      'a coin that is not subscribed',
      (updates) => firstEntry(updates, { coin: 'Z', book_diffs: [diff.remove({ coin: 'Z' })], order_statuses: [] }),
      /^an entry of Z/,
    ],
    ['an entry without a diff', (updates) => firstEntry(updates, { book_diffs: [] }), /without a diff$/],
    ['a seq that does not rise', (updates) => firstEntry(updates, { seq: 0 }), /does not follow/],
    [
      'an unknown oid',
      (updates) => firstEntry(updates, { book_diffs: [diff.remove({ coin: 'A', oid: 7 })] }),
      /which does not rest/,
    ],
    [
      'an order twice',
      (updates) =>
        firstEntry(updates, {
          book_diffs: [
            diff.insert('1', { coin: 'A', oid: 7, px: '1' }),
            diff.insert('1', { coin: 'A', oid: 7, px: '1' }),
          ],
        }),
      /rests already$/,
    ],
    [
      'a size that does not fit',
      (updates) =>
        firstEntry(updates, {
          book_diffs: [
            diff.insert('1', { coin: 'A', oid: 7, px: '1' }),
            diff.resize('2', '3', { coin: 'A', oid: 7, px: '1' }),
          ],
        }),
      /rests with 1, not 2$/,
    ],
    [
      'a crossed book',
      (updates) => firstEntry(updates, { book_diffs: [diff.insert('1', { coin: 'A', oid: 7, px: '99999' })] }),
      /crossed: bid 99999/,
    ],
    [
      'a diff without a side',
      (updates) => firstEntry(updates, { book_diffs: [{ ...diff.remove({ coin: 'A' }), side: undefined }] }),
      /side is undefined$/,
    ],
    [
      'a size that is a number',
      (updates) =>
        firstEntry(updates, { book_diffs: [{ ...diff.remove({ coin: 'A' }), raw_book_diff: { new: { sz: 1 } } }] }),
      /raw_book_diff is/,
    ],
    [
      'an owner inside a status',
      (updates) =>
        firstEntry(updates, {
          order_statuses: [{ ...orderStatus(order({ coin: 'A' })), order: order({ coin: 'A' }) }],
        }),
      /order\.user is/,
    ],
    [
      'a status time with a zone',
      (updates) =>
        firstEntry(updates, {
          order_statuses: [{ ...orderStatus(order({ coin: 'A' })), time: '2026-05-05T17:39:12.1Z' }],
        }),
      /time is/,
    ],
  ])('reports %s', async (_, change, complaint) => {
    service.block(['A']);
    await inStep();
    send(change);
    await client.until(() => client.violations.length > 0);
    expect(client.violations.join('\n')).toMatch(new RegExp(complaint.source, 'm'));
  });

  it.each<[string, string, RegExp]>([
    ['text that is not JSON', '{"channel":', /a frame that is not JSON/],
    ['a snapshot frame', '{"channel":"l4BookUpdates","data":{"Snapshot":{}}}', /must hold Updates and nothing else/],
    [
      'an acknowledgement of another subscription',
      '{"channel":"subscriptionResponse","data":{"method":"subscribe","subscription":{"type":"l4BookUpdates","coin":["A"]}}}',
      /an acknowledgement of nothing that was asked/,
    ],
    [
      'a second acknowledgement',
      '{"channel":"subscriptionResponse","data":{"method":"subscribe","subscription":{"type":"l4BookUpdates","coin":["A","B","C"]}}}',
      /an acknowledgement of nothing that was asked/,
    ],
    [
      'an error about a coin it does not follow',
      '{"channel":"error","data":"Invalid subscription {\\"type\\":\\"l4BookUpdates\\",\\"coin\\":[\\"A\\",\\"B\\",\\"C\\"]}: D is not available upstream"}',
      /nobody asked for/,
    ],
    ['an error that it did not cause', '{"channel":"error","data":"no"}', /nobody asked for/],
  ])('reports a message: %s', async (_, text, complaint) => {
    service.sendText(text);
    await client.until(() => client.violations.length > 0);
    expect(client.violations[0]).toMatch(complaint);
  });

  it('reports a snapshot that is out of order or malformed', async () => {
    service.snapshotScript.push((snapshot, response) =>
      response.end(JSON.stringify({ ...snapshot, levels: [snapshot.levels[0].toReversed(), snapshot.levels[1]] })),
    );
    client.breakConnection();
    await client.until(() => client.violations.length > 0);
    expect(client.violations[0]).toMatch(/side B of the snapshot is not in order of price/);
  });
});

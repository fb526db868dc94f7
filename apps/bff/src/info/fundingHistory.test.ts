import { fundingHistory } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { sharedInfoRig } from './test-support/info-rig.ts';

const HOUR = 3_600_000;
const FIRST = 1_681_923_600_000;

const entry = (n: number, coin = 'BTC') => ({
  coin,
  fundingRate: '0.0000125',
  premium: '-0.00012100',
  time: FIRST + n * HOUR + ((n * 37) % 90),
});

const rig = sharedInfoRig();

const ask = (more: object = {}) => rig.ask({ type: 'fundingHistory', coin: 'BTC', startTime: FIRST, ...more });

describe('responses', () => {
  it('[FUND-5, FUND-8, FUND-9, INFO-24] keep the exchange’s bytes if the entries are in order', async () => {
    const text = JSON.stringify([{ ...entry(0), more: '1.0' }, entry(1), entry(3)], null, 2);
    rig.respond('fundingHistory', { status: 200, text });
    const response = await ask();
    expect(response.text).toBe(text);
    expect(fundingHistory.safeParse(response.json()).success).toBe(true);
    expect(rig.meter.last).toEqual({ operation: 'fundingHistory', credits: 1, outcome: 'charged' });
  });

  it.each([
    ['the first', [2, 0, 1]],
    ['one in the middle', [0, 2, 1, 3]],
    ['the last', [0, 1, 3, 2]],
  ])('[FUND-5] are sorted if %s is out of order', async (_, order) => {
    rig.respond('fundingHistory', { json: order.map((n) => entry(n)) });
    expect((await ask()).json()).toEqual(order.toSorted((a, b) => a - b).map((n) => entry(n)));
  });

  it.each<[string, object, readonly number[]]>([
    ['before startTime', {}, [-2, -1, 0, 1]],
    ['after endTime', { endTime: FIRST + 5 * HOUR }, [4, 5, 6, 7]],
    ['outside the window, in any order', { endTime: FIRST + 5 * HOUR }, [7, 1, -1, 3]],
  ])('[FUND-15] leave out entries %s', async (_, more, sent) => {
    const at = (n: number) => ({ ...entry(n), time: FIRST + n * HOUR });
    rig.respond('fundingHistory', { json: sent.map(at) });
    const inside = sent.filter((n) => n >= 0 && !('endTime' in more && n > 5)).toSorted((a, b) => a - b);
    expect((await ask(more)).json()).toEqual(inside.map(at));
  });

  it('[FUND-15, FUND-6] are the oldest 500 of the window even if the upstream sends 700 from before it', async () => {
    const all = Array.from({ length: 1_400 }, (_, n) => entry(n - 700));
    rig.respond('fundingHistory', { json: all });
    expect((await ask()).json()).toEqual(all.slice(700, 1_200));
  });
});

describe('the upstream query', () => {
  const sent = { type: 'fundingHistory', coin: 'BTC', startTime: FIRST };

  it.each<[string, object, object]>([
    ['no endTime if there is none', {}, sent],
    ['no endTime if it is null', { endTime: null }, sent],
    ['endTime', { endTime: FIRST }, { ...sent, endTime: FIRST }],
    ['the coin of a builder market', { coin: 'xyz:GOLD' }, { ...sent, coin: 'xyz:GOLD' }],
  ])('[FUND-1, FUND-3, INFO-22] has %s', async (_, more, query) => {
    rig.respond('fundingHistory', { json: [] });
    expect((await ask(more)).status).toBe(200);
    expect(rig.exchange.asked).toEqual([query]);
  });

  it.each<[string, object, string]>([
    ['an end before the start', { endTime: FIRST - 1 }, 'endTime'],
    ['no start', { startTime: undefined }, 'startTime'],
    ['a start that is null', { startTime: null }, 'startTime'],
    ['a start between two ms', { startTime: 1.5 }, 'startTime'],
    ['a start as text', { startTime: '0' }, 'startTime'],
    ['a start before 1970', { startTime: -1 }, 'startTime'],
    ['an end past the largest exact number', { endTime: 2 ** 60 }, 'endTime'],
    ['no coin', { coin: undefined }, 'coin'],
  ])('[FUND-4, INFO-17] is not sent for %s', async (_, more, path) => {
    expect(rig.errorOf(await ask(more))).toMatchObject({ error: 'invalid_request', path });
    expect(rig.exchange.asked).toEqual([]);
  });
});

describe('[FUND-10] a coin that the exchange does not know', () => {
  it('[FUND-10] is unknown_coin after 500 null, and not charged', async () => {
    rig.respond('fundingHistory', { status: 500, text: 'null' });
    expect(rig.errorOf(await ask({ coin: 'NOPE' }))).toMatchObject({ error: 'unknown_coin', path: 'coin' });
    expect(rig.meter.last).toMatchObject({ outcome: 'released' });
  });

  it.each<[string, object, number, string]>([
    ['500 null for a coin that trades', {}, 500, 'null'],
    ['another 500', { coin: 'NOPE' }, 500, 'Internal Server Error'],
    ['another status', { coin: 'NOPE' }, 502, 'null'],
  ])('[UP-1] is not assumed after %s, which is upstream_error', async (_, more, status, text) => {
    rig.respond('fundingHistory', { status, text });
    expect(rig.errorOf(await ask(more)).error).toBe('upstream_error');
  });

  it('is reported as unknown_coin by another instance of this service', async () => {
    const text = JSON.stringify({ error: 'unknown_coin', message: 'x', code: 400, msg: 'x' });
    rig.respond('fundingHistory', { status: 400, text });
    expect(rig.errorOf(await ask({ coin: 'NOPE' })).error).toBe('unknown_coin');
  });
});

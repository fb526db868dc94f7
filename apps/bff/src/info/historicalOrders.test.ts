import { historicalOrders } from '@l4desk/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { sharedInfoRig, walletOf } from './test-support/info-rig.ts';

const user = walletOf(2);

const order = (oid: number, more: object = {}) => ({
  coin: 'BTC',
  side: 'B',
  limitPx: '81307.0',
  sz: '0.0',
  origSz: '1.50',
  oid,
  timestamp: 1_778_002_752_000,
  triggerCondition: 'N/A',
  isTrigger: false,
  triggerPx: '0.0',
  children: [],
  isPositionTpsl: false,
  reduceOnly: false,
  orderType: 'Limit',
  tif: 'Gtc',
  cloid: null,
  ...more,
});

const entry = (oid: number, more: object = {}, status = 'filled') => ({
  order: order(oid, more),
  status,
  statusTimestamp: 1_778_002_752_000 + oid,
});

const rig = sharedInfoRig();

const ask = (more: object = {}) => rig.ask({ type: 'historicalOrders', user, ...more });

describe('responses', () => {
  const child = order(9, { orderType: 'Stop Market', isTrigger: true, triggerPx: '80000.0', tif: null, children: [] });
  const whole = [
    entry(3, { coin: '@107', later: 'added' }),
    entry(2, { children: [child], isPositionTpsl: true }, 'open'),
    entry(2, {}, 'someNewStatusOfTheExchange'),
    entry(1, { tif: null, orderType: 'Stop Limit', cloid: '0x00000000000000000000000000000001' }, 'canceled'),
  ];

  it('[HIST-5, HIST-6, HIST-7, HIST-9, HIST-10, HIST-11, INFO-50, INFO-24] keep the exchange’s bytes if the entries are complete', async () => {
    const text = JSON.stringify(whole, null, 1);
    rig.respond('historicalOrders', { status: 200, text });
    const response = await ask();
    expect(response.text).toBe(text);
    expect(historicalOrders.safeParse(response.json()).success).toBe(true);
    expect(rig.meter.last).toEqual({ operation: 'historicalOrders', credits: 1, outcome: 'charged' });
  });

  it('[OPEN-4, INFO-24] keep the exchange’s own text of the fields of an order and child that lack a cloid', async () => {
    const child = '{"oid":2,"sz":2.50,"children":[]}';
    const text = `[{"order":{"oid":1,"sz":1.0,"children":[${child}, 7.0]},"status":"open","statusTimestamp":1.0e3}]`;
    rig.respond('historicalOrders', { status: 200, text });
    const completed = text
      .replace('"children":[]', '"children":[],"cloid":null')
      .replace(', 7.0]', ',7.0],"cloid":null');
    expect((await ask()).text).toBe(completed);
  });

  it('[HIST-4, INFO-50, INFO-24] keep the exchange’s own text of entries next to a completed one', async () => {
    const { order: inner, ...rest } = entry(1);
    const odd = `{ ${JSON.stringify(rest).slice(1, -1)},  "big":12345678901234567890 , "order":${JSON.stringify(inner)} }`;
    rig.respond('historicalOrders', {
      status: 200,
      text: `[${JSON.stringify(entry(2, { cloid: undefined }))} , ${odd}]`,
    });
    const response = await ask();
    expect((response.json() as unknown[])[0]).toEqual(entry(2));
    expect(response.text.slice(response.text.indexOf('{ '))).toBe(`${odd}]`);
  });

  it.each<[string, unknown]>([
    ['a trigger price as a number', entry(1, { triggerPx: 0 })],
    ['sizes that are null', entry(1, { sz: null, origSz: null })],
    ['children that are null', entry(1, { children: null })],
    ['a child that is an oid', entry(1, { children: [7] })],
    ['no order', { status: 'open', statusTimestamp: 1_778_002_752_000 }],
    ['no status time', { ...entry(1), statusTimestamp: null }],
    ['nothing that is known', 'later'],
  ])('[INFO-50] pass on an entry with %s as sent', async (_, odd) => {
    const text = JSON.stringify([entry(3), odd, entry(2)]);
    rig.respond('historicalOrders', { status: 200, text });
    const response = await ask();
    expect([response.status, response.text]).toEqual([200, text]);
    expect((await ask({ limit: 2 })).json()).toHaveLength(2);
  });
});

describe('limit', () => {
  const many = Array.from({ length: 2_100 }, (_, n) => entry((n * 1_009) % 2_100));

  beforeEach(() => rig.respond('historicalOrders', { json: many }));

  const oidsOf = async (more: object) =>
    ((await ask(more)).json() as ReturnType<typeof entry>[]).map((each) => each.order.oid);

  it.each<[string, object, number]>([
    ['2000 entries by default', {}, 2_000],
    ['2000 entries if more are requested', { limit: 1e300 }, 2_000],
    ['the requested number', { limit: 3 }, 3],
    ['one entry', { limit: 1 }, 1],
  ])('[HIST-2, HIST-4] returns %s, newest first, and is never sent upstream', async (_, more, count) => {
    expect(await oidsOf(more)).toEqual(Array.from({ length: count }, (_one, n) => 2_099 - n));
    expect(rig.exchange.asked).toEqual([{ type: 'historicalOrders', user }]);
  });

  it('[INFO-23, HIST-4] is applied per caller when two callers share one call', async () => {
    const [two, five] = await Promise.all([oidsOf({ limit: 2 }), oidsOf({ limit: 5 })]);
    expect([two.length, five.length]).toEqual([2, 5]);
  });
});

import { openOrders } from '@l4desk/protocol';
import { until } from '@l4desk/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { sharedInfoRig, walletOf } from './test-support/info-rig.ts';

const user = walletOf(1);
const PERP =
  '{"coin":"BTC","side":"B","limitPx":"81307.0","sz":"0.50","oid":90071992547,"timestamp":1778002752001,"origSz":"1.0","cloid":"0x00000000000000000000000000000001"}';
const SPOT =
  '{"coin":"@107", "side":"A","limitPx":"0.0001","sz":"10","oid":2,"timestamp":1778002752002,"origSz":"10.0","cloid":null,"reduceOnly":true}';

const rig = sharedInfoRig({
  prepare(exchange) {
    exchange.responses.set('perpDexs', { json: [null, { name: 'XyZ' }] });
    exchange.responses.set('meta XyZ', { json: { universe: [] } });
  },
});

beforeEach(() => {
  rig.respond('openOrders', { status: 200, text: `[${PERP}, ${SPOT}]` });
});

const ask = (more: object = {}) => rig.ask({ type: 'openOrders', user, ...more });

describe('responses', () => {
  it('[OPEN-3, INFO-50, INFO-24] keep the exchange’s bytes of complete orders, including unknown fields', async () => {
    const response = await ask();
    expect(response.status).toBe(200);
    expect(response.text).toBe(`[${PERP}, ${SPOT}]`);
    expect(openOrders.safeParse(response.json()).success).toBe(true);
    expect(rig.meter.last).toEqual({ operation: 'openOrders', credits: 1, outcome: 'charged' });
  });

  it('[INFO-24] keep the text of rows with brackets, quotes and commas in strings', async () => {
    const odd = [
      '{"coin":"a]b","cloid":"x\\"},{","origSz":"1","n":[[1,2],{"k":"}"}]}',
      '7',
      '"],["',
      '[{}, []]',
      'null',
      '{ "cloid" : null,"origSz":1.50e3 }',
    ];
    rig.respond('openOrders', { status: 200, text: `\n [ {"sz":"1.0"} , ${odd.join(' ,\n')} ]` });
    expect((await ask()).text).toBe(`[{"sz":"1.0","origSz":"1.0","cloid":null},${odd.join()}]`);
  });

  it('[OPEN-4, INFO-50, INFO-24] keep the exchange’s own text of the fields of a completed order, and of orders next to it', async () => {
    const odd = SPOT.replace('{', '{ "big":12345678901234567890 ,  ');
    const bare =
      '{"coin":"BTC","side":"B","limitPx":81307.0,"sz":"0.50","oid":7,"big":12345678901234567890,"origSz":1.0}';
    rig.respond('openOrders', { status: 200, text: `[${bare} , ${odd}]` });
    expect((await ask()).text).toBe(`[${bare.replace(/}$/, ',"cloid":null}')},${odd}]`);
  });

  it.each<[string, string]>([
    ['an original size that is null', PERP.replace('"origSz":"1.0"', '"origSz":null')],
    ['a price as a number', PERP.replace('"81307.0"', '81307.0')],
    ['an unknown side', PERP.replace('"side":"B"', '"side":"X"')],
    ['no size', PERP.replace('"sz":"0.50",', '')],
    ['only fields that are not known', '{"kind":"twap","cloid":null,"origSz":null}'],
    ['no order at all', 'null'],
  ])('[INFO-50] pass on a row with %s as sent', async (_, row) => {
    const text = `[${PERP}, ${row},${SPOT}]`;
    rig.respond('openOrders', { status: 200, text });
    const response = await ask();
    expect([response.status, response.text]).toEqual([200, text]);
    expect(rig.meter.last).toEqual({ operation: 'openOrders', credits: 1, outcome: 'charged' });
  });
});

it('aborts a response of 60 MB at the limit of its kind, and does not charge it', async () => {
  rig.respond('openOrders', { status: 200, text: Buffer.alloc(60 * 1024 * 1024, `[${'{},'.repeat(1000)}`) });
  expect(rig.errorOf(await ask())).toMatchObject({
    error: 'upstream_error',
    message: 'The exchange failed to respond: upstream sent a response that is too large.',
  });
  expect(rig.meter.last).toMatchObject({ outcome: 'released' });
  await until('the call is over', () => rig.exchange.open === 0);
});

it('[UP-1] rejects a response that is not UTF-8', async () => {
  rig.respond('openOrders', { status: 200, text: Buffer.from(`[${SPOT.replace('@107', '\u00e9')}]`, 'latin1') });
  expect(rig.errorOf(await ask()).message).toContain('a response that is not JSON');
});

it.each<[string, unknown]>([
  ['an object', {}],
  ['null', null],
])('[UP-1, UP-15] %s instead of a list is upstream_error', async (_, json) => {
  rig.respond('openOrders', { json });
  expect(rig.errorOf(await ask())).toMatchObject({
    error: 'upstream_error',
    message: 'The exchange failed to respond: upstream sent a response that is not a JSON array.',
  });
});

describe('the upstream query', () => {
  it.each<[string, object, object]>([
    ['no dex', {}, { type: 'openOrders', user }],
    ['an empty dex', { dex: '' }, { type: 'openOrders', user, dex: '' }],
    ['a dex that is null', { dex: null }, { type: 'openOrders', user }],
    ['a dex, as sent', { dex: 'XyZ' }, { type: 'openOrders', user, dex: 'XyZ' }],
    ['no unknown fields', { limit: 1, users: [] }, { type: 'openOrders', user }],
    ['the wallet in lowercase', { user: `0x${user.slice(2).toUpperCase()}` }, { type: 'openOrders', user }],
  ])('[OPEN-1, INFO-20, INFO-21, INFO-22] has %s', async (_, more, sent) => {
    expect((await ask(more)).status).toBe(200);
    expect(rig.exchange.asked).toEqual([sent]);
  });
});

import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type InfoRig, startInfoRig } from './test-support/info-rig.ts';

/** Delisted, as the fake exchange's `meta` says. */
const COIN = 'OLD';

let rig: InfoRig;

beforeAll(async () => {
  rig = await startInfoRig();
});

afterAll(() => rig[Symbol.asyncDispose]());

it('[FUND-11] the funding history of a delisted perp is served', async () => {
  const text = `[{"coin":"${COIN}","fundingRate":"0.0","premium":"NaN","time":1710471600208}]`;
  rig.respond('fundingHistory', { status: 200, text });
  const response = await rig.ask({ type: 'fundingHistory', coin: COIN, startTime: 0 });
  expect([response.status, response.text]).toEqual([200, text]);
});

it('[FUND-11] a failure of the exchange does not make it an unknown coin', async () => {
  rig.respond('fundingHistory', { status: 500, text: 'null' });
  const response = await rig.ask({ type: 'fundingHistory', coin: COIN, startTime: 0 });
  expect(rig.errorOf(response).error).toBe('upstream_error');
});

it('[SNAP-23] it has no book', async () => {
  const response = await rig.ask({ type: 'l4BookSnapshot', coin: COIN });
  expect(rig.errorOf(response)).toMatchObject({ error: 'unknown_coin', path: 'coin' });
});

it('[WS-32] a subscription that names it is refused, and says which coin it is', async () => {
  const socket = new WebSocket(`${rig.service.url.replace('http', 'ws')}/ws?key=${rig.key}`);
  await once(socket, 'open');
  const subscription = { type: 'l4BookUpdates', coin: ['BTC', COIN] };
  socket.send(JSON.stringify({ method: 'subscribe', subscription }));
  const [message] = (await once(socket, 'message')) as [Buffer];
  expect(JSON.parse(message.toString())).toEqual({
    channel: 'error',
    data: `Invalid subscription ${JSON.stringify(subscription)}: unknown coin "${COIN}"`,
  });
  socket.close();
  await once(socket, 'close');
});

import { once } from 'node:events';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { sharedInfoRig } from './test-support/info-rig.ts';

/** A coin that is delisted in the fake exchange's `meta`. */
const COIN = 'OLD';

const rig = sharedInfoRig();

it('[FUND-11] serves the funding history of a delisted perp', async () => {
  const text = `[{"coin":"${COIN}","fundingRate":"0.0","premium":"NaN","time":1710471600208}]`;
  rig.respond('fundingHistory', { status: 200, text });
  const response = await rig.ask({ type: 'fundingHistory', coin: COIN, startTime: 0 });
  expect([response.status, response.text]).toEqual([200, text]);
});

it('[FUND-11] reports a failure of the exchange for a delisted perp as upstream_error, not unknown_coin', async () => {
  rig.respond('fundingHistory', { status: 500, text: 'null' });
  const response = await rig.ask({ type: 'fundingHistory', coin: COIN, startTime: 0 });
  expect(rig.errorOf(response).error).toBe('upstream_error');
});

it('[SNAP-14] refuses a snapshot of a delisted perp as unknown_coin', async () => {
  const response = await rig.ask({ type: 'l4BookSnapshot', coin: COIN });
  expect(rig.errorOf(response)).toMatchObject({ error: 'unknown_coin', path: 'coin' });
});

it('[WS-19] refuses a subscription that names a delisted perp, and names the coin', async () => {
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

import { until, wallet } from '@l4desk/testkit';
import { startTestService, type TestService } from '@l4desk/testkit/service';
import { describe, expect, test } from 'vitest';
import { PENDING_POSTS_MAX } from './posts.ts';
import { StreamClient, StreamServer } from './test-support/stream-server.ts';

const META = { type: 'info', payload: { type: 'meta' } };

const post = (client: StreamClient, id: unknown, request: unknown = META) =>
  client.send({ method: 'post', id, request });

/** The posted responses that came, by id. */
const answers = ({ texts }: StreamClient): ReadonlyMap<unknown, unknown> =>
  new Map(
    texts.flatMap((text) => {
      const { channel, data } = JSON.parse(text);
      return channel === 'post' ? [[data.id, data.response] as const] : [];
    }),
  );

describe('a post', () => {
  test('[WS-50] never counts as an invalid message, whatever it asks for, and is charged by nothing but its query', async () => {
    await using server = await StreamServer.start();
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    for (let id = 0; id < 20; id += 1) {
      post(client, id);
      client.send({ method: 'post', request: META });
      post(client, `x${id}`, { type: 'action', payload: { action: {} } });
    }
    await client.until(() => answers(client).size === 40);
    await client.settled();
    server.feed.publish(['BTC']);
    await client.settled();
    expect(client.closed).toBeNull();
    expect(client.texts.at(-1)).toContain('l4BookUpdates');
    const unreadable = client.texts.filter((text) => text.includes('Error parsing JSON into valid websocket request'));
    expect(unreadable).toHaveLength(20);
  });

  test.each(['1', '0', '18446744073709551615', '1.50', '"a\\u0062"'])(
    '[WS-51] has its id %s echoed exactly as sent',
    async (text) => {
      await using server = await StreamServer.start();
      const client = await server.connect();
      client.send(`{"id": ${text} ,"method":"post","request":${JSON.stringify(META)}}`);
      await client.until(() => client.texts.length === 1);
      expect(client.texts[0]).toBe(
        `{"channel":"post","data":{"id":${text},"response":{"type":"info","payload":{"type":"meta","data":{}}}}}`,
      );
    },
  );

  test.each([
    [{ type: 'action', payload: { action: { type: 'order' }, nonce: 1, signature: {} } }, 'serves queries only'],
    [{ type: 'explorer', payload: {} }, 'serves queries only'],
    [null, 'serves queries only'],
    [{ type: 'info' }, 'The payload must be a JSON object.'],
    [{ type: 'info', payload: [META] }, 'The payload must be a JSON object.'],
    [{ type: 'info', payload: { type: 'nope' } }, 'Unknown query type.'],
  ])('[WS-50] of %j is an error with a sentence', async (request, sentence) => {
    await using server = await StreamServer.start();
    const client = await server.connect();
    post(client, 7, request);
    await client.until(() => answers(client).size === 1);
    expect(answers(client).get(7)).toEqual({ type: 'error', payload: expect.stringContaining(sentence) });
  });

  test('[WS-51] is served beside others, in the order in which their responses come, and refused past the limit', async () => {
    await using server = await StreamServer.start({ messagesPerSecondMax: 1_000 });
    const client = await server.connect();
    const waiting = new Map<number | string, (text: string) => void>();
    server.info.respond = (query) => new Promise((resolve) => waiting.set(query.n as number | string, resolve));
    for (let id = 0; id <= PENDING_POSTS_MAX; id += 1)
      post(client, id, { type: 'info', payload: { type: 'meta', n: id } });
    await client.until(() => answers(client).size === 1);
    expect([...answers(client)]).toEqual([
      [PENDING_POSTS_MAX, { type: 'error', payload: 'too many pending post requests' }],
    ]);
    for (const [n, respond] of [...waiting].toReversed()) respond(`[${n}]`);
    await client.until(() => answers(client).size === PENDING_POSTS_MAX + 1);
    expect(answers(client).get(3)).toEqual({ type: 'info', payload: { type: 'meta', data: [3] } });
    post(client, 'again', { type: 'info', payload: { type: 'meta', n: 'again' } });
    await until('it is served', () => waiting.has('again'));
    waiting.get('again')?.('[]');
    await client.until(() => answers(client).has('again'));
  });

  test('[WS-52] has a response larger than the bound on unsent bytes sent whole, one after another, beside the stream', async () => {
    await using server = await StreamServer.start({ unsentBytesMax: 100_000 });
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    await client.settled();
    server.info.respond = async () => JSON.stringify('x'.repeat(3_000_000));
    for (const id of [1, 2, 3]) post(client, id);
    await client.until(() => answers(client).size === 3);
    server.feed.publish(['BTC']);
    await client.settled();
    expect([client.closed, client.violations]).toEqual([null, []]);
    expect(server.stream.health().unsentBytes).toBe(0);
  });

  test('[WS-52] lets a block pass between two responses', async () => {
    await using server = await StreamServer.start();
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    await client.settled();
    server.info.respond = async () => JSON.stringify('x'.repeat(100_000));
    server.sockets.at(-1)?.cork();
    for (const id of [1, 2]) post(client, id);
    await until('both responses wait', () => server.stream.health().unsentBytes > 200_000);
    server.feed.publish(['BTC']);
    server.sockets.at(-1)?.uncork();
    await client.until(() => answers(client).size === 2);
    expect(client.texts.slice(-3).map((text) => JSON.parse(text).channel)).toEqual(['post', 'l4BookUpdates', 'post']);
  });

  test('[WS-52, WS-23] does not let a client read the stream slowly', async () => {
    await using server = await StreamServer.start({ unsentBytesMax: 100_000 });
    const client = await server.connect();
    client.subscribe({ coin: 'BTC' });
    await client.settled();
    server.info.respond = async () => JSON.stringify('x'.repeat(300_000));
    server.sockets.at(-1)?.cork();
    post(client, 1);
    await until('the response waits', () => server.stream.health().unsentBytes > 300_000);
    for (let count = 0; count < 3; count += 1) server.feed.publish(['BTC'], 50_000);
    server.sockets.at(-1)?.uncork();
    await client.until(() => client.closed !== null);
    expect(client.closed).toMatchObject({ code: 1013 });
  });

  test('[WS-52, BILL-23] of a client that leaves is told so, and sends nothing to the others', async () => {
    await using server = await StreamServer.start();
    const [client, other] = [await server.connect(), await server.connect()];
    const gone: AbortSignal[] = [];
    server.info.respond = (_, caller) => {
      gone.push(caller.clientGone);
      return new Promise((resolve) => caller.clientGone.addEventListener('abort', () => resolve('{}')));
    };
    post(client, 1);
    post(other, 1);
    await until('both are served', () => gone.length === 2);
    client.socket.close();
    await until('it is gone', () => gone[0]?.aborted);
    await other.settled();
    expect([gone.map(({ aborted }) => aborted), other.texts]).toEqual([[true, false], []]);
  });

  test('[WS-50] with a key that was revoked meanwhile is refused', async () => {
    await using server = await StreamServer.start();
    const client = await server.connect();
    server.keys.revoked.add('good');
    post(client, 1);
    await client.until(() => answers(client).size === 1);
    expect(answers(client).get(1)).toMatchObject({ type: 'error' });
  });
});

interface Usage {
  readonly data: { readonly aggregate: { readonly credits_consumed: number } };
}

/** Posts a query on a socket and over HTTP. */
async function bothWays(rig: TestService, key: string, client: StreamClient, id: number, query: object) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${rig.url}/info`, { method: 'POST', headers, body: JSON.stringify(query) });
  const json = (await response.json()) as { readonly message: string };
  post(client, id, { type: 'info', payload: query });
  await client.until(() => answers(client).has(id));
  const http = response.ok
    ? { type: 'info', payload: { type: (query as { type: string }).type, data: json } }
    : { type: 'error', payload: json.message };
  return { http, socket: answers(client).get(id) };
}

test('[WS-50] is served exactly like POST /info: the same responses, refusals and price', async () => {
  await using rig = await startTestService();
  const { api, id: account } = await rig.account('team');
  await until('the lists of coins', async () => (await rig.service.readiness()).status === 'ready');
  const user = wallet(1);
  rig.exchange.responses.set('openOrders', { json: [] });
  rig.exchange.responses.set('spotClearinghouseState', { json: { balances: [] } });
  rig.exchange.responses.set('maxMarketOrderNtls', { status: 500, text: 'null' });
  rig.exchange.responses.set('userRole', { status: 422, text: 'Failed to deserialize' });
  const client = await StreamClient.open(`${rig.url.replace('http', 'ws')}/ws?key=${api}`);
  const queries = [
    { type: 'meta' },
    { type: 'openOrders', user: user.toUpperCase().replace('0X', '0x') },
    { type: 'batchSpotClearinghouseState', users: [user, wallet(2)] },
    { type: 'maxMarketOrderNtls' },
    { type: 'userRole', user },
    { type: 'openOrders', user: 'nobody' },
    { type: 'l4BookSnapshot', coin: '@1' },
    { type: 'order' },
    { user },
  ];
  for (const [id, query] of queries.entries()) {
    const { http, socket } = await bothWays(rig, api, client, id, query);
    expect({ query, response: socket }).toEqual({ query, response: http });
  }
  // meta and openOrders 1 each, the batch 25, each once over HTTP and once on the socket; a refusal costs nothing.
  const day = '2026-11-20';
  await expect
    .poll(async () => {
      const headers = { Authorization: `Bearer ${(await rig.key(account, 'service')).key}` };
      const usage = await fetch(`${rig.url}/platform/usage/?from=${day}&to=${day}`, { headers });
      return ((await usage.json()) as Usage).data.aggregate.credits_consumed;
    })
    .toBe(54);
  client.socket.close();
});

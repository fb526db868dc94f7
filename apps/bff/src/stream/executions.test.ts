import { expect, test } from 'vitest';
import { StreamServer } from './test-support/stream-server.ts';

test('sends known executions only to subscriptions that request them', async () => {
  await using server = await StreamServer.start();
  const [asks, plain, both] = [await server.connect(), await server.connect(), await server.connect()];
  asks.subscribe({ coin: ['BTC', 'ETH'], executions: true });
  plain.subscribe({ coin: 'BTC', executions: false });
  both.subscribe({ coin: ['BTC', 'ETH'] });
  both.subscribe({ coin: 'BTC', executions: true, statuses: 'book' });
  for (const client of [asks, plain, both]) await client.settled();
  const block = server.feed.publish(['BTC', 'ETH']);
  const executed = [{ oid: 7, sz: '0.5' }];
  const entries = block.entries.map((entry) =>
    entry.coin === 'BTC' ? { ...entry, executed: JSON.stringify(executed) } : entry,
  );
  server.feed.hand({ ...block, height: block.height + 1, entries });
  for (const client of [asks, plain, both]) await client.settled();
  const told = ({ texts }: { readonly texts: readonly string[] }) =>
    JSON.parse(texts.at(-1) ?? '').data.Updates.book_diffs.map((entry: { coin: string; executed?: unknown }) => [
      entry.coin,
      entry.executed,
    ]);
  expect(told(asks)).toEqual([
    ['BTC', executed],
    ['ETH', undefined],
  ]);
  expect(told(plain)).toEqual([['BTC', undefined]]);
  expect(told(both)).toEqual(told(asks));
});

test('[WS-15] refuses a subscription whose field is not a boolean', async () => {
  await using server = await StreamServer.start();
  const client = await server.connect();
  client.subscribe({ coin: 'BTC', executions: 1 });
  await client.settled();
  expect(client.texts[0]).toContain('executions must be true or false');
});

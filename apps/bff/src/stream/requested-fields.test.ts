import { expect, test } from 'vitest';
import { StreamServer } from './test-support/stream-server.ts';

test('sends a checksum only to subscriptions that request it', async () => {
  await using server = await StreamServer.start();
  const [asks, plain, both] = [await server.connect(), await server.connect(), await server.connect()];
  asks.subscribe({ coin: 'BTC', checksum: true });
  plain.subscribe({ coin: 'BTC', checksum: false });
  both.subscribe({ coin: ['BTC', 'ETH'] });
  both.subscribe({ coin: 'ETH', checksum: true, statuses: 'book' });
  for (const client of [asks, plain, both]) await client.settled();
  const block = server.feed.publish(['BTC', 'ETH']);
  const entries = block.entries.map((entry) => ({ ...entry, checksum: `${entry.coin.toLowerCase()}00112233aabbc` }));
  server.feed.hand({ ...block, height: block.height + 1, entries });
  for (const client of [asks, plain, both]) await client.settled();
  const sums = ({ texts }: { readonly texts: readonly string[] }) =>
    JSON.parse(texts.at(-1) ?? '').data.Updates.book_diffs.map(
      (entry: { coin: string; checksum?: string }) => `${entry.coin} ${entry.checksum}`,
    );
  expect(sums(asks)).toEqual(['BTC btc00112233aabbc']);
  expect(sums(plain)).toEqual(['BTC undefined']);
  expect(sums(both)).toEqual(['BTC undefined', 'ETH eth00112233aabbc']);
});

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

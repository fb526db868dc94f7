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

test('[WS-15] refuses a subscription whose field is not a boolean', async () => {
  await using server = await StreamServer.start();
  const client = await server.connect();
  client.subscribe({ coin: 'BTC', checksum: 'yes' });
  await client.settled();
  expect(client.texts[0]).toContain('checksum must be true or false');
});

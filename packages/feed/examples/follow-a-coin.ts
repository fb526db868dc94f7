// Follows one coin of an order-level server: prints its best prices and its next three blocks. With `npm run venue` running:
//   npm run example packages/feed/examples/follow-a-coin.ts ws://127.0.0.1:4410/ws BTC

import { type L4BookSnapshot, type L4FeedSettings, startL4Feed } from '@l4desk/feed';
import type { Log } from '@l4desk/runtime';

const [url = 'ws://127.0.0.1:4410/ws', coin = 'BTC'] = process.argv.slice(2);
const log: Log = { debug() {}, info() {}, warn: console.error, error: console.error };
const settings: L4FeedSettings = {
  upstream: { dialect: 'l4Book', url },
  pinnedCoins: [],
  lingerMs: 0,
  auditMs: 60_000,
  reorderMs: 200,
  rebuildMaxMs: 30_000,
};
// Runs in a worker thread: `@l4desk/feed/worker`, bundled as l4-worker.js beside this program.
await using feed = startL4Feed(settings, log);

// Listen first, so that no block is missed: blocks at or below the snapshot's seq are already part of the snapshot.
const threeBlocks = new Promise<void>((resolve) => {
  let blocks = 0;
  feed.onBlock(({ height, entries }) => {
    for (const { seq, prevSeq, book } of entries.filter((entry) => entry.coin === coin)) {
      console.log(`${coin} block ${height}: seq ${seq} after ${prevSeq}, ${book.plain.length} bytes`);
      blocks += 1;
    }
    if (blocks >= 3) resolve();
  });
});
feed.acquire(coin); // followed until the lease is released or the feed is disposed
const { bytes } = await feed.snapshot(coin, 'identity', AbortSignal.timeout(10_000));
const { height, seq, levels }: L4BookSnapshot = JSON.parse(new TextDecoder().decode(bytes));
console.log(`${coin} at ${height}, seq ${seq}: bid ${levels[0][0]?.limitPx}, ask ${levels[1][0]?.limitPx}`);
await threeBlocks;

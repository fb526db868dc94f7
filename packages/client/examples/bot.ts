// A minimal bot: queries the mid, follows the coin and prints the top of its book. With `npm start` running:
//   L4DESK_KEY=l4k_… npm run example packages/client/examples/bot.ts BTC
import { allMids, createClient, type Follower, follow } from '@l4desk/client';
import { WebSocket } from 'ws'; // Node 20 has no WebSocket of its own

const { L4DESK_URL = 'http://127.0.0.1:4400', L4DESK_KEY = '' } = process.env;
const [coin = 'BTC'] = process.argv.slice(2);
const client = createClient({ baseUrl: L4DESK_URL, apiKey: L4DESK_KEY, WebSocket });

const mids = await allMids(client, {}, { signal: AbortSignal.timeout(60_000) });
console.log(`${coin} mid ${mids[coin]}`);

const end = await new Promise<string>((resolve) => {
  let blocks = 0;
  const follower: Follower = follow({
    client,
    coins: [coin],
    onEvent(event) {
      // After a lost connection or a gap the client refetches the book. This is where a bot cancels its quotes.
      if (event.kind === 'state') console.log(`${coin} ${event.state.kind}: ${event.state.detail}`);
      if (event.kind === 'refused') resolve(event.message);
      if (event.kind === 'connection' && event.connection.kind === 'stopped') resolve(event.connection.reason.kind);
      if (event.kind !== 'block') return;
      const book = follower.coin(coin)?.book; // right after this block
      const [bid, ask] = [book?.best('B'), book?.best('A')];
      console.log(`${coin} at ${event.batch.height}: bid ${bid?.sz} @ ${bid?.px}, ask ${ask?.sz} @ ${ask?.px}`);
      blocks += 1;
      if (blocks === 3) follower.close(); // the connection stops with the reason `closed`
    },
  });
});
console.log(`ended: ${end}`);

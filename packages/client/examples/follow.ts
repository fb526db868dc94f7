import { createClient, type Follower, follow } from '@l4desk/client';
import { WebSocket } from 'ws'; // Node 20 has no WebSocket; a browser does not need this

const { L4DESK_URL = 'http://127.0.0.1:4400', L4DESK_KEY = '' } = process.env;
const client = createClient({ baseUrl: L4DESK_URL, apiKey: L4DESK_KEY, WebSocket });

const blocks = await new Promise<number>((resolve) => {
  let seen = 0;
  const follower: Follower = follow({
    client,
    coins: ['BTC', 'ETH'], // one subscription, one socket
    onEvent(event) {
      if (event.kind === 'state') console.log(event.coin, event.state.kind, event.state.detail);
      if (event.kind === 'block') {
        const { height, seq, changes } = event.batch;
        const book = follower.coin(event.coin)?.book; // right after this block
        console.log(event.coin, height, seq, changes.length, book?.best('B'), book?.best('A'));
        seen += 1;
        if (seen === 3) {
          follower.close();
          resolve(seen);
        }
      }
    },
  });
});
console.log(`${blocks} blocks`);

import { createClient, type Follower, follow, isAddress } from '@l4desk/client';
import { FlowWindow, figures, History, OwnersMemory, orderLife, QueueLives } from '@l4desk/client/insight';
import { WebSocket } from 'ws'; // Node 20 has no WebSocket; a browser does not need this

const { L4DESK_URL = 'http://127.0.0.1:4400', L4DESK_KEY = '', WALLET } = process.env;
const client = createClient({ baseUrl: L4DESK_URL, apiKey: L4DESK_KEY, WebSocket });
const coin = 'BTC';
const wallets = [WALLET].filter((text) => isAddress(text));

const history = new History(coin); // the last minutes, within HISTORY_BOUNDS
const flow = new FlowWindow(5_000); // what moved in the last 5 s
const queues = new QueueLives(); // the queue in front of each order of the wallets
const nearMid = new OwnersMemory(); // makes `figures` cost as much as a block's changes

const blocks = await new Promise<number>((resolve) => {
  let seen = 0;
  const follower: Follower = follow({
    client,
    coins: [coin],
    onEvent(event) {
      if (event.kind !== 'book' && event.kind !== 'block') return;
      const { book, height, blockTime: time, epoch, seq } = follower.coin(coin) ?? {};
      if (!book || height === undefined || time === undefined || epoch === undefined || seq === undefined) return;
      if (event.kind === 'book') {
        // The first book, or a new one after blocks were missed, which the history keeps as a gap.
        history.begin(book, { height, time, epoch, seq }, 'rebuilt');
        queues.reset(book, wallets, { height, time });
        console.log(`${height}: ${book.orderCount} orders`);
        return;
      }
      const events = history.add(event.batch)?.events() ?? [];
      queues.apply(book, events, { height, time });
      nearMid.note(book, events);
      flow.moveTo(history, history.last);

      const { mid, microprice, spreadBps, imbalances } = figures(book, undefined, nearMid) ?? {};
      console.log(`${height}: mid ${mid}, microprice ${microprice}, spread ${spreadBps} bps, ${imbalances?.[0]?.lean}`);
      const { added, canceled, executed } = flow.totals.total();
      console.log(`${height}: 5 s: ${added.sz} added, ${canceled.sz} canceled, ${executed.sz} executed`);
      for (const { oid, side, px, ahead, executed: ran } of queues.nearest('B', 3)) {
        console.log(`${oid} ${side} ${px}: ${ahead.sz} ahead, ${ran.sz} executed in front of it`);
      }

      seen += 1;
      if (seen === 3) {
        follower.close();
        resolve(seen);
      }
    },
  });
});

// The past is there too: the book before those blocks, and what became of its best bid.
const [best] = history.bookAt(history.last - blocks).orders('B');
if (best) {
  const { events, end } = orderLife(history, history.newestBook(), best.oid) ?? {};
  console.log(
    `best bid ${blocks} blocks ago: ${best.oid}, ${events?.length} changes since, ${end?.kind ?? 'still rests'}`,
  );
}

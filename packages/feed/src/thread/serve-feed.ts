/** Serves a feed in a worker thread over a message port (`port.ts`). */

import type { MessagePort } from 'node:worker_threads';
import type { Log } from '@l4desk/runtime';
import { postedLog, RpcServer, Transferred } from '@l4desk/runtime/node';
import type { CoinLease, CoinStatus, L4Feed } from '../api.ts';
import { viewKey } from '../channels/book-views.ts';
import type { StateListeners } from '../local/output-feed.ts';
import { type FeedCalls, type FromWorker, holdKey, packBlock, type ToWorker } from './port.ts';

const HEALTH_MS = 1_000;

type OwnDeps = Required<StateListeners>;

/** Runs a feed on this thread for the client at the other end of the port. */
export function serveFeed(port: MessagePort, openFeed: (log: Log, deps: OwnDeps) => L4Feed): void {
  const send = (message: FromWorker, transfer: readonly ArrayBuffer[] = []) => port.postMessage(message, transfer);
  let healthDue = false;
  const sendHealth = () => {
    healthDue = false;
    send({ kind: 'health', health: feed.health() });
  };
  const onStateChange = () => {
    // Many states change together when a connection is lost; one report covers all of them.
    if (!healthDue) setImmediate(sendHealth);
    healthDue = true;
  };
  const onBookStatus = (coin: string, status: CoinStatus | null, upstreamAgeMs: number | null) => {
    send({ kind: 'status', coin, status, upstreamAgeMs });
  };
  const feed = openFeed(postedLog(send), { onStateChange, onBookStatus });
  const healthTimer = setInterval(sendHealth, HEALTH_MS);
  feed.onBlock((block) => {
    const packed = packBlock(block);
    send({ kind: 'block', block: packed }, [packed.bytes]);
  });
  feed.onTrades((trades) => send({ kind: 'trades', trades }));
  const views = new Map<string, () => void>();
  feed.onView((view) => send({ kind: 'view', view }));
  const leases = new Map<string, CoinLease>();
  const calls = new RpcServer<FeedCalls>(
    {
      snapshot: (signal, coin, encoding) => feed.snapshot(coin, encoding, signal),
      readL2Book: (signal, query) => feed.readL2Book(query, signal),
      earlier: async (signal, query) => {
        if (feed.earlier === undefined) throw new Error('this feed has no earlier blocks');
        const { blocks, ...rest } = await feed.earlier(query, signal);
        const packed = blocks.map(({ ageMs, block }) => ({ ageMs, block: packBlock(block) }));
        return new Transferred(
          { ...rest, blocks: packed },
          packed.map(({ block }) => block.bytes),
        );
      },
    },
    send,
  );

  const receive = (message: ToWorker): void => {
    switch (message.kind) {
      case 'acquire':
        leases.set(holdKey(message), feed.acquire(message.coin, message.reader));
        return;
      case 'release':
        leases.get(holdKey(message))?.release();
        leases.delete(holdKey(message));
        return;
      case 'call':
      case 'cancel':
        calls.receive(message);
        return;
      case 'watch':
        views.set(viewKey(message.query), feed.watchView(message.query));
        return;
      case 'unwatch':
        views.get(viewKey(message.query))?.();
        views.delete(viewKey(message.query));
        return;
      case 'close':
        clearInterval(healthTimer);
        port.close();
        void feed[Symbol.asyncDispose]();
    }
  };
  port.on('message', receive);
}

import { Child } from './child.ts';

/** Number of orders in a book of the size of the exchange's largest. */
const BOOK_ORDERS = 51_000;

/** Coins with such a book. */
export const BOOK_COINS = ['A0', 'A1', 'A2', 'A3'] as const;

/** An order-level server whose books do not change. */
const MODULE = `
  import { WebSocketServer } from 'ws';
  const order = (coin, side, n) => ({
    user: '0x' + (n % 6200).toString(16).padStart(40, 'b'), coin, side, limitPx: String(81000 + (side === 'A' ? 1 : -1) * (1 + Math.floor(n / 3))) + '.0',
    sz: '0.' + String(1 + n % 99999).padStart(5, '0'), oid: n * 2 + (side === 'A' ? 1 : 0), timestamp: 1778002752000 + n,
    triggerCondition: 'N/A', isTrigger: false, triggerPx: '0.0', children: [], isPositionTpsl: false, reduceOnly: false,
    orderType: 'Limit', origSz: '1.0', tif: 'Alo', cloid: '0x' + n.toString(16).padStart(32, '0') });
  const side = (coin, name) => Array.from({ length: ${BOOK_ORDERS} / 2 }, (_, n) => order(coin, name, n));
  const snapshot = (coin) => JSON.stringify({ channel: 'l4Book', data: { Snapshot: { coin, time: 1778002753024, height: 985148181, levels: [side(coin, 'B'), side(coin, 'A')] } } });
  const texts = new Map(${JSON.stringify(BOOK_COINS)}.map((coin) => [coin, snapshot(coin)]));
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) => socket.on('message', (message) => {
    const { method, subscription } = JSON.parse(String(message));
    socket.send(JSON.stringify({ channel: 'subscriptionResponse', data: { method, subscription } }));
    if (method === 'subscribe') socket.send(texts.get(subscription.coin));
  }));
  server.on('listening', () => process.send({ port: server.address().port }));
  process.once('disconnect', () => process.exit(0));
`;

export async function startBenchBooks(): Promise<{ readonly url: string } & AsyncDisposable> {
  const child = new Child(MODULE);
  const { port } = await child.next<{ readonly port: number }>();
  return { url: `ws://127.0.0.1:${port}/ws`, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
}

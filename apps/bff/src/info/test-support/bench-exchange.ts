import { Child } from './child.ts';

/** How long the exchange takes for one wallet's spot state, in ms: long compared to the overhead of a batch. */
const WALLET_MS = 20;

/** Approximate size of a large passed-through response. */
const LARGE_BYTES = 700_000;

/** A minimal exchange on raw sockets. Delays a wallet's spot state, and reports in the response how long that took. */
const MODULE = `
  import { createServer } from 'node:net';
  const asset = (name) => ({ name, szDecimals: 2, maxLeverage: 10 });
  const order = { coin: 'BTC', side: 'B', limitPx: '81307.0', sz: '0.5', oid: 1, timestamp: 1, origSz: '1.0', cloid: null };
  const ctx = { funding: '0.0000125', openInterest: '1024.55', prevDayPx: '81000.0', dayNtlVlm: '1.5', premium: '0.0001', oraclePx: '81307.0', markPx: '81308.0' };
  const head = (length) => 'HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: ' + length + '\\r\\n\\r\\n';
  const ready = (value) => { const text = JSON.stringify(value); return Buffer.from(head(Buffer.byteLength(text)) + text); };
  const responses = {
    meta: ready({ universe: ['BTC', 'ETH', 'SMALL', 'A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7'].map(asset) }),
    perpDexs: ready([null]),
    openOrders: ready([order, order]),
    metaAndAssetCtxs: ready([{ universe: [] }, Array.from({ length: ${LARGE_BYTES} / JSON.stringify({}).length / 85 }, () => ctx)]),
  };
  const balances = JSON.stringify(Array.from({ length: 6 }, (_, token) => ({ coin: 'USDC', token, total: '14.625', hold: '0.0', entryNtl: '0.0' })));
  createServer((socket) => {
    socket.setNoDelay(true);
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (;;) {
        const end = text.indexOf('\\r\\n\\r\\n');
        if (end < 0) return;
        const size = Number(/content-length: (\\d+)/i.exec(text)?.[1] ?? 0);
        if (text.length < end + 4 + size) return;
        const body = text.slice(end + 4, end + 4 + size);
        text = text.slice(end + 4 + size);
        const type = /"type":"(\\w+)"/.exec(body)?.[1] ?? '';
        if (type !== 'spotClearinghouseState') { socket.write(responses[type] ?? responses.perpDexs); continue; }
        const began = performance.now();
        setTimeout(() => {
          const state = '{"balances":' + balances + ',"took":' + (performance.now() - began) + '}';
          socket.write(head(state.length) + state);
        }, ${WALLET_MS});
      }
    });
  }).listen(0, '127.0.0.1', function () { process.send({ port: this.address().port }); });
  process.once('disconnect', () => process.exit(0));
`;

export async function startBenchExchange(): Promise<{ readonly url: string } & AsyncDisposable> {
  const child = new Child(MODULE);
  const { port } = await child.next<{ readonly port: number }>();
  return { url: `http://127.0.0.1:${port}/info`, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
}

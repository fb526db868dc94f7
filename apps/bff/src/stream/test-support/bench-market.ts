import { Child } from '../../info/test-support/child.ts';

/** Size and activity of an exchange. */
export interface MarketShape {
  readonly coins: number;
  /** Statuses and diffs per block over all coins. The share of a coin decreases with its rank. */
  readonly statusesPerBlock: number;
  readonly diffsPerBlock: number;
  /** Resting orders of the largest book and of the smallest. */
  readonly ordersMost: number;
  readonly ordersLeast: number;
  readonly blockMs: number;
  /** The next block waits while a reader has more unsent bytes than this. */
  readonly unsentBytesMax: number;
}

/** The exchange's activity since the last report. */
export interface MarketReport {
  readonly blocks: number;
  readonly height: number;
  readonly messages: number;
  readonly bytes: number;
  readonly statuses: number;
  readonly diffs: number;
  /** Blocks that were sent late by more than half a block time. */
  readonly late: number;
}

/** A digest of every order of a coin's book, in book order. */
export type MarketBooks = Readonly<Record<string, { readonly orders: number; readonly digest: string }>>;

/**
 * An order-level server and the query endpoint of an exchange with many coins: a few busy ones and a long tail. It keeps
 * its own books. The status of a rejected order is built once and sent repeatedly.
 */
const moduleOf = (shape: MarketShape) => `
  import { createHash } from 'node:crypto';
  import { createServer } from 'node:http';
  import { WebSocketServer } from 'ws';

  let seed = 20261122;
  const chance = () => { seed = (seed + 0x6d2b79f5) | 0; let x = Math.imul(seed ^ (seed >>> 15), 1 | seed); x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x; return ((x ^ (x >>> 14)) >>> 0) / 4294967296; };
  const below = (most) => Math.floor(chance() * most);
  const shape = ${JSON.stringify(shape)};
  const weights = Array.from({ length: shape.coins }, (_, rank) => (rank + 1) ** -0.75);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let nextOid = 1_000_000;
  const wallets = Array.from({ length: 500 }, (_, n) => '0x' + (0x9e3779b1 * (n + 1)).toString(16).padStart(40, 'c').slice(-40));
  const priceText = (ticks) => (ticks / 10).toFixed(1);
  const sizeText = () => below(20) + '.' + (1 + below(99_999));
  const orderFields = (coin, o) => '"coin":"' + coin.name + '","side":"' + o.side + '","limitPx":"' + o.px + '","sz":"' + o.sz + '","oid":' + o.oid +
    ',"timestamp":1778002752000,"triggerCondition":"N/A","isTrigger":false,"triggerPx":"0.0","isPositionTpsl":false,"reduceOnly":false,"orderType":"Limit","tif":"Alo","cloid":' + o.cloid;
  const statusText = (coin, o, status) => '{"time":"2026-05-05T17:39:12.' + String(o.oid % 1_000_000_000).padStart(9, '0') + '","user":"' + o.user + '","status":"' + status +
    '","order":{"user":null,' + orderFields(coin, o) + '}}';
  const draft = (coin) => {
    const side = chance() < 0.5 ? 'B' : 'A';
    const away = 1 + Math.floor(-Math.log(1 - chance()) * coin.width);
    const ticks = coin.middle + (side === 'B' ? -away : away);
    const oid = nextOid++;
    return { side, ticks, px: priceText(ticks), sz: sizeText(), oid, user: wallets[below(wallets.length)], cloid: chance() < 0.5 ? 'null' : '"0x' + oid.toString(16).padStart(32, '0') + '"', at: -1 };
  };
  const insert = (coin, o) => {
    const levels = coin.sides[o.side];
    const queue = levels.get(o.ticks);
    if (queue === undefined) levels.set(o.ticks, [o]); else queue.push(o);
    o.at = coin.resting.length;
    coin.resting.push(o);
  };
  const remove = (coin, o) => {
    const levels = coin.sides[o.side];
    const queue = levels.get(o.ticks);
    queue.splice(queue.indexOf(o), 1);
    if (queue.length === 0) levels.delete(o.ticks);
    const last = coin.resting.pop();
    if (last !== o) { coin.resting[o.at] = last; last.at = o.at; }
  };
  const listed = (coin) => ['B', 'A'].map((side) => [...coin.sides[side]].sort((a, b) => side === 'B' ? b[0] - a[0] : a[0] - b[0]).flatMap(([, queue]) => queue));

  const coins = weights.map((weight, rank) => {
    const share = weight / whole;
    const size = Math.max(shape.ordersLeast, Math.round(shape.ordersMost * weight));
    const coin = { name: rank === 0 ? 'BTC' : 'C' + rank, statuses: share * shape.statusesPerBlock, diffs: share * shape.diffsPerBlock, middle: 800_000 - rank * 100,
      width: Math.max(20, size / 20), size, sides: { B: new Map(), A: new Map() }, resting: [], owedStatuses: 0, owedDiffs: 0, pool: null };
    while (coin.resting.length < size) insert(coin, draft(coin));
    const texts = Array.from({ length: Math.max(8, Math.ceil(coin.statuses * 3)) }, () => Buffer.from(statusText(coin, draft(coin), chance() < 0.8 ? 'badAloPxRejected' : 'iocCancelRejected') + ','));
    const offsets = [0];
    for (const text of texts) offsets.push(offsets.at(-1) + text.length);
    coin.pool = { bytes: Buffer.concat(texts), offsets };
    return coin;
  });
  const byName = new Map(coins.map((coin) => [coin.name, coin]));

  /** Number of items due in this block: random, with the given mean over time. */
  const due = (coin, which, mean) => { coin[which] += mean * (0.5 + chance()); const count = Math.floor(coin[which]); coin[which] -= count; return count; };
  const step = (coin, diffs, statuses) => {
    const roll = chance();
    const base = (o) => '{"user":"' + o.user + '","oid":' + o.oid + ',"side":"' + o.side + '","px":"' + o.px + '","coin":"' + coin.name + '","raw_book_diff":';
    if (roll < 0.45 + (coin.resting.length < coin.size ? 0.02 : -0.02)) {
      const o = draft(coin);
      insert(coin, o);
      statuses.push(statusText(coin, o, 'open'));
      diffs.push(base(o) + '{"new":{"sz":"' + o.sz + '"}}}');
      return;
    }
    const o = coin.resting[below(coin.resting.length)];
    if (roll < 0.9) {
      remove(coin, o);
      statuses.push(statusText(coin, o, 'canceled'));
      diffs.push(base(o) + '"remove"}');
      return;
    }
    const before = o.sz;
    o.sz = sizeText();
    diffs.push(base(o) + '{"update":{"origSz":"' + before + '","newSz":"' + o.sz + '"}}}');
  };
  const messageOf = (coin, time, height) => {
    const others = due(coin, 'owedStatuses', coin.statuses);
    const steps = due(coin, 'owedDiffs', coin.diffs);
    if (others + steps === 0) return null;
    const diffs = [], statuses = [];
    for (let n = 0; n < steps; n += 1) step(coin, diffs, statuses);
    const { bytes, offsets } = coin.pool;
    const count = Math.min(others, offsets.length - 1);
    const from = below(offsets.length - count);
    const pooled = bytes.subarray(offsets[from], offsets[from + count] - (count > 0 && statuses.length === 0 ? 1 : 0));
    counts.statuses += count + statuses.length;
    counts.diffs += diffs.length;
    return Buffer.concat([
      Buffer.from('{"channel":"l4Book","data":{"Updates":{"time":' + time + ',"height":' + height + ',"order_statuses":['),
      pooled, Buffer.from(statuses.join(',') + '],"book_diffs":[' + diffs.join(',') + ']}}}')]);
  };
  const snapshotOf = (coin, height) => '{"channel":"l4Book","data":{"Snapshot":{"coin":"' + coin.name + '","time":' + Date.now() + ',"height":' + height + ',"levels":[' +
    listed(coin).map((side) => '[' + side.map((o) => '{"user":"' + o.user + '",' + orderFields(coin, o) + '}').join(',') + ']').join(',') + ']}}}';

  let height = 985_148_181, running = false, counts = null, nextAt = 0;
  const fresh = () => ({ blocks: 0, height, messages: 0, bytes: 0, statuses: 0, diffs: 0, late: 0 });
  counts = fresh();
  // Warm-up: code that is not optimised yet would delay the first blocks.
  for (let round = 0; round < 20; round += 1) for (const coin of coins) messageOf(coin, 1, 1);
  const followers = new Map();
  /** On a machine that is too slow, blocks are delayed so that messages do not pile up. */
  const isPressed = () => [...followers.values()].some((sockets) => [...sockets].some((socket) => socket.bufferedAmount > shape.unsentBytesMax));
  const block = () => {
    if (!running) return;
    const now = performance.now();
    if (isPressed()) { setTimeout(block, 5); return; }
    if (now - nextAt > shape.blockMs / 2) counts.late += 1;
    if (now - nextAt > shape.blockMs) nextAt = now;
    height += 1;
    const time = Date.now();
    // A server applies the whole block before it sends updates of any coin.
    const messages = coins.map((coin) => messageOf(coin, time, height));
    for (const [rank, { name }] of coins.entries()) {
      const message = messages[rank];
      const sockets = followers.get(name);
      if (message === null || sockets === undefined) continue;
      for (const socket of sockets) socket.send(message, { binary: false });
      counts.messages += 1;
      counts.bytes += message.length;
    }
    counts.blocks += 1;
    nextAt += shape.blockMs;
    setTimeout(block, Math.max(0, nextAt - performance.now()));
  };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => { text += chunk; });
    request.on('end', () => {
      const universe = coins.map(({ name }) => ({ name, szDecimals: 2, maxLeverage: 10 }));
      response.end(JSON.stringify(JSON.parse(text).type === 'meta' ? { universe } : [null]));
    });
  });
  new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
    socket.on('close', () => { for (const sockets of followers.values()) sockets.delete(socket); });
    socket.on('message', (message) => {
      const { method, subscription } = JSON.parse(String(message));
      const sockets = followers.get(subscription.coin) ?? new Set();
      followers.set(subscription.coin, sockets);
      socket.send(JSON.stringify({ channel: 'subscriptionResponse', data: { method, subscription } }));
      if (method === 'unsubscribe') { sockets.delete(socket); return; }
      socket.send(snapshotOf(byName.get(subscription.coin), height));
      sockets.add(socket);
    });
  });
  server.listen(0, '127.0.0.1', () => { process.send({ port: server.address().port }); });
  process.on('message', ({ kind }) => {
    if (kind === 'go') {
      running = true;
      nextAt = performance.now();
      block();
      process.send({});
    } else if (kind === 'report') {
      process.send({ ...counts, height });
      counts = fresh();
    } else if (kind === 'parse') {
      // Only while no blocks are produced: builds one block that is not sent.
      const texts = coins.map((coin) => messageOf(coin, 1, 1)).filter((message) => message !== null).map(String);
      const times = [];
      for (let round = 0; round < 12; round += 1) {
        const before = process.cpuUsage();
        for (const text of texts) JSON.parse(text);
        const { user, system } = process.cpuUsage(before);
        times.push((user + system) / 1_000);
      }
      process.send({ parseMs: times.sort((a, b) => a - b)[6] });
    } else {
      running = false;
      const digestOf = (coin) => createHash('sha1').update(listed(coin).map((side) => side.map((o) => o.oid + ' ' + o.px + ' ' + o.sz + ' ' + o.user).join()).join('|')).digest('hex');
      process.send({ height, books: Object.fromEntries(coins.map((coin) => [coin.name, { orders: coin.resting.length, digest: digestOf(coin) }])) });
    }
  });
  process.once('disconnect', () => process.exit(0));
`;

/** The exchange in a separate process. */
export class BenchMarket implements AsyncDisposable {
  readonly #child: Child;
  readonly #port: number;

  private constructor(child: Child, port: number) {
    this.#child = child;
    this.#port = port;
  }

  /** Starts the exchange without producing blocks. */
  static async start(shape: MarketShape): Promise<BenchMarket> {
    const child = new Child(moduleOf(shape));
    const { port } = await child.next<{ readonly port: number }>();
    return new BenchMarket(child, port);
  }

  get infoUrl(): string {
    return `http://127.0.0.1:${this.#port}/info`;
  }

  get streamUrl(): string {
    return `ws://127.0.0.1:${this.#port}/ws`;
  }

  /** Starts producing a block every `blockMs`. */
  async go(): Promise<void> {
    await this.#child.ask({ kind: 'go' });
  }

  /** Returns the activity since the last report. */
  report(): Promise<MarketReport> {
    return this.#child.ask({ kind: 'report' });
  }

  /** Stops producing blocks. */
  rest(): Promise<{ readonly height: number; readonly books: MarketBooks }> {
    return this.#child.ask({ kind: 'rest' });
  }

  /** CPU time of `JSON.parse` of the messages of one block, in ms. Must be called while no blocks are produced. */
  async parseMs(): Promise<number> {
    const { parseMs } = await this.#child.ask<{ readonly parseMs: number }>({ kind: 'parse' });
    return parseMs;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]();
  }
}

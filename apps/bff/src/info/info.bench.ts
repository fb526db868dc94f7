import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BenchRow } from '@l4desk/config/bench';
import { fakeSnapshot } from '@l4desk/testkit/service';
import express from 'express';
import { Pool } from 'undici';
import { startBenchExchange } from './test-support/bench-exchange.ts';
import { type Load, LoadGenerator, quantile } from './test-support/bench-load.ts';
import { startBenchService } from './test-support/bench-service.ts';

const CONNECTIONS = 32;
const CALLS = 6_000;
const ROUNDS = 5;
const LARGE_CALLS = 60;
const BATCHES = 50;
/**
 * The limits of a batch are based on a machine where the bare calls of one batch take 1.15 ms at p95 and one batch may
 * take 4 ms. On a slower machine a batch may take the same multiple of its bare calls.
 */
const BATCH_RATIO_MAX = 4 / 1.15;

const walletOf = (n: number) => `0x${n.toString(16).padStart(40, 'a')}`;
const ORDERS = Array.from({ length: 512 }, (_, n) => JSON.stringify({ type: 'openOrders', user: walletOf(n) }));
const SNAPSHOT = [JSON.stringify({ type: 'l4BookSnapshot', coin: 'SMALL' })];
const LARGE = [JSON.stringify({ type: 'metaAndAssetCtxs' })];
const BATCH = Array.from({ length: 16 }, (_, n) =>
  JSON.stringify({
    type: 'batchSpotClearinghouseState',
    users: Array.from({ length: 50 }, (_wallet, at) => walletOf(n * 50 + at)),
  }),
);

/** Measures the cost of `POST /info`, with the client and the exchange in separate processes. */
export default async function* info(): AsyncGenerator<BenchRow> {
  await using exchange = await startBenchExchange();
  await using load = new LoadGenerator();
  await using service = await startBenchService(exchange.url);
  const pool = new Pool(new URL(exchange.url).origin, { connections: 512, pipelining: 1 });
  const book = fakeSnapshot('SMALL');
  const peers = await Promise.all([
    listening(expressApp(() => Promise.resolve(book))),
    listening(expressApp(async (body) => (await ask(pool, JSON.stringify(body))).json())),
    listening(createServer((request, response) => void reserialise(pool, request, response))),
    listening(createServer((request, response) => void askAll(pool, request, response))),
  ]);
  const [own, upstream, parsing, asking] = peers.map(({ port }) => port);
  const { port, headers } = service;
  const to = (target: number | undefined, bodies: readonly string[], more: Partial<Load> = {}): Load => ({
    port: target ?? 0,
    headers,
    bodies,
    connections: CONNECTIONS,
    calls: CALLS,
    ...more,
  });

  try {
    for (const [item, bodies, peer] of [
      ['/info: small call, validated and charged, from our own book', SNAPSHOT, own],
      ['/info: small call, validated and charged, asked of the exchange', ORDERS, upstream],
    ] as const) {
      const p99s = new Map<Load, number[]>();
      const [ours, stock] = [to(port, bodies), to(peer, bodies)];
      const rates = await interleaved(load, ours, stock, ({ ms, latencies }, _cpuMs, what) => {
        p99s.set(what, [...(p99s.get(what) ?? []), quantile(latencies, 0.99)]);
        return latencies.length / ms;
      });
      const ratio = rates.ours / rates.peer;
      const rateOf = (rate: number, what: Load) =>
        `${(rate * 1000).toFixed(0)} calls/s, p99 ${quantile(p99s.get(what) ?? [], 0.5).toFixed(1)} ms`;
      yield {
        item,
        ours: rateOf(rates.ours, ours),
        limit: `stock Express 5 with its JSON parser, no checks ${rateOf(rates.peer, stock)}`,
        ratio,
        bar: '≥ 0.6',
        pass: ratio >= 0.6,
      };
    }
    const large = { connections: 4, calls: LARGE_CALLS };
    const cpu = await interleaved(
      load,
      to(port, LARGE, large),
      to(parsing, LARGE, large),
      (_, cpuMs) => cpuMs / LARGE_CALLS,
    );
    yield {
      item: 'pass-through of 700 KB: CPU a call',
      ours: `${cpu.ours.toFixed(2)} ms`,
      limit: `bare node with parse + stringify ${cpu.peer.toFixed(2)} ms`,
      ratio: cpu.ours / cpu.peer,
      bar: '≤ 1.5',
      pass: cpu.ours / cpu.peer <= 1.5,
    };
    for (const [connections, barMs] of [
      [1, 4],
      [4, 12],
    ] as const) {
      const batch = to(port, BATCH, { connections, calls: BATCHES, readsTook: true });
      const bare = to(asking, BATCH, { connections, calls: BATCHES, readsTook: true });
      for (const what of [batch, bare]) await load.run({ ...what, calls: 20 });
      const [ours, peer]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        ours.push(...(await load.run(batch)).latencies);
        peer.push(...(await load.run(bare)).latencies);
      }
      const percentiles = (latencies: readonly number[]) =>
        `${quantile(latencies, 0.95).toFixed(2)} ms (p50 ${quantile(latencies, 0.5).toFixed(2)})`;
      const ratio = quantile(ours, 0.95) / quantile(peer, 0.95);
      yield {
        item: `batch of 50 wallets over its slowest call, ${connections} in flight, p95`,
        ours: percentiles(ours),
        limit: `bare node, the same calls, nothing checked ${percentiles(peer)}`,
        ratio,
        bar: `≤ ${barMs} ms or ≤ ${BATCH_RATIO_MAX.toFixed(2)}× bare`,
        pass: quantile(ours, 0.95) <= barMs || ratio <= BATCH_RATIO_MAX,
      };
    }
  } finally {
    for (const { server } of peers) server.close();
    await pool.destroy();
  }
}

/** The medians of a figure for us and for a peer, measured alternately. */
async function interleaved(
  load: LoadGenerator,
  ours: Load,
  peer: Load,
  figure: (result: Awaited<ReturnType<LoadGenerator['run']>>, cpuMs: number, what: Load) => number,
): Promise<{ readonly ours: number; readonly peer: number }> {
  const measure = async (what: Load) => {
    const before = process.cpuUsage();
    const result = await load.run(what);
    const { user, system } = process.cpuUsage(before);
    return figure(result, (user + system) / 1000, what);
  };
  await measure(ours);
  await measure(peer);
  const figures: { readonly ours: number[]; readonly peer: number[] } = { ours: [], peer: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    figures.ours.push(await measure(ours));
    figures.peer.push(await measure(peer));
  }
  return { ours: quantile(figures.ours, 0.5), peer: quantile(figures.peer, 0.5) };
}

function expressApp(respond: (body: unknown) => Promise<unknown>): Server {
  const app = express();
  app.use(express.json());
  app.post('/info', (request, response, next) => {
    respond(request.body).then((value) => response.json(value), next);
  });
  return createServer(app);
}

async function ask(pool: Pool, body: string) {
  const respond = await pool.request({
    path: '/info',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return respond.body;
}

/** A proxy that parses and serializes what it passes through. */
async function reserialise(
  pool: Pool,
  request: AsyncIterable<Buffer>,
  response: { end(text: string): void; setHeader(name: string, value: string | number): void },
): Promise<void> {
  let body = '';
  for await (const chunk of request) body += chunk.toString();
  const text = JSON.stringify(await (await ask(pool, body)).json());
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** A proxy that requests every wallet and joins the responses. */
async function askAll(
  pool: Pool,
  request: AsyncIterable<Buffer>,
  response: { end(bytes: Buffer): void; setHeader(name: string, value: string | number): void },
): Promise<void> {
  let body = '';
  for await (const chunk of request) body += chunk.toString();
  const { users } = JSON.parse(body) as { readonly users: readonly string[] };
  const states = await Promise.all(
    users.map(async (user) =>
      Buffer.from(await (await ask(pool, JSON.stringify({ type: 'spotClearinghouseState', user }))).arrayBuffer()),
    ),
  );
  const bytes = Buffer.concat(states);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

async function listening(server: Server): Promise<{ readonly server: Server; readonly port: number }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

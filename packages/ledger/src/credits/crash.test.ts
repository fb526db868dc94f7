import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { TARIFF } from '@l4desk/protocol';
import { builtProgram, Chance, temporaryDirectory, until } from '@l4desk/testkit';
import { bearer, http } from '@l4desk/testkit/service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { KyselyStore } from '../accounts/kysely-store.ts';
import { DEFAULT_PLAN, issueKey, newAccount } from '../accounts/new-account.ts';
import { openDatabase } from '../database/open-database.ts';
import { DATABASES, type TestDatabase } from '../test-support/databases.ts';

/** How often the service is killed. The embedded database dies with it, PostgreSQL does not. */
const KILLS = { 'embedded database': 2, PostgreSQL: 1 } as const;
const KEYS = 4;
const CALLERS = 6;
const COINS = Array.from({ length: 40 }, (_, place) => `C${place}`);

/** The calls, their prices, and the resulting status. */
const CALLS = [
  { kind: 'openOrders', credits: TARIFF.infoCall, body: { user: `0x${'1'.repeat(40)}` }, status: 200 },
  { kind: 'maxMarketOrderNtls', credits: TARIFF.infoCall, body: {}, status: 200 },
  {
    kind: 'batchSpotClearinghouseState',
    credits: TARIFF.batchSpotClearinghouseState,
    body: { users: [`0x${'2'.repeat(40)}`, `0x${'3'.repeat(40)}`] },
    status: 200,
  },
  // The exchange fails these two, and the service refuses the third without sending it. The ledger must never contain any of
  // them.
  { kind: 'historicalOrders', credits: TARIFF.infoCall, body: { user: `0x${'4'.repeat(40)}` }, status: 502 },
  { kind: 'allMids', credits: TARIFF.infoCall, body: {}, status: 502 },
  { kind: 'fundingHistory', credits: TARIFF.infoCall, body: { coin: 7 }, status: 400 },
] as const;

const RESPONSES: Readonly<Record<string, unknown>> = {
  meta: { universe: COINS.map((name) => ({ name, szDecimals: 2, maxLeverage: 10 })) },
  perpDexs: [null],
  openOrders: [],
  maxMarketOrderNtls: [[50, '100.0']],
  spotClearinghouseState: { balances: [] },
};

/** Queries that the service sends on its own. */
const OF_THE_SERVICE = ['meta', 'perpDexs'];

let books: WebSocketServer;
let program: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  books = emptyBooks();
  [program] = await Promise.all([builtProgram('bff'), once(books, 'listening')]);
});

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const client of books.clients) client.terminate();
  books.close();
});

/** A simulated exchange for one service. */
class Exchange implements AsyncDisposable {
  readonly #server = createServer((request, response) => void this.#respond(request, response));
  #onHeld: (() => void) | undefined;

  static async start(): Promise<Exchange> {
    const exchange = new Exchange();
    exchange.#server.listen(0, '127.0.0.1');
    await once(exchange.#server, 'listening');
    return exchange;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/info`;
  }

  /** Never responds to the next call of a caller. Resolves when it came. */
  hold(): Promise<void> {
    return new Promise((resolve) => {
      this.#onHeld = resolve;
    });
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { type } = (await json(request)) as { readonly type: string };
    if (this.#onHeld !== undefined && !OF_THE_SERVICE.includes(type)) {
      this.#onHeld();
      this.#onHeld = undefined;
      return;
    }
    const reply = RESPONSES[type];
    response.writeHead(reply === undefined ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply ?? null));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** An order-level server whose books are empty and stay empty. A minute costs credits only while its coin is live (BILL-22). */
function emptyBooks(): WebSocketServer {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.on('message', (data: Buffer) => {
      const request = JSON.parse(data.toString()) as { readonly subscription: { readonly coin: string } };
      const { coin } = request.subscription;
      socket.send(JSON.stringify({ channel: 'subscriptionResponse', data: request }));
      const Snapshot = { coin, time: 1, height: 1, levels: [[], []] };
      socket.send(JSON.stringify({ channel: 'l4Book', data: { Snapshot } }));
    });
  });
  return server;
}

interface Key {
  readonly id: string;
  readonly key: string;
}

/** Credits by `credential kind`. */
type Tally = Map<string, number>;

function add(tally: Tally, credential: string, kind: string, credits: number): void {
  const name = `${credential} ${kind}`;
  tally.set(name, (tally.get(name) ?? 0) + credits);
}

/** Starts the real program. Resolves with its address once it listens. */
async function startService(
  directory: string,
  database: TestDatabase,
  exchange: Exchange,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      ...(database.place.startsWith('postgres:')
        ? { DATA_DIR: directory, DATABASE_URL: database.place }
        : { DATA_DIR: database.place }),
      UPSTREAM: 'exchange',
      UPSTREAM_INFO_URL: exchange.url,
      UPSTREAM_TIMEOUT_MS: '60000',
      UPSTREAM_L4_URL: `ws://127.0.0.1:${(books.address() as AddressInfo).port}/ws`,
      L4_PINNED_COINS: COINS.join(),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  const said: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    // Read to the end, because a full pipe would block the program.
    createInterface({ input: child.stderr }).on('line', (line) => {
      said.push(line);
      const { msg, url: at } = JSON.parse(line) as { readonly msg?: string; readonly url?: string };
      if (msg === 'listening' && at !== undefined) resolve(at);
    });
    child.once('exit', () => reject(new Error(`the service did not start: ${said.join('\n')}`)));
  });
  return { child, url };
}

/** Result of a call. One that was cut off may or may not be in the ledger. */
type Outcome = 'served' | 'failed' | 'unknown';

/** The load on one process until it dies: what it served, and what has an unknown result. */
class Load {
  readonly served: Tally = new Map();
  readonly inFlight: Tally = new Map();
  responses = 0;
  isOver = false;
  #onServed = () => {};

  /** Resolves within the tick in which the next response that costs credits arrives. */
  nextServed(): Promise<void> {
    return new Promise((resolve) => {
      this.#onServed = resolve;
    });
  }

  /** Runs something that costs credits. It counts as in flight until its result is known. */
  async ask(credential: string, kind: string, credits: number, act: () => Promise<Outcome>): Promise<void> {
    add(this.inFlight, credential, kind, credits);
    const outcome = await act();
    if (outcome === 'unknown') return;
    add(this.inFlight, credential, kind, -credits);
    this.responses += 1;
    if (outcome !== 'served') return;
    add(this.served, credential, kind, credits);
    this.#onServed();
  }
}

/** Sends one query after another. */
async function call(url: string, keys: readonly Key[], load: Load, chance: Chance): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!load.isOver) {
    const key = chance.pick(keys);
    const { kind, credits, body, status } = chance.pick(CALLS);
    await load.ask(key.id, kind, credits, async () => {
      const response = await http(`${url}/info`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...bearer(key.key) },
        body: JSON.stringify({ type: kind, ...body }),
        agent,
      }).catch(() => undefined);
      if (response === undefined) return 'unknown';
      expect([kind, response.status]).toEqual([kind, status]);
      return status === 200 ? 'served' : 'failed';
    });
  }
  agent.destroy();
}

/** Subscribes to one live coin after another. Each is a started minute, charged before the acknowledgement. */
async function follow(url: string, key: Key, load: Load): Promise<void> {
  await until('every coin live', async () => {
    if (load.isOver) return true;
    return (await http(`${url}/readyz`).catch(() => undefined))?.status === 200;
  });
  const address = `${url.replace('http', 'ws')}/ws?key=${key.key}`;
  const socket = await until('an upgrade', async () => (load.isOver ? 'over' : connect(address)));
  if (socket === 'over') return;
  const inbox: string[] = [];
  let wake = () => {};
  socket.on('message', (data: Buffer) => {
    inbox.push(data.toString());
    wake();
  });
  socket.on('close', () => wake());
  const next = async (): Promise<string | undefined> => {
    while (inbox.length === 0 && socket.readyState === socket.OPEN)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return inbox.shift();
  };
  for (const coin of COINS) {
    if (load.isOver) break;
    await load.ask(key.id, 'l4BookUpdates', TARIFF.l4BookUpdatesPerCoinMinute, async () => {
      const subscription = { type: 'l4BookUpdates', coin };
      socket.send(JSON.stringify({ method: 'subscribe', subscription }));
      const message = await next();
      if (message === undefined) return 'unknown';
      expect(JSON.parse(message)).toEqual({
        channel: 'subscriptionResponse',
        data: { method: 'subscribe', subscription },
      });
      return 'served';
    });
  }
  socket.terminate();
}

/** Resolves with an open stream, or with undefined if it was cut or refused, as it is until the list of coins is loaded. */
function connect(url: string): Promise<WebSocket | undefined> {
  const socket = new WebSocket(url);
  return new Promise((resolve) => {
    socket.on('error', () => {});
    socket.once('open', () => resolve(socket));
    socket.once('close', () => resolve(undefined));
  });
}

/** The contents of the database, read without our code. */
async function ledgerOf(database: TestDatabase): Promise<Tally> {
  const rows = (await database.rows(
    'select credential_id, kind, sum(free_credits + premium_credits) as credits from usage group by 1, 2',
  )) as { readonly credential_id: string; readonly kind: string; readonly credits: number }[];
  const months = await database.rows('select sum(free_credits + premium_credits) as credits from usage_months');
  const all = rows.reduce((sum, { credits }) => sum + credits, 0);
  expect(months).toEqual([{ credits: rows.length === 0 ? null : all }]);
  return new Map(rows.map(({ credential_id: id, kind, credits }) => [`${id} ${kind}`, credits]));
}

/** Kills a service under load and starts it again, several times. */
async function killRepeatedly(
  kills: number,
  create: () => Promise<TestDatabase>,
): Promise<{ readonly responses: number; readonly lost: number }> {
  await using temporary = await temporaryDirectory();
  await using database = await create();
  await using exchange = await Exchange.start();
  const directory = temporary.path;
  const chance = new Chance(1);
  const store = new KyselyStore(await openDatabase(database.place));
  const account = newAccount('load', { ...DEFAULT_PLAN, freeCredits: 1000 }, 1);
  await store.createAccount(account);
  const keys: Key[] = [];
  for (let place = 0; place < KEYS; place += 1) keys.push(await issueKey(store, account.id, 'api', '', 1));
  await store.close();

  let before: Tally = new Map();
  let [responses, lost] = [0, 0];
  for (let kill = 0; kill < kills; kill += 1) {
    const { child, url } = await startService(directory, database, exchange);
    const ended = once(child, 'exit');
    const load = new Load();
    const busy = Promise.allSettled([
      ...Array.from({ length: CALLERS }, () => call(url, keys, load, chance)),
      ...keys.slice(0, 2).map((key) => follow(url, key, load)),
    ]);
    const killAt = chance.int(15, 80);
    await until('so many responses', () => load.responses >= killAt);
    // One call is cut off in the middle, and another one has just been served: it must already be charged.
    await exchange.hold();
    await load.nextServed();
    child.kill('SIGKILL');
    load.isOver = true;
    await ended;
    for (const outcome of await busy) expect(outcome).toMatchObject({ status: 'fulfilled' });

    const after = await ledgerOf(database);
    for (const name of new Set([...after.keys(), ...load.served.keys()])) {
      const charged = (after.get(name) ?? 0) - (before.get(name) ?? 0);
      const [least, more] = [load.served.get(name) ?? 0, load.inFlight.get(name) ?? 0];
      expect(charged, `${name} after kill ${kill} of seed ${chance.seed}`).toBeGreaterThanOrEqual(least);
      expect(charged, `${name} after kill ${kill} of seed ${chance.seed}`).toBeLessThanOrEqual(least + more);
    }
    const failing = CALLS.filter(({ status }) => status !== 200);
    expect([...after.keys()].filter((name) => failing.some(({ kind }) => name.endsWith(` ${kind}`)))).toEqual([]);
    before = after;
    responses += load.responses;
    lost += [...load.inFlight.values()].filter((credits) => credits > 0).length;
  }
  return { responses, lost };
}

it.each(DATABASES)(
  '[BILL-19, BILL-5, BILL-6] after repeated kills under load, the ledger in %s contains every served call once and no failed one',
  async (name, create) => {
    const kills = KILLS[name];
    const { responses, lost } = await killRepeatedly(kills, create);
    // It was under load, and some calls were cut off in the middle.
    expect([responses > kills * 10, lost > 0]).toEqual([true, true]);
  },
);

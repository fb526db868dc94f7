import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { BenchRow } from '@l4desk/config/bench';
import { entryTexts, type PublishedBlock, type PublishedEntry, type SequencedEntry } from '@l4desk/feed';
import { BlockFrames, entryForm, pickOf } from './frame.ts';
import { type Greeting, SocketReaders, streamGreeting } from './test-support/socket-readers.ts';
import { StreamServer } from './test-support/stream-server.ts';

/** Limits that no measurement reaches. */
const UNBOUNDED = {
  connectionsPerKeyMax: Number.POSITIVE_INFINITY,
  unsentBytesMax: Number.POSITIVE_INFINITY,
  unsentBytesTotalMax: Number.POSITIVE_INFINITY,
};

const ALL = entryForm({ statuses: 'all', checksum: false, executions: false });

const CLIENTS = 300;
const IDLE_CLIENTS = 5_000;
const ROUNDS = 20;
/** Approximate total bytes of deliveries per measurement. */
const BYTES_PER_MEASUREMENT = 40_000_000;

/** Creates an entry of about this many bytes, mostly statuses, as on the exchange. */
function sequenced(coin: string, height: number, bytes: number): SequencedEntry {
  const user = '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5';
  const base = { user, oid: height, side: 'B', px: '81307.0', coin } as const;
  const words = ['badAloPxRejected', 'open', 'canceled', 'perpMarginRejected', 'iocCancelRejected'];
  const statuses: string[] = [];
  for (let size = 0, at = 0; size < bytes - 300; at += 1) {
    const oid = height * 1_000 + at;
    const owner = `0x${(oid * 2_654_435_761).toString(16).padStart(40, '0').slice(-40)}`;
    const text = JSON.stringify({
      time: `2026-05-05T17:39:12.${String(oid % 1_000_000).padStart(6, '0')}789`,
      user: owner,
      status: words[oid % words.length],
      order: {
        user: null,
        coin,
        side: oid % 2 === 0 ? 'B' : 'A',
        limitPx: `${81_000 + (oid % 600)}.0`,
        sz: `0.${(oid * 7_919) % 100_000}`,
        oid,
        timestamp: 1_778_002_752_000 + (oid % 5_000),
        triggerCondition: 'N/A',
        isTrigger: false,
        triggerPx: '0.0',
        isPositionTpsl: false,
        reduceOnly: false,
        orderType: 'Limit',
        tif: 'Alo',
        cloid: null,
      },
    });
    statuses.push(text);
    size += text.length + 1;
  }
  return {
    coin,
    seq: height,
    prevSeq: height - 1,
    changes: [{ kind: 'remove', ...base, px: '81307.0' }],
    diffs: [{ ...base, raw_book_diff: 'remove' }],
    statuses: [],
    statusesText: statuses.join(','),
  };
}

let lastHeight = 0;

/** Creates a block as the worker publishes it: its texts are built once and share one buffer. */
function blockOf(coins: readonly string[], bytes: number, deflate = false): PublishedBlock {
  lastHeight += 1;
  const height = lastHeight;
  const entries = coins.map((coin): PublishedEntry => {
    const entry = sequenced(coin, height, bytes);
    return {
      coin,
      seq: height,
      prevSeq: height - 1,
      ...entryTexts(entry, { all: true, allDeflated: deflate, bookDeflated: false }),
    };
  });
  const epoch = '6f1c9f6e-6f1b-4a35-9a0c-0f7f5a1f2b3c';
  return { epoch, height, time: height * 67, receivedAt: height * 67, entries: inOneMemory(entries) };
}

/** Moves all texts into one buffer. Otherwise kept entries would be copied one by one, unlike those of the worker. */
function inOneMemory(entries: readonly PublishedEntry[]): readonly PublishedEntry[] {
  const texts = new Set(entries.flatMap(({ all, book }) => [book, all ?? book]));
  const size = [...texts].reduce((sum, { plain, deflated }) => sum + plain.length + (deflated?.length ?? 0), 0);
  const whole = new Uint8Array(size);
  let end = 0;
  const moved = (bytes: Uint8Array) => {
    whole.set(bytes, end);
    end += bytes.length;
    return whole.subarray(end - bytes.length, end);
  };
  const movedTexts = new Map(
    [...texts].map((text) => [text, { plain: moved(text.plain), deflated: text.deflated && moved(text.deflated) }]),
  );
  return entries.map((entry) => ({
    ...entry,
    book: movedTexts.get(entry.book) ?? entry.book,
    all: entry.all && (movedTexts.get(entry.all) ?? entry.all),
  }));
}

/** CPU of this process, user and system, in ms. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The median of the values. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The minimum over all rounds, because other load on the machine can only add time. */
function quietest(values: readonly number[]): number {
  return Math.min(...values);
}

function shown(value: number, digits = 3): string {
  return Number(value.toPrecision(digits)).toString();
}

/** Waits until the kernel has accepted everything. Used for all measured variants. */
async function drained(sockets: readonly Socket[]): Promise<void> {
  while (sockets.some((socket) => socket.writableLength > 0)) await turn();
}

interface Case {
  readonly item: string;
  readonly bytes: number;
  readonly bar: number;
  /** Coins of each client. */
  readonly coinsOf: (client: number) => readonly string[];
  /** Coins of every block. */
  readonly coins: readonly string[];
}

/**
 * Compares the CPU time per delivery of our hub, over real connections, with a loop that writes prebuilt frames to the same
 * sockets. Separate sockets would differ by chance, in memory layout and in the wake-up state of their readers.
 */
async function fanOut({ item, bytes, bar, coinsOf, coins }: Case): Promise<BenchRow> {
  await using ours = await StreamServer.start({ ...UNBOUNDED, subscriptionCoinsMax: 1_000 });
  using readers = new SocketReaders();
  const { sockets } = ours;
  await readers.open(
    ours.port,
    Array.from({ length: CLIENTS }, (_, client) => streamGreeting(coinsOf(client))),
  );
  const perCoin = bytes / (coinsOf(0).length || 1);
  const count = Math.max(3, Math.ceil(BYTES_PER_MEASUREMENT / bytes / CLIENTS));
  const blocks = () => Array.from({ length: count }, () => blockOf(coins, perCoin));

  const measureOurs = async () => {
    const made = blocks();
    const before = cpuMs();
    for (const block of made) {
      ours.feed.hand(block);
      await drained(sockets);
    }
    return (cpuMs() - before) / count / CLIENTS;
  };
  const measureBare = async () => {
    const frames = blocks().map((block) => {
      const made = new Map<string, Buffer>();
      return sockets.map((_, client) => {
        const wanted = coinsOf(client);
        const key = wanted.join();
        const picks = block.entries.flatMap(({ coin }, place) => (wanted.includes(coin) ? [pickOf(place, ALL)] : []));
        const frame = made.get(key) ?? new BlockFrames(block).plain(picks);
        made.set(key, frame);
        return frame;
      });
    });
    const before = cpuMs();
    for (const round of frames) {
      for (const [client, socket] of sockets.entries()) socket.write(round[client] ?? '');
      await drained(sockets);
    }
    return (cpuMs() - before) / count / CLIENTS;
  };

  const rounds: { readonly mine: number; readonly limit: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    // They take turns going first, because the previous one affects the caches and the wake-up state of the readers.
    const first = round % 2 === 0 ? await measureOurs() : await measureBare();
    const second = round % 2 === 0 ? await measureBare() : await measureOurs();
    // The first round warms up.
    if (round > 0) rounds.push(round % 2 === 0 ? { mine: first, limit: second } : { mine: second, limit: first });
  }
  // Compared per round, because other load on the machine varies.
  const ratio = median(rounds.map(({ mine, limit }) => limit / mine));
  return {
    item: `fan-out, ${item}`,
    ours: `${shown(median(rounds.map(({ mine }) => mine)) * 1_000)} µs CPU a delivery`,
    limit: `loop of prebuilt frames ${shown(median(rounds.map(({ limit }) => limit)) * 1_000)} µs`,
    ratio,
    bar: `≥ ${bar}`,
    pass: ratio >= bar,
  };
}

/** Compares one shared compressed form, including compressing it, with the same blocks sent uncompressed. */
async function sharedCompression(): Promise<readonly BenchRow[]> {
  const bytes = 135_000;
  const count = Math.ceil(BYTES_PER_MEASUREMENT / bytes / CLIENTS) * 2;
  const measured = { plain: [] as number[], deflated: [] as number[] };
  const sent = { plain: 0, deflated: 0 };
  await using plain = await StreamServer.start(UNBOUNDED);
  await using deflated = await StreamServer.start(UNBOUNDED);
  using readers = new SocketReaders();
  await readers.open(plain.port, Array<Greeting>(CLIENTS).fill(streamGreeting(['BTC'])));
  await readers.open(deflated.port, Array<Greeting>(CLIENTS).fill(streamGreeting(['BTC'], true)));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, server] of [
      ['plain', plain],
      ['deflated', deflated],
    ] as const) {
      const bytesBefore = server.stream.health().bytesSent;
      const before = cpuMs();
      for (let block = 0; block < count; block += 1) {
        server.feed.hand(blockOf(['BTC'], bytes, name === 'deflated'));
        await drained(server.sockets);
      }
      // The first round warms up.
      if (round > 0) measured[name].push((cpuMs() - before) / count / CLIENTS);
      sent[name] = server.stream.health().bytesSent - bytesBefore;
    }
  }
  const ratio = quietest(measured.deflated) / quietest(measured.plain);
  const fewer = sent.plain / sent.deflated;
  return [
    {
      item: 'shared compression, 135 KB: CPU',
      ours: `${shown(quietest(measured.deflated) * 1_000)} µs a delivery`,
      limit: `uncompressed ${shown(quietest(measured.plain) * 1_000)} µs`,
      ratio,
      bar: '≤ 0.5',
      pass: ratio <= 0.5,
    },
    {
      item: 'shared compression, 135 KB: bytes',
      ours: `${shown(sent.deflated / count / CLIENTS / 1_000)} KB a delivery`,
      limit: `uncompressed ${shown(sent.plain / count / CLIENTS / 1_000)} KB`,
      ratio: fewer,
      bar: '≥ 6× fewer',
      pass: fewer >= 6,
    },
  ];
}

/** Measures the memory of a subscribed idle client. */
async function idleClients(): Promise<BenchRow> {
  await using server = await StreamServer.start(UNBOUNDED);
  using readers = new SocketReaders();
  const collect = async () => {
    for (let times = 0; times < 3; times += 1) {
      (globalThis as { gc?: () => void }).gc?.();
      await turn();
    }
    return process.memoryUsage().rss;
  };
  // The first clients mostly cost memory for code.
  await readers.open(server.port, Array<Greeting>(1_000).fill(streamGreeting(['BTC'])));
  const before = await collect();
  await readers.open(server.port, Array<Greeting>(IDLE_CLIENTS).fill(streamGreeting(['BTC'])));
  const kilobytes = ((await collect()) - before) / IDLE_CLIENTS / 1_024;
  return {
    item: 'memory of an idle client (RSS)',
    ours: `${shown(kilobytes)} KB`,
    limit: '–',
    ratio: null,
    bar: '≤ 16 KB',
    pass: kilobytes <= 16,
  };
}

export default async function* fanOutBench(): AsyncGenerator<BenchRow> {
  const one = { coinsOf: () => ['BTC'], coins: ['BTC'] };
  yield await idleClients();
  for (const [label, bytes] of [
    ['2 KB', 2_000],
    ['20 KB', 20_000],
    ['135 KB', 135_000],
  ] as const) {
    yield await fanOut({ item: `one shared frame, ${label}`, bytes, bar: 0.95, ...one });
  }
  const names = Array.from({ length: 12 }, (_, at) => `C${at}`);
  yield await fanOut({
    item: '10 sets of coins, 20 KB',
    bytes: 20_000,
    bar: 0.8,
    coinsOf: (client) => [names[client % 10] ?? '', names[(client % 10) + 1] ?? ''],
    coins: names,
  });
  const many = Array.from({ length: CLIENTS }, (_, at) => `C${at}`);
  for (const [label, bytes] of [
    ['2 KB', 2_000],
    ['20 KB', 20_000],
    ['135 KB', 135_000],
  ] as const) {
    yield await fanOut({
      item: `every client its own set, ${label}`,
      bytes,
      bar: 0.55,
      coinsOf: (client) => [...new Set(['BTC', many[client] ?? '', many[(client * 7 + 1) % CLIENTS] ?? ''])],
      coins: ['BTC', ...many],
    });
  }
  yield* await sharedCompression();
}

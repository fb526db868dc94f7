import { writeFileSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { CoinTrades, LocalFeed } from '@l4desk/feed/core';
import { LocalRig } from '@l4desk/feed/test-support';
import type { BookDiff, OrderStatus } from '@l4desk/protocol';
import type { NodeFiles } from '@l4desk/protocol/upstream';
import { systemClock } from '@l4desk/runtime/node';
import { type Chance, SourceBook, temporaryDirectory, until } from '@l4desk/testkit';
import { folderOf, type NodeStream } from '../layout.ts';
import { type NodeFeedSettings, openNodeFeed } from '../node-feed.ts';

const open: (() => unknown)[] = [];

/** Ends every node and feed of a test. */
export async function endNodes(): Promise<void> {
  for (const end of open.splice(0).toReversed()) await end();
}

/** Scripted files and info server of a node. */
export class FakeNode {
  readonly dataDir: string;
  readonly directory: string;
  readonly files: NodeFiles;
  readonly #server: Server;
  #port = 0;
  /** Returns the content of the next snapshot file; null refuses the request. */
  snapshot: () => string | null = () => null;
  snapshotsAsked = 0;
  /** If false, the responses of the info server have no end. */
  endsResponses = true;
  /** The day and hour of the files being written. */
  day = '20260505';
  hour = 17;

  private constructor(directory: string, files: NodeFiles) {
    this.directory = directory;
    this.dataDir = join(directory, 'data');
    this.files = files;
    this.#server = createServer((request, response) => {
      request.setEncoding('utf8');
      let body = '';
      request.on('data', (piece: string) => {
        body += piece;
      });
      request.on('end', () => {
        this.snapshotsAsked += 1;
        const text = this.snapshot();
        if (text !== null) writeFileSync(JSON.parse(body).outPath, text);
        response.writeHead(text === null ? 500 : 200).write('null');
        if (this.endsResponses) response.end();
      });
    });
  }

  static async start(files: NodeFiles = 'by_block'): Promise<FakeNode> {
    const directory = await temporaryDirectory();
    const node = new FakeNode(directory.path, files);
    await node.makeFolders(files);
    await new Promise<void>((resolve) => node.#server.listen(0, '127.0.0.1', resolve));
    node.#port = (node.#server.address() as AddressInfo).port;
    open.push(async () => {
      node.stopInfo();
      await directory[Symbol.asyncDispose]();
    });
    return node;
  }

  /** Closes the info server. */
  stopInfo(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Creates the folders of the three streams, without files. */
  async makeFolders(files: NodeFiles, dataDir = this.dataDir): Promise<void> {
    for (const stream of ['diffs', 'statuses', 'fills'] as const)
      await mkdir(join(dataDir, folderOf(stream, files)), { recursive: true });
  }

  get infoUrl(): string {
    return `http://127.0.0.1:${this.#port}/info`;
  }

  pathOf(stream: NodeStream): string {
    return join(this.dataDir, folderOf(stream, this.files), 'hourly', this.day, String(this.hour));
  }

  /** Writes a block to the current hour of all three streams. */
  async write(lines: BlockLines): Promise<void> {
    for (const stream of ['fills', 'statuses', 'diffs'] as const) await this.append(stream, lines[stream]);
  }

  async append(stream: NodeStream, text: string): Promise<void> {
    const path = this.pathOf(stream);
    await mkdir(dirname(path), { recursive: true });
    await appendFile(path, text);
  }
}

/** The lines of one block, by stream. */
export type BlockLines = Readonly<Record<NodeStream, string>>;

/** The same block as the streaming files have it: one line an event, and none for an empty block. */
export function asRows(lines: BlockLines): BlockLines {
  const rows = (text: string) => {
    const { events, ...head } = JSON.parse(text) as { readonly events: readonly unknown[] };
    return events.map((event) => `${JSON.stringify({ ...head, events: [event] })}\n`).join('');
  };
  return { diffs: rows(lines.diffs), statuses: rows(lines.statuses), fills: rows(lines.fills) };
}

/** A chain of generated blocks in a node's format, with the true books. */
export class FakeChain {
  height: number;
  readonly books: ReadonlyMap<string, SourceBook>;
  readonly #chance: Chance;

  constructor(coins: readonly string[], chance: Chance, height = 500) {
    this.height = height;
    this.#chance = chance;
    this.books = new Map(coins.map((coin, index) => [coin, new SourceBook(coin, chance, 20, 1_000 + index * 100_000)]));
  }

  /** Makes the lines of the next block, in which these coins change. */
  block(coins: readonly string[] = [...this.books.keys()]): BlockLines {
    this.height += 1;
    const parts = coins.map((coin) => this.books.get(coin)?.block(this.#chance.int(1, 4)));
    const time = `${new Date(1_778_002_752_000 + this.height * 67).toISOString().slice(0, -1)}084407`;
    const line = (events: readonly unknown[]) =>
      `${JSON.stringify({ local_time: time, block_time: time, block_number: this.height, events })}\n`;
    return {
      diffs: line(parts.flatMap((part) => part?.diffs.map(asNodeDiff) ?? [])),
      statuses: line(parts.flatMap((part) => part?.statuses.map(asNodeStatus) ?? [])),
      fills: line([]),
    };
  }

  /** A snapshot file of the chain's current state. */
  snapshot(): string {
    const sides = (book: SourceBook) =>
      book.levels().map((side) => side.map(({ user, ...order }) => [user, asNodeOrder(order)]));
    return JSON.stringify([this.height, [...this.books].map(([coin, book]) => [coin, sides(book)])]);
  }
}

function asNodeDiff({ user, oid, coin, side, px, raw_book_diff }: BookDiff): object {
  return { user, oid, coin, side, px, raw_book_diff };
}

function asNodeStatus({ time, user, status, order: { user: _user, ...order } }: OrderStatus): object {
  return { time, user, hash: null, builder: null, status, order: asNodeOrder(order) };
}

function asNodeOrder(order: object): object {
  return { ...order, children: [], origSz: '1.0' };
}

/** A feed on the files of a node, with the system clock, which a test can move ahead. */
export class NodeRig extends LocalRig {
  readonly feed: LocalFeed;
  readonly trades: CoinTrades[] = [];
  /** How far the clock was moved ahead, in ms. */
  #aheadMs = 0;

  constructor(node: FakeNode, settings: Partial<NodeFeedSettings> = {}) {
    super();
    this.feed = openNodeFeed(
      {
        node: {
          dataDir: node.dataDir,
          infoUrl: node.infoUrl,
          snapshotPath: join(node.directory, 'snapshot.json'),
        },
        pinnedCoins: [],
        lingerMs: 30_000,
        auditMs: 0,
        reorderMs: 100,
        rebuildMaxMs: 30_000,
        tuning: { filePollMs: 1, fileCheckMs: 5, silentAfterMs: Number.MAX_SAFE_INTEGER },
        ...settings,
      },
      this.log,
      { clock: { ...systemClock, now: () => systemClock.now() + this.#aheadMs }, random: () => 0 },
    );
    this.feed.onBlock((block) => this.blocks.push(block));
    this.feed.onTrades((trades) => this.trades.push(trades));
    open.push(() => this.feed[Symbol.asyncDispose]());
  }

  /** Creates a rig. Resolves once it reads the node's files. */
  static async start(node: FakeNode, settings: Partial<NodeFeedSettings> = {}): Promise<NodeRig> {
    const rig = new NodeRig(node, settings);
    await rig.until(() => rig.feed.health().upstreamConnected);
    return rig;
  }

  /** Moves the clock ahead; timers run as before. */
  leap(ms: number): void {
    this.#aheadMs += ms;
  }

  /** Files are read on the system clock, so this waits longer between two probes. */
  override until<T>(read: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
    return until(() => this.comesToIt(), read);
  }
}

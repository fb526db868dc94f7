import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import type { BookLevels, L4Order } from '@l4desk/protocol';
import { pack } from 'tar-stream';
import { listingsOf } from '../market/simulated-market.ts';
import { SimulatedSource } from '../market/simulated-source.ts';
import { nanoTime } from '../market/wire.ts';

export const SNAPSHOT = 'snapshot.json';
export const DIFFS = 'hl/data/node_raw_book_diffs_by_block/hourly/20260505/17';
export const STATUSES = 'hl/data/node_order_statuses_by_block/hourly/20260505/17';
export const FILLS = 'hl/data/node_fills_by_block/hourly/20260505/17';

/** A small capture made by the simulated market, as a node would have written it. */
export interface GeneratedCapture {
  readonly coins: readonly string[];
  readonly firstHeight: number;
  /** The time of the block after it, ms. */
  readonly firstTime: number;
  readonly blocks: number;
  /** Text of each file by its path. */
  readonly files: ReadonlyMap<string, string>;
  /** The book of each coin after the last block. */
  readonly books: ReadonlyMap<string, BookLevels>;
}

export interface CaptureWish {
  readonly coins?: readonly string[];
  readonly blocks?: number;
  readonly seed?: string;
}

export function generateCapture({
  coins = ['XRP', 'kPEPE'],
  blocks = 20,
  seed = 'capture',
}: CaptureWish = {}): GeneratedCapture {
  const source = new SimulatedSource(
    { seed, coins: listingsOf(coins), size: 0.02, rate: 4, statusRate: 0.2, startTime: 1_778_002_752_957 },
    null,
  );
  const firstHeight = source.height;
  let firstTime = 0;
  const snapshot = JSON.stringify([
    firstHeight,
    coins.map((coin) => [
      coin,
      (source.book(coin) ?? []).map((side) => side.map((order) => [order.user, nodeOrder(order)])),
    ]),
  ]);
  const lines = { [DIFFS]: '', [STATUSES]: '', [FILLS]: '' };
  for (let i = 0; i < blocks; i += 1) {
    const block = source.advance();
    const parts = coins.map((coin) => block.coin(coin));
    if (i === 0) firstTime = block.time;
    const time = nanoTime(block.time, block.height);
    const head = { local_time: time, block_time: time, block_number: block.height };
    const line = (events: readonly unknown[]) => `${JSON.stringify({ ...head, events })}\n`;
    lines[DIFFS] += line(parts.flatMap((part) => part?.diffs ?? []));
    lines[STATUSES] += line(
      parts
        .flatMap((part) => part?.statuses ?? [])
        .map(({ time: at, user, status, order }) => ({
          time: at,
          user,
          hash: null,
          builder: null,
          status,
          order: nodeOrder(order),
        })),
    );
    lines[FILLS] += line([]);
  }
  return {
    coins,
    firstHeight,
    firstTime,
    blocks,
    files: new Map([[SNAPSHOT, snapshot], ...Object.entries(lines)]),
    books: new Map(coins.map((coin) => [coin, source.book(coin) ?? [[], []]])),
  };
}

/** A node prints `children` and `origSz` as well, and the owner elsewhere. */
function nodeOrder({ user: _user, ...order }: L4Order): object {
  return { ...order, children: [], origSz: order.sz };
}

/** How the files of a capture lie on disk. */
export type CaptureLayout = 'plain' | 'gz' | 'tar.gz' | 'tar';

export interface CaptureDirectory extends AsyncDisposable {
  readonly path: string;
}

/** Writes the files of a capture into a directory of its own, which goes when it is disposed of. */
export async function writeCapture(
  files: ReadonlyMap<string, string | Buffer>,
  layout: CaptureLayout = 'plain',
): Promise<CaptureDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'venue-capture-'));
  const archive = layout === 'tar' || layout === 'tar.gz' ? pack() : null;
  for (const [name, text] of files) {
    const isSnapshot = name === SNAPSHOT;
    const target = isSnapshot ? 'snapshot_1.json' : name;
    if (archive !== null && !isSnapshot) {
      archive.entry({ name: target }, text);
    } else {
      const suffix = layout === 'gz' ? (isSnapshot ? '.gz' : '.jsonl.gz') : '';
      const file = join(path, target + suffix);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, layout === 'gz' && typeof text === 'string' ? gzipSync(text) : text);
    }
  }
  if (archive !== null) {
    archive.finalize();
    const out = createWriteStream(join(path, `blocks.${layout}`));
    await (layout === 'tar' ? pipeline(archive, out) : pipeline(archive, createGzip(), out));
  }
  return { path, [Symbol.asyncDispose]: async () => rm(path, { recursive: true, force: true }) };
}

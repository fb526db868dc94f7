import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type BookLevels, decodeUpdates, type L4Order, type ReadCoinBatch } from '@l4desk/protocol';
import { SourceBook } from './build/source-book.ts';
import { Chance } from './chance.ts';
import { recordedData } from './recorded-data.ts';

/** A book and the blocks that follow it, in the service's form. */
export interface BookCapture {
  readonly name: string;
  readonly levels: BookLevels;
  readonly batches: readonly ReadCoinBatch[];
  /** What is known about the book after the last block. */
  readonly end: CaptureEnd;
}

interface CaptureEnd {
  readonly bids: number;
  readonly asks: number;
  readonly bestBid: object;
  readonly bestAsk: object;
}

const EPOCH = '5f2d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2a';

/** Recordings already read, by folder: test files share a process, and reading one takes seconds. */
const known = new Map<string, BookCapture>();

/** Returns a recording of the exchange's BTC book of 2026-05-05 17:39:12 UTC, or undefined if it is not available. */
export function realCapture(): BookCapture | undefined {
  const directory = recordedData('btc-capture');
  if (directory === undefined) return undefined;
  const capture = known.get(directory) ?? readCapture(directory);
  known.set(directory, capture);
  return capture;
}

function readCapture(directory: string): BookCapture {
  const [height, [[, sides]]] = JSON.parse(
    gunzipSync(readFileSync(join(directory, 'snapshot_985148181.json.gz'))).toString(),
  );
  const files = untar(gunzipSync(readFileSync(join(directory, 'by_block_btc_985148182_985148232.tar.gz'))));
  const statuses = new Map<number, unknown[]>();
  for (const block of linesOf(files, 'node_order_statuses_by_block')) {
    statuses.set(
      block.block_number,
      block.events.map((event) => ({ ...event, order: namedFields(event.order, null) })),
    );
  }
  const batches = linesOf(files, 'node_raw_book_diffs_by_block').map((block, index) => {
    const entry = {
      coin: 'BTC',
      seq: index + 1,
      prev_seq: index,
      order_statuses: statuses.get(block.block_number) ?? [],
      book_diffs: block.events,
    };
    const time = Date.parse(`${block.block_time.slice(0, 23)}Z`);
    const updates = { time, block_height: block.block_number, epoch: EPOCH, cursor: '', book_diffs: [entry] };
    return decodeUpdates(updates).coins[0] as ReadCoinBatch;
  });
  if (batches[0]?.height !== height + 1) throw new Error('the blocks do not follow the snapshot');
  return {
    name: 'the real recording of BTC',
    levels: sides.map((side: [string, L4Order][]) => side.map(([user, order]) => namedFields(order, user))),
    batches,
    end: {
      bids: 34_588,
      asks: 16_748,
      bestBid: { px: '81307.0', sz: '2.80623', count: 9 },
      bestAsk: { px: '81308.0', sz: '8.81056', count: 58 },
    },
  };
}

/** A node's files of the same 51 blocks: its snapshot file, and the lines of each stream by the stream's name. */
export interface NodeRecording {
  readonly snapshot: string;
  readonly diffs: readonly string[];
  readonly statuses: readonly string[];
  readonly fills: readonly string[];
}

/** Returns the files of the recording as the node wrote them, or undefined if they are not available. */
export function nodeRecording(files: 'by_block' | 'streaming'): NodeRecording | undefined {
  const directory = recordedData('btc-capture');
  if (directory === undefined) return undefined;
  const archive = `${files}_btc_985148182_985148232.tar.gz`;
  const texts = untar(gunzipSync(readFileSync(join(directory, archive))));
  const lines = (part: string) =>
    ([...texts].find(([name]) => name.includes(part))?.[1] ?? '').split('\n').filter((line) => line !== '');
  return {
    snapshot: gunzipSync(readFileSync(join(directory, 'snapshot_985148181.json.gz'))).toString(),
    diffs: lines('node_raw_book_diffs'),
    statuses: lines('node_order_statuses'),
    fills: lines('node_fills'),
  };
}

/** Returns a generated capture, which replaces the real recording if that is missing. */
export function generatedCapture(): BookCapture {
  const source = new SourceBook('BTC', new Chance(5), 2_000);
  const levels = source.levels();
  const batches = Array.from({ length: 200 }, (_, index) => {
    const { diffs, statuses } = source.block(10);
    const entry = { coin: 'BTC', seq: index + 1, prev_seq: index, order_statuses: statuses, book_diffs: diffs };
    const updates = {
      time: 1_790_000_000_000 + index * 67,
      block_height: index + 1,
      epoch: EPOCH,
      cursor: '',
      book_diffs: [entry],
    };
    return decodeUpdates(updates).coins[0] as ReadCoinBatch;
  });
  const [bids, asks] = source.levels();
  const bestOf = (orders: readonly L4Order[]) => {
    const [front] = orders;
    return { px: front?.limitPx, count: orders.filter(({ limitPx }) => limitPx === front?.limitPx).length };
  };
  const end = { bids: bids.length, asks: asks.length, bestBid: bestOf(bids), bestAsk: bestOf(asks) };
  return { name: 'a generated recording', levels, batches, end };
}

/** An order as the service lists it: the fields of the specification, with the owner inside. */
function namedFields(order: L4Order, user: string | null): L4Order {
  const { coin, side, limitPx, sz, oid, timestamp } = order;
  const { triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif, cloid } = order;
  const place = { user: user as L4Order['user'], coin, side, limitPx, sz, oid, timestamp };
  return { ...place, triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif, cloid };
}

interface BlockLine {
  readonly block_time: string;
  readonly block_number: number;
  readonly events: readonly { readonly order: L4Order }[];
}

function linesOf(files: ReadonlyMap<string, string>, part: string): readonly BlockLine[] {
  const text = [...files].find(([name]) => name.includes(part))?.[1] ?? '';
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Returns the files of a tar archive: headers of 512 bytes, name first, size in octal at 124, contents padded to 512. */
function untar(archive: Buffer): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (let at = 0; at + 512 <= archive.length; ) {
    const name = archive.toString('latin1', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 136), 8) || 0;
    if (name !== '' && size > 0) files.set(name, archive.toString('utf8', at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

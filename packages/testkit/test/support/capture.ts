import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { L4Order } from '@l4desk/protocol';
import { Chance, recordedData, SourceBook } from '@l4desk/testkit';

/** A side's best price, its exact total and its number of orders. */
interface BestLevel {
  readonly px: string;
  readonly sz: string;
  readonly count: number;
}

/** A capture to replay, and what is known about its end. */
export interface CaptureUnderTest {
  readonly name: string;
  readonly directory: string;
  readonly blocks: number;
  /** The whole book at the end, if it is known order by order. */
  readonly levels: readonly [readonly L4Order[], readonly L4Order[]] | undefined;
  readonly bids: number;
  readonly asks: number;
  readonly bestBid: BestLevel;
  readonly bestAsk: BestLevel;
  /** Removes the files that this process wrote. */
  remove(): Promise<void>;
}

/** Returns a recording of the exchange's BTC book of 2026-05-05 17:39:12 UTC, or undefined if it is not available. */
export function realCapture(): CaptureUnderTest | undefined {
  const directory = recordedData('btc-capture');
  if (directory === undefined) return undefined;
  return {
    name: 'the real recording',
    directory,
    blocks: 51,
    levels: undefined,
    bids: 34_588,
    asks: 16_748,
    bestBid: { px: '81307.0', sz: '2.80623', count: 9 },
    bestAsk: { px: '81308.0', sz: '8.81056', count: 58 },
    remove: async () => {},
  };
}

/** Returns a generated capture of the same form. It replaces the real one if that is missing, and is fast. */
export async function generatedCapture(): Promise<CaptureUnderTest> {
  const blocks = 51;
  const directory = await mkdtemp(join(tmpdir(), 'l4desk-capture-'));
  const source = new SourceBook('BTC', new Chance(11), 500);
  const start = 985_148_181;
  const owned = (orders: readonly L4Order[]) => orders.map(({ user, ...order }) => [user, order]);
  const [bids, asks] = source.levels();
  const snapshot = [start, [['BTC', [owned(bids), owned(asks)]]]];
  await writeFile(join(directory, `snapshot_${start}.json`), JSON.stringify(snapshot));
  const lines = { node_raw_book_diffs_by_block: '', node_order_statuses_by_block: '' };
  for (let index = 1; index <= blocks; index += 1) {
    const { diffs, statuses } = source.block();
    const time = new Date(Date.UTC(2026, 4, 5, 17, 39, 12) + index * 67).toISOString().replace('Z', '000000');
    const line = (events: readonly unknown[]) =>
      `${JSON.stringify({ local_time: time, block_time: time, block_number: start + index, events })}\n`;
    lines.node_raw_book_diffs_by_block += line(diffs);
    lines.node_order_statuses_by_block += line(statuses);
  }
  for (const [name, text] of Object.entries(lines)) {
    await mkdir(join(directory, name));
    await writeFile(join(directory, name, '17.jsonl'), text);
  }
  const levels = source.levels();
  return {
    name: 'a generated capture',
    directory,
    blocks,
    levels,
    bids: levels[0].length,
    asks: levels[1].length,
    bestBid: bestLevel(levels[0]),
    bestAsk: bestLevel(levels[1]),
    remove: () => rm(directory, { recursive: true }),
  };
}

/** Returns the best level of a side that lists its best order first. */
function bestLevel(orders: readonly L4Order[]): BestLevel {
  const front = orders.filter(({ limitPx }) => limitPx === orders[0]?.limitPx);
  const total = front.reduce((sum, { sz }) => sum + units(sz), 0n);
  const digits = String(total).padStart(SIZE_DECIMALS + 1, '0');
  const fraction = digits.slice(-SIZE_DECIMALS).replace(/0+$/, '');
  const whole = digits.slice(0, -SIZE_DECIMALS);
  return { px: front[0]?.limitPx ?? '', sz: fraction === '' ? whole : `${whole}.${fraction}`, count: front.length };
}

const SIZE_DECIMALS = 8;

function units(size: string): bigint {
  const [whole = '', fraction = ''] = size.split('.');
  return BigInt(whole + fraction.padEnd(SIZE_DECIMALS, '0'));
}

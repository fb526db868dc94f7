import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Side } from '@l4desk/protocol';
import type { RecordingReader } from '../../format/index.ts';
import { EVENT_BYTES, writeNpz } from './npz.ts';
import { type Cell, columnsOf, type TABLES, type TableName, walkTables } from './tables.ts';

/** The event kinds of hftbacktest 2 that an order-level book provides. */
const EVENT_KIND = {
  trade: 2,
  clear: 3,
  add: 10,
  cancel: 11,
  modify: 12,
  fill: 13,
} as const;

/** Flags of its events: which processor handles the event, and its side. */
const EVENT_FLAG = { exchange: 2 ** 31, local: 2 ** 30, buy: 2 ** 29, sell: 2 ** 28 } as const;

export interface NpzFile {
  readonly path: string;
  readonly events: number;
}

/** Events per file: 64 MB before compression. hftbacktest takes a list of files. */
const EVENTS_PER_FILE = 1_000_000;

const NS_PER_MS = 1_000_000n;

const CHANGE = placesOf('changes');
const ORDER = placesOf('orders');

/**
 * Writes the order-level events of a recording in the format of hftbacktest, in one or more .npz files in a folder that is
 * created if missing. Every keyframe at the start or after a gap clears the book and adds its orders. An execution is written as
 * a trade of the other side, a fill, and what becomes of the order. An order that shrank without a status is assumed to have been
 * executed. Times are those of the block, for exchange and local alike. Prices and sizes are 64-bit floats: this is the only
 * export that is not exact. An order that was placed ahead of others at its price cannot be represented. Throws RecordingError or
 * the system's error.
 */
export async function exportHftbacktest(recording: RecordingReader, folder: string): Promise<readonly NpzFile[]> {
  mkdirSync(folder, { recursive: true });
  const writer = new EventWriter(folder, recording.header.coin.replaceAll(/[^A-Za-z0-9]/g, '_'));
  /** The height of the keyframe whose orders are written. Orders of other keyframes are in the file already. */
  let begunAt: Cell = null;
  let isNew = true;
  await walkTables(recording, (table, cells) => {
    if (table === 'gaps') isNew = true;
    else if (table === 'changes') writeChange(writer, cells);
    if (table !== 'orders') return;
    const [height, time] = [cells[ORDER.height] ?? null, cells[ORDER.time_ms] ?? null];
    if (isNew) {
      begunAt = height;
      for (const side of ['B', 'A'] as const) writer.event(EVENT_KIND.clear, side, time, 0, 0, 0);
    }
    isNew = false;
    if (height !== begunAt) return;
    const [side, oid] = [cells[ORDER.side] as Side, Number(cells[ORDER.oid])];
    writer.event(EVENT_KIND.add, side, time, cells[ORDER.px], cells[ORDER.sz], oid);
  });
  return writer.end();
}

function writeChange(writer: EventWriter, cells: readonly Cell[]): void {
  const [side, oid, time] = [cells[CHANGE.side] as Side, Number(cells[CHANGE.oid]), cells[CHANGE.time_ms] ?? null];
  const { px, from, to } = { px: cells[CHANGE.px], from: cells[CHANGE.from_sz], to: cells[CHANGE.to_sz] };
  const status = cells[CHANGE.status];
  if (cells[CHANGE.kind] === 'insert') return writer.event(EVENT_KIND.add, side, time, px, to, oid);
  const executed = difference(String(from ?? 0), String(to ?? 0));
  const isRemoval = cells[CHANGE.kind] === 'remove';
  if (executed > 0 && (status === 'filled' || (!isRemoval && status === null))) {
    writer.event(EVENT_KIND.trade, side === 'B' ? 'A' : 'B', time, px, executed, 0);
    writer.event(EVENT_KIND.fill, side, time, px, executed, oid);
  }
  if (isRemoval) writer.event(EVENT_KIND.cancel, side, time, px, from, oid);
  else writer.event(EVENT_KIND.modify, side, time, px, to, oid);
}

/** Returns the exact difference of two decimals, rounded to the nearest float. */
function difference(a: string, b: string): number {
  const decimalsOf = (text: string) => (text.includes('.') ? text.length - text.indexOf('.') - 1 : 0);
  const decimals = Math.max(decimalsOf(a), decimalsOf(b));
  const units = (text: string) => BigInt(text.replace('.', '') + '0'.repeat(decimals - decimalsOf(text)));
  return Number(`${units(a) - units(b)}e-${decimals}`);
}

/** Returns the position of each column of a table, by name. */
function placesOf<Table extends TableName>(table: Table): Readonly<Record<keyof (typeof TABLES)[Table], number>> {
  const places = Object.fromEntries(columnsOf(table).map(([name], at) => [name, at]));
  return places as Record<keyof (typeof TABLES)[Table], number>;
}

class EventWriter {
  readonly #folder: string;
  readonly #name: string;
  readonly #bytes = new Uint8Array(EVENTS_PER_FILE * EVENT_BYTES);
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #files: NpzFile[] = [];
  #events = 0;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  event(kind: number, side: Side, timeMs: Cell, px: Cell | undefined, qty: Cell | undefined, oid: number): void {
    const view = this.#view;
    const at = this.#events * EVENT_BYTES;
    const flags = EVENT_FLAG.exchange + EVENT_FLAG.local + (side === 'B' ? EVENT_FLAG.buy : EVENT_FLAG.sell);
    const time = BigInt(Number(timeMs)) * NS_PER_MS;
    view.setBigUint64(at, BigInt(kind + flags), true);
    view.setBigInt64(at + 8, time, true);
    view.setBigInt64(at + 16, time, true);
    view.setFloat64(at + 24, Number(px ?? 0), true);
    view.setFloat64(at + 32, Number(qty ?? 0), true);
    view.setBigUint64(at + 40, BigInt(oid), true);
    this.#events += 1;
    if (this.#events === EVENTS_PER_FILE) this.#write();
  }

  end(): readonly NpzFile[] {
    if (this.#events > 0 || this.#files.length === 0) this.#write();
    return this.#files;
  }

  #write(): void {
    const path = join(this.#folder, `${this.#name}-${String(this.#files.length + 1).padStart(4, '0')}.npz`);
    writeNpz(path, this.#bytes.subarray(0, this.#events * EVENT_BYTES));
    this.#files.push({ path, events: this.#events });
    this.#events = 0;
  }
}

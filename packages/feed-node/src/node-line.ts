import { isObject, parsedJson, WireFormatError } from '@l4desk/protocol';
import type { NodeStream } from './layout.ts';

/** One line of a node's file: a whole block, or a single event of one. */
export interface NodeLine {
  readonly height: number;
  /** Block time, ms. */
  readonly time: number;
  readonly bytes: Buffer;
  readonly eventsAt: number;
  /** When it was read, in ms. */
  readonly readAt: number;
}

/** The head is about a hundred bytes. If it is not found within this many, the line is parsed. */
const HEAD_BYTES = 256;
const HEAD =
  /^\{"local_time":"[^"]*","block_time":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?)","block_number":(\d{1,12}),"events":\[/;

/** Reads the head of a line. Returns null if the line is not a node's. */
export function readLine(bytes: Buffer, readAt = 0): NodeLine | null {
  const head = HEAD.exec(bytes.toString('latin1', 0, HEAD_BYTES));
  if (head === null) return readOddLine(bytes, readAt);
  const [whole, at = '', height] = head;
  const time = millisOf(at);
  return Number.isNaN(time) ? null : { height: Number(height), time, bytes, eventsAt: whole.length, readAt };
}

/** Reads a line whose head has another order or other fields, by rewriting it in the usual form. */
function readOddLine(bytes: Buffer, readAt: number): NodeLine | null {
  const value = parsedJson(bytes.toString());
  if (typeof value !== 'object' || value === null) return null;
  const { block_time, block_number, events } = value as Readonly<Record<string, unknown>>;
  if (typeof block_time !== 'string' || typeof block_number !== 'number' || !Array.isArray(events)) return null;
  const rewritten = Buffer.from(JSON.stringify({ local_time: '', block_time, block_number, events }));
  return HEAD.test(rewritten.toString('latin1', 0, HEAD_BYTES)) ? readLine(rewritten, readAt) : null;
}

function millisOf(time: string): number {
  return Date.parse(`${time.slice(0, 23)}Z`);
}

/** Whether a line's list of events is empty. */
export function isQuiet({ bytes, eventsAt }: NodeLine): boolean {
  return bytes[eventsAt] === CLOSE;
}

/** Byte patterns that mark the start of an event and the name of its coin. */
interface EventMarks {
  readonly start: Buffer;
  readonly coin: Buffer;
  /** The end of an event and the start of the next one. */
  readonly between: Buffer;
  /** Number of bytes of `between` that belong to the previous event. */
  readonly endLength: number;
}

const MARKS = {
  diffs: marks('{"user":"', '"coin":"', '}'),
  statuses: marks('{"time":"', '"order":{"coin":"', '}'),
  fills: marks('["0x', '{"coin":"', ']'),
} as const satisfies Record<NodeStream, EventMarks>;

function marks(start: string, coin: string, end: string): EventMarks {
  return {
    start: Buffer.from(start),
    coin: Buffer.from(coin),
    between: Buffer.from(`${end},${start}`),
    endLength: end.length,
  };
}

const QUOTE = 34;
const CLOSE = 93;

/** Range of consecutive events of one coin. */
interface Run {
  readonly start: number;
  end: number;
}

/**
 * Returns the events of the coins in `wanted`, in order; others are not parsed (NODE-6). Inside a JSON string a quote
 * is always escaped, so each mark is a real key; if the marks do not alternate, the whole line is parsed instead.
 */
export function eventsOf(line: NodeLine, stream: NodeStream, wanted: ReadonlySet<string>): Map<string, unknown[]> {
  const runs = runsOf(line, MARKS[stream], wanted);
  const events = runs === null ? null : parseRuns(line.bytes, runs);
  return events ?? parseWhole(line, stream, wanted);
}

function runsOf(
  { bytes, eventsAt }: NodeLine,
  { start, coin, between, endLength }: EventMarks,
  wanted: ReadonlySet<string>,
): Map<string, Run[]> | null {
  const runs = new Map<string, Run[]>();
  const last = bytes.length - 2;
  if (bytes[last] !== CLOSE) return null;
  if (eventsAt === last) return runs;
  if (!startsAt(bytes, start, eventsAt)) return null;
  let at = eventsAt;
  let coinAt = bytes.indexOf(coin, at);
  let name = '';
  let run: Run | null = null;
  for (;;) {
    const next = bytes.indexOf(between, at);
    const end = next < 0 ? last : next + endLength;
    if (coinAt < 0 || coinAt > end) return null;
    const nameAt = coinAt + coin.length;
    const nameEnd = bytes.indexOf(QUOTE, nameAt);
    const coinName = bytes.toString('latin1', nameAt, nameEnd);
    if (!wanted.has(coinName)) run = null;
    else if (run !== null && name === coinName) run.end = end;
    else {
      run = { start: at, end };
      const known = runs.get(coinName);
      if (known === undefined) runs.set(coinName, [run]);
      else known.push(run);
    }
    name = coinName;
    // A second coin in the same event means that its end was missed.
    coinAt = bytes.indexOf(coin, nameEnd);
    if (next < 0) return coinAt < 0 ? runs : null;
    if (coinAt < end) return null;
    at = end + 1;
  }
}

function startsAt(bytes: Buffer, mark: Buffer, at: number): boolean {
  return bytes.compare(mark, 0, mark.length, at, at + mark.length) === 0;
}

function parseRuns(bytes: Buffer, runs: ReadonlyMap<string, readonly Run[]>): Map<string, unknown[]> | null {
  const events = new Map<string, unknown[]>();
  for (const [coin, ofCoin] of runs) {
    const value = parsedJson(`[${ofCoin.map(({ start, end }) => bytes.toString('utf8', start, end)).join(',')}]`);
    if (!Array.isArray(value)) return null;
    events.set(coin, value);
  }
  return events;
}

function parseWhole(line: NodeLine, stream: NodeStream, wanted: ReadonlySet<string>): Map<string, unknown[]> {
  const events = new Map<string, unknown[]>();
  const value = parsedJson(line.bytes.toString());
  const list = isObject(value) ? value.events : undefined;
  if (!Array.isArray(list)) throw new WireFormatError('line', 'must be JSON with events');
  for (const event of list) {
    const coin = coinOf(event, stream);
    if (coin === undefined) throw new WireFormatError('events', `must be ${stream}`);
    if (!wanted.has(coin)) continue;
    const known = events.get(coin);
    if (known === undefined) events.set(coin, [event]);
    else known.push(event);
  }
  return events;
}

function coinOf(event: unknown, stream: NodeStream): string | undefined {
  const holder = stream === 'fills' && Array.isArray(event) ? event[1] : event;
  const inner = stream === 'statuses' && isObject(holder) ? holder.order : holder;
  const coin = isObject(inner) ? inner.coin : undefined;
  return typeof coin === 'string' ? coin : undefined;
}

/** Returns the events of several lines of one block. A line contains a whole block or a single event. */
export function eventsOfAll(
  lines: readonly NodeLine[],
  stream: NodeStream,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, readonly unknown[]> {
  const [only] = lines;
  if (only !== undefined && lines.length === 1) return eventsOf(only, stream, wanted);
  const all = new Map<string, unknown[]>();
  if (wanted.size === 0) return all;
  for (const line of lines) {
    for (const [coin, events] of eventsOf(line, stream, wanted)) {
      const known = all.get(coin);
      if (known === undefined) all.set(coin, events);
      else known.push(...events);
    }
  }
  return all;
}

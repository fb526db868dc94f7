import { type BookChange, readChange, readWhole } from '../change.ts';
import { DECIMAL, matchAt, TEXT, WHOLE } from '../json-scan.ts';
import type { Side } from '../primitives.ts';
import type { OrderStatus } from '../stream/batch.ts';
import { readStatuses } from '../stream/statuses.ts';
import { WireFormatError } from '../wire-format-error.ts';

/** A block of the `l4Book` dialect of which only the parts that a book needs were parsed. */
interface L4BookBlockText {
  readonly coin: string;
  readonly height: number;
  readonly time: number;
  readonly changes: readonly BookChange<Side | null>[];
  /** The wire form of each change. */
  readonly diffs: readonly Readonly<Record<string, unknown>>[];
  readonly statuses: readonly OrderStatus[];
  /** All statuses as received, between the brackets, each checked; null if nobody reads them. */
  readonly statusesText: string | null;
  readonly hasOtherStatuses: boolean;
}

const HEAD =
  /^\{"channel":"l4Book","data":\{"Updates":\{"time":(0|[1-9]\d{0,14}),"height":(0|[1-9]\d{0,14}),"order_statuses":\[(?:\{[^{}]{1,300}\{[^{}]{1,100}?"coin":"([^"\\]{1,100})")?/;
const DIFFS = '],"book_diffs":[';
const END = ']}}}';
const COMMA = 44;
const ZERO = 48;

const STATUS_END = '}}';
/** Maximum characters of a status after its oid; beyond that, another status has begun. */
const REST_LENGTH_MAX = 400;

interface StatusForm {
  /** The whole status; the capture is the oid. */
  readonly pattern: RegExp;
  /** Up to the comma after the oid, loosely: distinguishes statuses of the coin from anything else. */
  readonly beginning: RegExp;
}

const forms = new Map<string, StatusForm>();

/**
 * Reads an `Updates` of the `l4Book` dialect several times as fast as `JSON.parse` (BOOK-2): only statuses of orders in
 * the diffs are parsed, and others only matched if `readsAll`. Null for text that is not exactly as the server writes
 * it.
 */
export function readL4BookBlockText(text: string, readsAll: (coin: string) => boolean): L4BookBlockText | null {
  const head = HEAD.exec(text);
  const end = text.lastIndexOf(DIFFS);
  if (head === null || end < 0 || !text.endsWith(END)) return null;
  const [, time, height, statusCoin] = head;
  const start = text.indexOf('[', HEAD_LENGTH_MIN) + 1;
  const diffs = parsedList(text.slice(end + DIFFS.length, -END.length));
  if (diffs === null) return null;
  const coin = coinOf(diffs[0]) ?? statusCoin;
  if (coin === undefined) return null;
  try {
    const changes = diffs.map((diff, index) => readChange(diff, coin, `book_diffs[${index}]`));
    const isWhole = readsAll(coin);
    const oids = new Set(changes.map(({ oid }) => oid));
    const scanned = isWhole
      ? scanStatuses(text, start, end, formOf(coin), oids)
      : pickStatuses(text, start, end, formOf(coin), oids);
    if (scanned === null) return null;
    const { wanted, hasOthers } = scanned;
    return {
      coin,
      height: readWhole(Number(height), 'height'),
      time: readWhole(Number(time), 'time'),
      changes,
      // Each was read as a change.
      diffs: diffs as L4BookBlockText['diffs'],
      statuses: readStatuses(wanted, 'order_statuses'),
      statusesText: isWhole ? text.slice(start, end) : null,
      hasOtherStatuses: hasOthers,
    };
  } catch (error) {
    if (error instanceof WireFormatError) return null;
    throw error;
  }
}

/** The head contains no bracket before that of the statuses. */
const HEAD_LENGTH_MIN = '{"channel":"l4Book","data":{"Updates":{"time":0,"height":0,"order_statuses":'.length;

interface ScannedStatuses {
  readonly wanted: readonly unknown[];
  readonly hasOthers: boolean;
}

/** Matches each status against the pattern and parses those of the given orders. Null if there is anything else. */
function scanStatuses(
  text: string,
  start: number,
  end: number,
  { pattern }: StatusForm,
  oids: ReadonlySet<number>,
): ScannedStatuses | null {
  const wanted: unknown[] = [];
  let hasOthers = false;
  for (let at = start; at < end; at += 1) {
    const match = matchAt(pattern, text, at);
    if (match === null) return null;
    if (oids.has(Number(match[1]))) wanted.push(JSON.parse(match[0]));
    else hasOthers = true;
    at = pattern.lastIndex;
    if (at === end) return { wanted, hasOthers };
    if (text.charCodeAt(at) !== COMMA) return null;
  }
  return start === end ? { wanted, hasOthers } : null;
}

/** Steps from status to status, and parses those of the given orders. Null if there is anything else. */
function pickStatuses(
  text: string,
  start: number,
  end: number,
  { pattern, beginning }: StatusForm,
  oids: ReadonlySet<number>,
): ScannedStatuses | null {
  // A block without diffs changes nothing, whatever its statuses are (L4-25).
  if (start === end || oids.size === 0) return { wanted: [], hasOthers: start !== end };
  const wanted: unknown[] = [];
  let hasOthers = false;
  for (let at = start; ; ) {
    beginning.lastIndex = at;
    if (!beginning.test(text)) return null;
    const oidEnd = beginning.lastIndex - 1;
    const close = text.indexOf(STATUS_END, oidEnd);
    // A status is never this long: its end was missed.
    if (close < 0 || close - oidEnd > REST_LENGTH_MAX) return null;
    const next = close + STATUS_END.length;
    if (oids.has(wholeBefore(text, oidEnd))) {
      const match = matchAt(pattern, text, at);
      if (match === null || pattern.lastIndex !== next) return null;
      wanted.push(JSON.parse(match[0]));
    } else hasOthers = true;
    if (next >= end) return next === end ? { wanted, hasOthers } : null;
    if (text.charCodeAt(next) !== COMMA) return null;
    at = next + 1;
  }
}

/** The digits that end at an index, as a number. */
function wholeBefore(text: string, end: number): number {
  let whole = 0;
  for (let at = end - 1, unit = 1; ; at -= 1, unit *= 10) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return whole;
    whole += digit * unit;
  }
}

function parsedList(inside: string): readonly unknown[] | null {
  try {
    const list: unknown = JSON.parse(`[${inside}]`);
    return Array.isArray(list) ? list : null;
  } catch {
    return null;
  }
}

function coinOf(diff: unknown): string | undefined {
  if (typeof diff !== 'object' || diff === null || !('coin' in diff)) return undefined;
  return typeof diff.coin === 'string' ? diff.coin : undefined;
}

function formOf(coin: string): StatusForm {
  let form = forms.get(coin);
  if (form === undefined) {
    form = { pattern: new RegExp(statusPattern(coin), 'y'), beginning: new RegExp(statusBeginning(coin), 'y') };
    forms.set(coin, form);
  }
  return form;
}

const AMOUNT = `"${DECIMAL}"`;
const QUOTED = `"${TEXT}"`;
const BOOL = '(?:true|false)';

function statusBeginning(coin: string): string {
  const order = String.raw`"user":null,"coin":${escaped(coin)},"side":"[AB]","limitPx":"[^"]*","sz":"[^"]*","oid":\d+,`;
  return String.raw`\{"time":"[^"]*","user":"0x[^"]{40}","status":"[^"]*","order":\{${order}`;
}

/** A coin's name as in JSON, escaped for a pattern. */
function escaped(coin: string): string {
  return JSON.stringify(coin).replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** A status with every field that the specification names, in the server's order, and no others. */
function statusPattern(coin: string): string {
  const order = [
    '"user":null',
    `"coin":${escaped(coin)}`,
    '"side":"[AB]"',
    `"limitPx":${AMOUNT}`,
    `"sz":${AMOUNT}`,
    `"oid":(${WHOLE})`,
    `"timestamp":${WHOLE}`,
    `"triggerCondition":${QUOTED}`,
    `"isTrigger":${BOOL}`,
    `"triggerPx":${AMOUNT}`,
    `"isPositionTpsl":${BOOL}`,
    `"reduceOnly":${BOOL}`,
    `"orderType":${QUOTED}`,
    `"tif":(?:null|${QUOTED})`,
    `"cloid":(?:null|${QUOTED})`,
  ].join(',');
  const time = String.raw`"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?"`;
  return String.raw`\{${time},"user":"0x[0-9a-fA-F]{40}","status":${QUOTED},"order":\{${order}\}\}`;
}

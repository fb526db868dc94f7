import { isObject, visibleText } from '@l4desk/protocol';
import { readPasted } from './read-pasted.ts';
import { type Wallet, wallet, walletFields } from './wallet.ts';

/** The result of one line of a paste or a file. */
export type ImportRow =
  /**
   * A wallet that is not in the book yet (`new`) or is (`known`). A known wallet gets the fields of the line and keeps its
   * other ones, also in place of refused fields. `refused` says which fields of the line are invalid, and why.
   */
  | {
      readonly kind: 'new' | 'known';
      readonly line: number;
      readonly wallet: Wallet;
      readonly refused: readonly string[];
    }
  /** The same wallet as an earlier line, and therefore left out; `byCase` if only the letter case differs. */
  | {
      readonly kind: 'repeated';
      readonly line: number;
      readonly written: string;
      readonly of: number;
      readonly byCase: boolean;
    }
  | { readonly kind: 'bad'; readonly line: number; readonly written: string; readonly problem: string };

/** The result of a whole paste or file. */
export interface ImportPreview {
  readonly rows: readonly ImportRow[];
  /** Unknown columns of the heading, or unknown fields of objects. */
  readonly unknownColumns: readonly string[];
}

interface Entry {
  readonly line: number;
  readonly written: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Reads a paste or a file: JSON (addresses, or objects with address, label, group, colour, tags), CSV with a heading, or lines
 * of `address, label, group, tags, colour`, also with the address after the label. Nothing is dropped silently: every line has its
 * row, every refused field its reason, and unknown columns are named.
 */
export function previewImport(text: string, book: readonly Wallet[]): ImportPreview {
  const known = new Map<string, Wallet>(book.map((entry) => [entry.address, entry]));
  const seen = new Map<string, { readonly line: number; readonly written: string }>();
  const entries = entriesOf(text);
  const rows = entries.map(({ line, written, fields }): ImportRow => {
    const named = readPasted(written);
    if (named.kind === 'invalid') return { kind: 'bad', line, written, problem: named.problem };
    const { address } = named;
    const earlier = seen.get(address);
    if (earlier !== undefined) {
      return {
        kind: 'repeated',
        line,
        written,
        of: earlier.line,
        byCase: isOtherCase(visibleText(earlier.written), visibleText(written)),
      };
    }
    seen.set(address, { line, written });
    const before = known.get(address);
    const { taken, refused } = given(fields);
    const read = wallet.parse({ ...before, ...taken, address });
    return { kind: before === undefined ? 'new' : 'known', line, wallet: read, refused };
  });
  const columns = new Set(entries.flatMap(({ fields }) => Object.keys(fields)));
  return { rows, unknownColumns: [...columns].filter((name) => name !== '' && !NAMES.has(name)) };
}

function isOtherCase(one: string, other: string): boolean {
  return one !== other && one.toLowerCase() === other.toLowerCase();
}

/** The wallets that an import adds to the book. */
export function importedWallets({ rows }: ImportPreview): readonly Wallet[] {
  return rows.flatMap((row) => (row.kind === 'new' || row.kind === 'known' ? [row.wallet] : []));
}

/** The fields of a line, as they will be stored in the book, and the refused ones. An empty field changes nothing. */
function given(fields: Readonly<Record<string, unknown>>) {
  const taken: Record<string, unknown> = {};
  const refused: string[] = [];
  for (const name of FIELDS) {
    const value = fields[name];
    if (value === undefined || value === null || value === '') continue;
    const read = walletFields[name].safeParse(spelled(name, value));
    if (read.success) taken[name] = read.data;
    else refused.push(`${name} ${read.error.issues[0]?.message ?? 'cannot be read'}`);
  }
  return { taken, refused };
}

/** The value in the address book's form: tags as a list, a colour in lower case. */
function spelled(name: (typeof FIELDS)[number], value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (name === 'tags') return value.split(/[;|]/).filter((tag) => tag.trim() !== '');
  return name === 'colour' ? value.trim().toLowerCase() : value;
}

function entriesOf(text: string): readonly Entry[] {
  const trimmed = text.replace(/^[\s\p{Cf}]+/u, '').trimEnd();
  return /^[[{]/.test(trimmed) ? jsonEntries(trimmed) : csvEntries(text);
}

function jsonEntries(text: string): readonly Entry[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'not valid JSON';
    return [{ line: 1, written: `Invalid JSON: ${problem}`, fields: {} }];
  }
  const list = listOf(json);
  return (Array.isArray(list) ? list : [list]).map((item: unknown, at): Entry => {
    if (typeof item !== 'object' || item === null) return { line: at + 1, written: String(item).trim(), fields: {} };
    const fields = Object.fromEntries(Object.entries(item).map(([name, value]) => [columnName(name), value]));
    const { address } = fields;
    return { line: at + 1, written: typeof address === 'string' ? address.trim() : '', fields };
  });
}

/** The list of a document: itself, its `wallets`, or an object of labels by address. */
function listOf(json: unknown): unknown {
  if (Array.isArray(json)) return json;
  if (!isObject(json)) return [json];
  if ('wallets' in json) return json.wallets;
  const labels = Object.entries(json);
  const isBook = labels.length > 0 && labels.every(([address]) => readPasted(address).kind === 'address');
  return isBook ? labels.map(([address, label]) => ({ address, label })) : [json];
}

const FIELDS = ['label', 'group', 'tags', 'colour'] as const;
const COLUMNS: readonly string[] = ['address', ...FIELDS];
const NAMES: ReadonlySet<string> = new Set(COLUMNS);

/** Column names used by other tools. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['wallet', 'address'],
  ['user', 'address'],
  ['account', 'address'],
  ['name', 'label'],
  ['tag', 'tags'],
  ['color', 'colour'],
]);

function columnName(written: string): string {
  const name = visibleText(written).toLowerCase();
  return ALIASES.get(name) ?? name;
}

function csvEntries(text: string): readonly Entry[] {
  const records = readCsv(text);
  const [first] = records;
  const heading = first?.cells.map(columnName) ?? [];
  // `HolderAddress`, `wallet_address`, `Wallet Address`: the explorers' exports.
  const at = heading.includes('address') ? -1 : heading.findIndex((name) => name.endsWith('address'));
  if (at >= 0) heading[at] = 'address';
  const hasHeading = heading.includes('address');
  const names = hasHeading ? heading : COLUMNS;
  return records.slice(hasHeading ? 1 : 0).flatMap(({ line, cells }): Entry[] => {
    // Addresses only, several on a line.
    const words = cells.join(' ').trim().split(/\s+/);
    if (!hasHeading && words.length > 1 && words.every((word) => readPasted(word).kind === 'address')) {
      return words.map((written) => ({ line, written, fields: {} }));
    }
    const fields = Object.fromEntries(
      (hasHeading ? cells : addressFirst(cells, line)).map((cell, column) => {
        const value = unescaped(cell.trim());
        return [names[column] ?? (value === '' ? '' : `number ${column + 1}`), value];
      }),
    );
    return [{ line, written: fields.address ?? '', fields }];
  });
}

/** The cells in the order of the columns, if names or the number of the line, from 0 or 1, come before the only address. */
function addressFirst(cells: readonly string[], line: number): readonly string[] {
  const at = cells.findIndex((cell) => readPasted(cell).kind === 'address');
  // Of several cells that may be meant as the address, none is chosen: the line is reported.
  if (at <= 0 || cells.filter((cell) => /^\s*0x/i.test(cell) || readPasted(cell).kind === 'address').length > 1)
    return cells;
  const before = cells.slice(0, at).filter((cell) => !['', ...[line, line - 1].map(String)].includes(cell.trim()));
  return cells.slice(at, at + 1).concat(before, cells.slice(at + 1));
}

/** Removes the apostrophe that an export puts before text that a spreadsheet would run as a formula. */
function unescaped(text: string): string {
  return /^'\s*[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}

/** One record of a CSV text and the line it starts on, counted from 1. */
interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The text of a file: UTF-16 if it begins with a byte order mark of it, else UTF-8, or Windows-1252 as spreadsheets write it. */
export function textOfFile(bytes: Uint8Array<ArrayBuffer>): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Reads RFC 4180 with commas, semicolons or tabs, whichever comes first in the first line; skips empty lines. Lines end in LF,
 * CRLF or CR.
 */
function readCsv(text: string): readonly CsvRecord[] {
  // A spreadsheet may name its separator in a first line of its own, which stays a line of the count.
  const source = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/^sep=.\n/i, '\n');
  const firstLine = source.trimStart().split('\n', 1)[0] ?? '';
  // The others may be part of what a line says: `0x…, maker, desk, fast;small`.
  const separator = /[\t;,]/.exec(firstLine)?.[0] ?? ',';
  // A quote that is not closed before a separator or the end of a line is text: it must not swallow the lines after it.
  const quoted = new RegExp(`"([^"]*(?:""[^"]*)*)"[^\\S\\n\\t]*(?=[${separator}\\n]|$)`, 'y');
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let cell = '';
  let line = 1;
  let startedOn = 1;
  const endRecord = () => {
    cells.push(cell);
    if (cells.some((item) => item.trim() !== '')) records.push({ line: startedOn, cells });
    cells = [];
    cell = '';
    startedOn = line;
  };
  for (let at = 0; at < source.length; at++) {
    const mark = source.charAt(at);
    quoted.lastIndex = at;
    const match = mark === '"' && cell.trim() === '' ? quoted.exec(source) : null;
    if (match !== null) {
      const [whole, inside = ''] = match;
      cell = inside.replaceAll('""', '"');
      line += inside.split('\n').length - 1;
      at += whole.length - 1;
    } else if (mark === separator) {
      cells.push(cell);
      cell = '';
    } else if (mark === '\n') {
      line++;
      endRecord();
    } else cell += mark;
  }
  endRecord();
  return records;
}

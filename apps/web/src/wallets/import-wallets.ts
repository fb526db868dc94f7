import { ADDRESS_PATTERN } from '@l4desk/protocol';
import { readCsv } from './read-csv.ts';
import { type Wallet, wallet } from './wallet.ts';

/** What becomes of one line of a paste or a file. */
export type ImportRow =
  /** Not in the book yet. */
  | { readonly kind: 'new'; readonly line: number; readonly wallet: Wallet }
  /** In the book: it gets the fields that the line has. */
  | { readonly kind: 'known'; readonly line: number; readonly wallet: Wallet; readonly before: Wallet }
  /** The same wallet as an earlier line, `byCase` when only the letter case differs: left out. */
  | {
      readonly kind: 'repeated';
      readonly line: number;
      readonly written: string;
      readonly of: number;
      readonly byCase: boolean;
    }
  | { readonly kind: 'bad'; readonly line: number; readonly written: string; readonly problem: string };

interface Entry {
  readonly line: number;
  readonly written: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Reads a paste or a file: JSON (addresses, or objects with address, label, group, colour, tags), CSV with a heading, or
 * lines of `address, label, group, tags`. Nothing is dropped in silence: every line has its row.
 */
export function previewImport(text: string, book: readonly Wallet[]): readonly ImportRow[] {
  const known = new Map<string, Wallet>(book.map((entry) => [entry.address, entry]));
  const seen = new Map<string, { readonly line: number; readonly written: string }>();
  return entriesOf(text).map(({ line, written, fields }): ImportRow => {
    if (!ADDRESS_PATTERN.test(written)) return { kind: 'bad', line, written, problem: addressProblem(written) };
    const address = written.toLowerCase();
    const earlier = seen.get(address);
    if (earlier !== undefined) {
      return { kind: 'repeated', line, written, of: earlier.line, byCase: earlier.written !== written };
    }
    seen.set(address, { line, written });
    const before = known.get(address);
    const read = wallet.parse({ ...before, ...given(fields), address });
    return before === undefined ? { kind: 'new', line, wallet: read } : { kind: 'known', line, wallet: read, before };
  });
}

/** The wallets an import would put into the book. */
export function importedWallets(rows: readonly ImportRow[]): readonly Wallet[] {
  return rows.flatMap((row) => (row.kind === 'new' || row.kind === 'known' ? [row.wallet] : []));
}

function addressProblem(written: string): string {
  if (written === '') return 'holds no address';
  if (!/^0x/i.test(written)) return 'does not begin with 0x';
  if (/[^0-9a-f]/i.test(written.slice(2))) return 'holds something else than hexadecimal digits';
  return `has ${written.length - 2} digits after 0x where an address has 40`;
}

/** The fields a line has: an empty one changes nothing. */
function given(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { label, group, colour, tags } = fields;
  const read: Record<string, unknown> = {};
  if (typeof label === 'string' && label !== '') read.label = label;
  if (typeof group === 'string' && group !== '') read.group = group;
  if (typeof colour === 'string' && colour !== '') read.colour = colour.toLowerCase();
  if (Array.isArray(tags)) read.tags = tags;
  if (typeof tags === 'string' && tags !== '') read.tags = tags.split(/[;|]/).filter((tag) => tag.trim() !== '');
  return read;
}

function entriesOf(text: string): readonly Entry[] {
  const trimmed = text.trim();
  return /^[[{]/.test(trimmed) ? jsonEntries(trimmed) : csvEntries(text);
}

function jsonEntries(text: string): readonly Entry[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'is no JSON';
    return [{ line: 1, written: `no JSON: ${problem}`, fields: {} }];
  }
  const list: unknown = Array.isArray(json)
    ? json
    : typeof json === 'object' && json !== null && 'wallets' in json
      ? json.wallets
      : [json];
  return (Array.isArray(list) ? list : [list]).map((item: unknown, at): Entry => {
    if (typeof item !== 'object' || item === null) return { line: at + 1, written: String(item).trim(), fields: {} };
    const fields = Object.fromEntries(Object.entries(item));
    const { address } = fields;
    return { line: at + 1, written: typeof address === 'string' ? address.trim() : '', fields };
  });
}

const NAMES = ['address', 'label', 'group', 'tags', 'colour'] as const;
/** What other tools call the same. */
const ALIASES: Readonly<Record<string, (typeof NAMES)[number]>> = {
  wallet: 'address',
  user: 'address',
  name: 'label',
  color: 'colour',
};

function csvEntries(text: string): readonly Entry[] {
  const records = readCsv(text);
  const [first] = records;
  const heading = first?.cells.map((cell) => {
    const name = cell.trim().toLowerCase();
    return ALIASES[name] ?? name;
  });
  const hasHeading = heading?.includes('address') ?? false;
  const names: readonly string[] = hasHeading && heading !== undefined ? heading : NAMES;
  return records.slice(hasHeading ? 1 : 0).flatMap(({ line, cells }): Entry[] => {
    // Addresses alone, many on a line.
    const words = cells.join(' ').trim().split(/\s+/);
    if (!hasHeading && words.length > 1 && words.every((word) => ADDRESS_PATTERN.test(word))) {
      return words.map((written) => ({ line, written, fields: {} }));
    }
    const fields = Object.fromEntries(names.map((name, at) => [name, unescaped(cells[at]?.trim() ?? '')]));
    return [{ line, written: fields.address ?? '', fields }];
  });
}

/** Takes away the apostrophe that an export puts before what a spreadsheet would run. */
function unescaped(text: string): string {
  return /^'\s*[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}

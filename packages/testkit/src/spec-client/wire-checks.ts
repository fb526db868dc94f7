/** Plain checks of each message against the specification, field by field (sections 2.6, 2.7 and 4.7). */

type Json = Readonly<Record<string, unknown>>;
type Report = (problem: string) => void;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DECIMAL = /^-?\d+(\.\d+)?$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const STATUS_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?$/;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Check = (value: unknown) => boolean;

const int: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const text: Check = (value) => typeof value === 'string';
const bool: Check = (value) => typeof value === 'boolean';
const decimal: Check = (value) => typeof value === 'string' && DECIMAL.test(value);
const address: Check = (value) => typeof value === 'string' && ADDRESS.test(value);
const side: Check = (value) => value === 'B' || value === 'A';
const list: Check = (value) => Array.isArray(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

function checkFields(
  value: unknown,
  fields: Readonly<Record<string, Check>>,
  where: string,
  report: Report,
): value is Json {
  if (!isObject(value)) {
    report(`${where} is no object`);
    return false;
  }
  let sound = true;
  for (const [name, check] of Object.entries(fields)) {
    if (check(value[name])) continue;
    report(`${where}.${name} is ${JSON.stringify(value[name])}`);
    sound = false;
  }
  return sound;
}

const ORDER: Readonly<Record<string, Check>> = {
  coin: text,
  side,
  limitPx: decimal,
  sz: decimal,
  oid: int,
  timestamp: int,
  triggerCondition: text,
  isTrigger: bool,
  triggerPx: decimal,
  isPositionTpsl: bool,
  reduceOnly: bool,
  orderType: text,
  tif: orNull(text),
  cloid: orNull(text),
};

export interface SnapshotWire {
  readonly coin: string;
  readonly time: number;
  readonly height: number;
  readonly epoch: string;
  readonly seq: number;
  readonly levels: readonly [readonly OrderWire[], readonly OrderWire[]];
}

interface OrderWire {
  readonly user: string;
  readonly side: 'B' | 'A';
  readonly limitPx: string;
  readonly sz: string;
  readonly oid: number;
}

/** Section 2.6. */
export function checkSnapshot(value: unknown, coin: string, report: Report): SnapshotWire | undefined {
  const fields = {
    coin: (name: unknown) => name === coin,
    time: int,
    height: int,
    epoch: isUuid,
    seq: int,
    levels: list,
  };
  if (!checkFields(value, fields, 'snapshot', report)) return undefined;
  const levels = value.levels as readonly unknown[];
  if (levels.length !== 2 || !levels.every(list)) {
    report('snapshot.levels is not exactly two arrays');
    return undefined;
  }
  const sound = (['B', 'A'] as const).every((of, index) =>
    (levels[index] as readonly unknown[]).every((order, rank) => {
      const expected = {
        ...ORDER,
        user: address,
        coin: (name: unknown) => name === coin,
        side: (s: unknown) => s === of,
      };
      return checkFields(order, expected, `snapshot.levels[${index}][${rank}]`, report);
    }),
  );
  return sound ? (value as unknown as SnapshotWire) : undefined;
}

export interface EntryWire {
  readonly coin: string;
  readonly seq: number;
  readonly prev_seq: number;
  readonly order_statuses: readonly { readonly order: { readonly oid: number } }[];
  readonly book_diffs: readonly DiffWire[];
}

interface DiffWire {
  readonly user: string;
  readonly oid: number;
  readonly side: 'B' | 'A';
  readonly px: string;
  readonly raw_book_diff:
    | 'remove'
    | { readonly new: { readonly sz: string; readonly insertBefore?: number | null } }
    | { readonly update: { readonly origSz: string; readonly newSz: string } };
}

export interface BatchWire {
  readonly time: number;
  readonly block_height: number;
  readonly epoch: string;
  readonly cursor: string;
  readonly book_diffs: readonly EntryWire[];
}

/** Section 2.7. */
export function checkBatch(value: unknown, report: Report): BatchWire | undefined {
  const fields = { time: int, block_height: int, epoch: isUuid, cursor: text, book_diffs: list };
  if (!checkFields(value, fields, 'Updates', report)) return undefined;
  if (value.cursor !== `${String(value.block_height)}:${String(value.time)}`)
    report(`cursor is ${String(value.cursor)}`);
  const entries = value.book_diffs as readonly unknown[];
  const coins = entries.map((entry) => (isObject(entry) ? entry.coin : undefined));
  if (new Set(coins).size !== coins.length) report(`two entries of one coin: ${coins.join(', ')}`);
  return entries.every((entry) => checkEntry(entry, report)) ? (value as unknown as BatchWire) : undefined;
}

function checkEntry(entry: unknown, report: Report): boolean {
  const fields = { coin: text, seq: int, prev_seq: int, order_statuses: list, book_diffs: list };
  if (!checkFields(entry, fields, 'entry', report)) return false;
  const { coin, seq, prev_seq: prevSeq } = entry as unknown as EntryWire;
  const sameCoin: Check = (name) => name === coin;
  if (seq <= prevSeq) report(`${coin}: seq ${seq} does not follow ${prevSeq}`);
  const diffs = entry.book_diffs as readonly unknown[];
  const statuses = entry.order_statuses as readonly unknown[];
  if (diffs.length === 0) report(`${coin}: an entry without a diff`);
  const diffFields = { user: address, oid: int, side, px: decimal, coin: sameCoin, raw_book_diff: isDescriptor };
  const soundDiffs = diffs.every((item, index) => checkFields(item, diffFields, `${coin} diff ${index}`, report));
  const statusFields = {
    time: (time: unknown) => text(time) && STATUS_TIME.test(time as string),
    user: address,
    status: text,
  };
  for (const [index, item] of statuses.entries()) {
    if (!checkFields(item, statusFields, `${coin} status ${index}`, report)) continue;
    // The owner is in the status itself. Inside the order it is null.
    const expected = { ...ORDER, coin: sameCoin, user: (user: unknown) => user === null };
    checkFields(item.order, expected, `${coin} status ${index} order`, report);
  }
  return soundDiffs;
}

function isDescriptor(value: unknown): boolean {
  if (value === 'remove') return true;
  if (!isObject(value)) return false;
  const { new: fresh, update } = value;
  if (isObject(fresh)) return update === undefined && decimal(fresh.sz);
  return isObject(update) && decimal(update.origSz) && decimal(update.newSz);
}

function isUuid(value: unknown): boolean {
  return typeof value === 'string' && UUID.test(value);
}

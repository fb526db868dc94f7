import { counted } from '../../ui/format.ts';
import { measuredAmounts } from '../../ui/number-width.ts';
import { unitsOf } from '../../ui/table/sorted-rows.ts';
import { CHOSEN, type RowState, type TableColumn } from '../../ui/table/table-column.ts';
import { FIELDS, type Field } from '../../wallets/balances/fields.ts';
import { SumAmount } from '../../wallets/balances/sum-amount.tsx';
import {
  amountOf,
  areLastKnown,
  countedText,
  isCounted,
  type Sum,
  sumOf,
  sumSign,
  sumText,
  type Token,
  type WalletEntry,
} from '../../wallets/balances/sums.ts';
import type { RoleFacts } from '../../wallets/roles.ts';
import { WalletName } from '../../wallets/wallet-mark.tsx';
import {
  AmountOf,
  copiedName,
  copiedSum,
  FIELD_TEXTS,
  failureColumn,
  indexText,
  NamedRole,
  ROLE_WIDTH,
} from './cells.tsx';
import type { EntryGroup } from './pivot.ts';

/** A row of the pivot of wallets by tokens: a wallet, or a group of wallets. */
export type WalletRow =
  | { readonly kind: 'wallet'; readonly key: string; readonly entry: WalletEntry }
  | {
      readonly kind: 'group';
      readonly key: string;
      readonly group: EntryGroup;
      readonly rows: readonly WalletRow[];
      /** Computed on first use, because few of many rows are in view. */
      readonly sum: (token: Token, field: Field) => Sum;
    };

interface Pivot {
  readonly entries: readonly WalletEntry[];
  readonly tokens: readonly Token[];
  readonly field: Field;
  /** Only failed wallets are in view: their messages are shown on a narrow screen too. */
  readonly onlyFailed: boolean;
  /** Empty while they are not shown. */
  readonly roles: RoleFacts;
}

export const isGroupRow = (row: WalletRow) => row.kind === 'group';
export const childrenOfWalletRow = (row: WalletRow) => (row.kind === 'group' ? row.rows : []);
export const stateOfWalletRow = (row: WalletRow): RowState => (row.kind === 'group' ? OK : row.entry.state);

const OK = { kind: 'ok' } as const;

/**
 * The wallets in view, under their groups if there are any. `shown` leaves out those that have nothing but dust. A master without
 * sub-accounts is no group.
 */
export function walletRows(
  shown: readonly WalletEntry[],
  groups: readonly EntryGroup[] | undefined,
): readonly WalletRow[] {
  const rows = shown.map((entry): WalletRow => ({ kind: 'wallet', key: entry.wallet.address, entry }));
  if (groups === undefined) return rows;
  const inSight = new Map(rows.map((row) => [row.key, row]));
  return groups.flatMap((group): readonly WalletRow[] => {
    const { key, wallet, members } = group;
    const below = members.flatMap((entry) => inSight.get(entry.wallet.address) ?? []);
    if (below.length === 0 || (wallet !== undefined && members.length === 1)) return below;
    return [{ kind: 'group', key, group, rows: below, sum: groupSums(members) }];
  });
}

function groupSums(members: readonly WalletEntry[]): (token: Token, field: Field) => Sum {
  const known = new Map<string, Sum>();
  return (token, field) => {
    const key = `${token.id} ${field}`;
    const sum = known.get(key) ?? sumOf(members, token, field);
    known.set(key, sum);
    return sum;
  };
}

/** The columns of wallets by tokens, with the sums below them. */
export function walletColumns(
  { entries, tokens, field, onlyFailed, roles }: Pivot,
  onToken: (token: Token) => void,
): readonly TableColumn<WalletRow>[] {
  const columns: readonly TableColumn<WalletRow>[] = [
    {
      id: 'wallet',
      title: 'Wallet',
      width: roles.size > 0 ? ROLE_WIDTH : 160,
      fixed: true,
      sortBy: (row) => (row.kind === 'group' ? row.group.name : copiedName(row.entry.wallet)),
      total: totalTitle(entries),
      copied: (row) => (row.kind === 'group' ? groupName(row.group) : copiedName(row.entry.wallet)),
      cell: (row) => (row.kind === 'group' ? <GroupName row={row} /> : <NamedRole {...row.entry} roles={roles} />),
    },
    ...(onlyFailed ? [failureColumn<WalletRow>((row) => (row.kind === 'wallet' ? row.entry : undefined))] : []),
    {
      id: 'group',
      title: 'Group',
      width: 96,
      sortBy: (row) => (row.kind === 'group' ? row.group.name : row.entry.wallet.group) || undefined,
      shownFrom: 1920,
      hasSecrets: true,
      cell: (row) => (row.kind === 'group' ? '' : row.entry.wallet.group),
    },
    ...tokens.map((token) => chosenColumn(token, entries, field, onToken)),
  ];
  const others = FIELDS.filter((other) => other !== field).map((other) =>
    tokens.map((token) => ({
      ...tokenColumn(token, entries, other, sumOf(entries, token, other)),
      id: `${token.id}.${other}`,
      title: `${token.name} ${other}`,
    })),
  );
  return withFurther(columns, others);
}

/** The column of a token for the chosen field; a click on its sum opens the addends. */
function chosenColumn(
  token: Token,
  entries: readonly WalletEntry[],
  field: Field,
  onToken: (token: Token) => void,
): TableColumn<WalletRow> {
  const { name } = token;
  const sum = sumOf(entries, token, field);
  const column = tokenColumn(token, entries, field, sum);
  return {
    ...column,
    narrow: true,
    sortBy: (row) => unitsOf(row.kind === 'group' ? row.sum(token, field).value : amountOf(row.entry, token)?.[field]),
    total: (
      <button
        type="button"
        className="rounded-4 hover:underline"
        aria-label={`${name}: ${sumSign(sum)}${sum.value ?? 'none'}, ${sumText(sum)}; show the addends`}
        onClick={() => onToken(token)}
      >
        {column.total}
      </button>
    ),
  };
}

function tokenColumn(token: Token, entries: readonly WalletEntry[], field: Field, sum: Sum): TableColumn<WalletRow> {
  const { id, name } = token;
  const values = entries.flatMap((entry) => amountOf(entry, token)?.[field] ?? []);
  if (sum.value !== undefined) values.push(sum.value);
  const { decimals, width } = measuredAmounts(values, `${name} ${field}`, sumSign(sum));
  return {
    id,
    title: name,
    hint: `${name}, ${indexText(token)}: ${FIELD_TEXTS[field]}`,
    width,
    align: 'end',
    total: <SumAmount sum={sum} decimals={decimals} />,
    copied: (row) => (row.kind === 'wallet' ? amountOf(row.entry, token)?.[field] : copiedSum(row.sum(token, field))),
    cell: (row) =>
      row.kind === 'wallet' ? (
        <AmountOf entry={row.entry} {...{ token, field, decimals }} />
      ) : (
        <SumAmount sum={row.sum(token, field)} decimals={decimals} />
      ),
  };
}

const groupName = ({ name, wallet }: EntryGroup) => (wallet === undefined ? name || 'No group' : copiedName(wallet));

function GroupName({ row: { group, rows } }: { readonly row: Extract<WalletRow, { kind: 'group' }> }) {
  const { name, wallet, members } = group;
  if (wallet !== undefined) {
    return (
      <>
        <WalletName wallet={wallet} /> <span className="text-dim">· {counted(members.length, 'account')}</span>
      </>
    );
  }
  return (
    <span className="truncate font-medium text-strong">
      <span className="private">{name || 'No group'}</span>
      <span className="font-normal text-dim"> · {rows.length}</span>
    </span>
  );
}

function totalTitle(entries: readonly WalletEntry[]): string {
  if (areLastKnown(entries)) return 'Last known total';
  if (entries.every(isCounted)) return 'Total';
  return entries.some(isCounted) ? `≥ ${countedText(entries)}` : 'No sum';
}

const WIDE_WINDOWS = [1920, 2400];

/** Width not available to columns, px: the edges of a window and a scroll bar. */
const EDGES = 24;

/**
 * The columns, followed by those for a wide window: set by set, each as a whole, and only from a width at which they need no
 * sideways scrolling. A set that fits no window is left out, as are the sets after it.
 */
export function withFurther<Row>(
  columns: readonly TableColumn<Row>[],
  sets: readonly (readonly TableColumn<Row>[])[],
): readonly TableColumn<Row>[] {
  const all = [...columns];
  let width = EDGES + widthOf(columns.filter(({ shownFrom }) => shownFrom !== CHOSEN));
  for (const set of sets) {
    width += widthOf(set);
    const shownFrom = WIDE_WINDOWS.find((window) => width <= window);
    if (shownFrom === undefined) return all;
    all.push(...set.map((column) => ({ ...column, shownFrom })));
  }
  return all;
}

function widthOf(columns: readonly { readonly width?: number }[]): number {
  return columns.reduce((sum, { width = 0 }) => sum + width, 0);
}

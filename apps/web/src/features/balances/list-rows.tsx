import { columnDecimals } from '../../ui/format.ts';
import type { GridColumn, GridSort, RowState } from '../../ui/grid/grid-column.ts';
import { WalletName } from '../../wallets/wallet-mark.tsx';
import { aligned, widthFor } from './amounts.ts';
import { Amount, StandingCell, stateWidth } from './cells.tsx';
import type { TokenAmounts } from './ledger.ts';
import { amountOf, exceedsDust, isCounted, sortedBy, type Token, unitsOf, type WalletEntry } from './pivot.ts';
import { FIELDS, type Field } from './search.ts';
import { absenceText, FIELD_HINTS, FIELD_TEXTS } from './texts.ts';

/** One balance: a wallet and a token. A wallet without any has one row of its own. */
export interface ListRow {
  readonly key: string;
  readonly entry: WalletEntry;
  readonly token: Token | undefined;
  readonly amounts: TokenAmounts | undefined;
}

export const keyOfListRow = (row: ListRow) => row.key;
export const stateOfListRow = (row: ListRow): RowState => row.entry.standing;

/** Every balance of the wallets in the tokens; `dust` leaves out those that are no more than it. */
export function listRows(
  entries: readonly WalletEntry[],
  tokens: readonly Token[],
  dust: bigint | undefined,
): readonly ListRow[] {
  return entries.flatMap((entry): ListRow[] => {
    const { address } = entry.wallet;
    const own = tokens.flatMap((token): ListRow[] => {
      const amounts = amountOf(entry, token.token);
      const isShown = amounts !== undefined && (dust === undefined || exceedsDust(amounts, dust));
      return isShown ? [{ key: `${address} ${token.token}`, entry, token, amounts }] : [];
    });
    const speaks = own.length === 0 && (!isCounted(entry) || dust === undefined);
    return speaks ? [{ key: address, entry, token: undefined, amounts: undefined }] : own;
  });
}

export function sortedList(rows: readonly ListRow[], sort: GridSort | undefined): readonly ListRow[] {
  if (sort === undefined) return rows;
  const { column, descending } = sort;
  const field = FIELDS.find((name) => name === column);
  return sortedBy(
    rows,
    ({ entry, token, amounts }) => {
      if (field !== undefined) return unitsOf(amounts?.[field]);
      if (column === 'token') return token?.name;
      if (column === 'state') return entry.standing.kind;
      if (column === 'group') return entry.wallet.group || undefined;
      return entry.wallet.label || entry.wallet.address;
    },
    descending,
  );
}

export function listColumns(rows: readonly ListRow[]): readonly GridColumn<ListRow>[] {
  return [
    {
      id: 'wallet',
      title: 'Wallet',
      width: 160,
      fixed: true,
      sortable: true,
      cell: ({ entry }) => <WalletName wallet={entry.wallet} />,
    },
    {
      id: 'token',
      title: 'Token',
      width: 96,
      sortable: true,
      cell: ({ entry, token }) =>
        token?.name ?? <span className="text-dim">{entry.reading === undefined ? 'not known' : 'none held'}</span>,
    },
    ...FIELDS.map((field) => amountColumn(field, rows)),
    {
      id: 'state',
      title: 'State',
      width: stateWidth(rows.map(({ entry }) => entry)),
      sortable: true,
      cell: ({ entry }) => <StandingCell entry={entry} />,
    },
    {
      id: 'group',
      title: 'Group',
      width: 96,
      sortable: true,
      grow: true,
      cell: ({ entry }) => <span className="private truncate">{entry.wallet.group}</span>,
    },
  ];
}

function amountColumn(field: Field, rows: readonly ListRow[]): GridColumn<ListRow> {
  const values = rows.flatMap(({ amounts }) => amounts?.[field] ?? []);
  const decimals = columnDecimals(values);
  return {
    id: field,
    title: FIELD_TEXTS[field],
    hint: FIELD_HINTS[field],
    width: widthFor(
      values.map((value) => aligned(value, decimals)),
      FIELD_TEXTS[field],
    ),
    align: 'end',
    sortable: true,
    cell: ({ entry, token, amounts }) => (
      <Amount
        value={amounts?.[field]}
        decimals={decimals}
        absence={token === undefined ? entry.standing.text : absenceText(entry, token.name, field)}
      />
    ),
  };
}

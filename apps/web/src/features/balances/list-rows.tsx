import type { ExportColumn } from '../../ui/export/csv.ts';
import { measuredAmounts } from '../../ui/number-width.ts';
import { unitsOf } from '../../ui/table/sorted-rows.ts';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { type Change, deltaOf, type TokenAmounts } from '../../wallets/balances/balance-store.ts';
import { FIELDS, type Field } from '../../wallets/balances/fields.ts';
import { amountOf, isCounted, type Token, type WalletEntry } from '../../wallets/balances/sums.ts';
import type { Wallet } from '../../wallets/wallet.ts';
import { AmountOf, FIELD_HINTS, FIELD_TEXTS, failureColumn, walletNameColumn } from './cells.tsx';
import { exceedsDust } from './pivot.ts';

/** One balance: a wallet and a token. A wallet without balances has a single row. */
interface ListRow {
  readonly key: string;
  readonly entry: WalletEntry;
  readonly token: Token | undefined;
  readonly amounts: TokenAmounts | undefined;
}

/** Every balance of the wallets in these tokens, without those that do not exceed `dust`. */
export function listRows(
  entries: readonly WalletEntry[],
  tokens: readonly Token[],
  dust: bigint | undefined,
): readonly ListRow[] {
  const rows: ListRow[] = [];
  for (const entry of entries) {
    const { address } = entry.wallet;
    const before = rows.length;
    for (const token of tokens) {
      const amounts = amountOf(entry, token);
      if (amounts === undefined || (dust !== undefined && !exceedsDust(amounts, dust))) continue;
      rows.push({ key: `${address} ${token.id.slice(1)}`, entry, token, amounts });
    }
    const speaks = rows.length === before && (!isCounted(entry) || dust === undefined);
    if (speaks) rows.push({ key: address, entry, token: undefined, amounts: undefined });
  }
  return rows;
}

export function listColumns(rows: readonly ListRow[], onlyFailed: boolean): readonly TableColumn<ListRow>[] {
  return [
    walletNameColumn(({ entry }) => entry.wallet),
    {
      id: 'token',
      title: 'Token',
      width: 96,
      sortBy: ({ token }) => token?.name,
      cell: ({ entry, token }) =>
        token?.name ?? <span className="text-dim">{entry.reading === undefined ? 'unknown' : 'none'}</span>,
    },
    ...(onlyFailed ? [failureColumn<ListRow>(({ entry }) => entry)] : []),
    ...FIELDS.map((field) => amountColumn(field, rows)),
    {
      id: 'group',
      title: 'Group',
      width: 96,
      sortBy: ({ entry }) => entry.wallet.group || undefined,
      hasSecrets: true,
      cell: ({ entry }) => entry.wallet.group,
    },
    {
      id: 'address',
      title: 'Address',
      width: 330,
      shownFrom: 1920,
      hasSecrets: true,
      lookOf: () => 'num text-12',
      cell: ({ entry }) => entry.wallet.address,
    },
    {
      id: 'tags',
      title: 'Tags',
      width: 160,
      shownFrom: 1920,
      hasSecrets: true,
      cell: ({ entry }) => entry.wallet.tags.join(', '),
    },
    {
      id: 'index',
      title: 'Token index',
      width: 96,
      align: 'end',
      shownFrom: 2400,
      cell: ({ token }) => String(token?.token ?? ''),
    },
  ];
}

function amountColumn(field: Field, rows: readonly ListRow[]): TableColumn<ListRow> {
  const values = rows.map(({ amounts }) => amounts?.[field]).filter((value) => value !== undefined);
  const { decimals, width } = measuredAmounts(values, FIELD_TEXTS[field]);
  return {
    id: field,
    title: FIELD_TEXTS[field],
    hint: FIELD_HINTS[field],
    width,
    align: 'end',
    sortBy: ({ amounts }) => unitsOf(amounts?.[field]),
    copied: ({ amounts }) => amounts?.[field],
    cell: ({ entry, token }) => <AmountOf {...{ entry, token, field, decimals }} />,
  };
}

/** One balance per line, with the state of its wallet. */
export const BALANCE_EXPORT: readonly ExportColumn<ListRow>[] = [
  { name: 'wallet', id: ({ entry }) => entry.wallet.address },
  { name: 'label', text: ({ entry }) => entry.wallet.label },
  { name: 'group', text: ({ entry }) => entry.wallet.group },
  { name: 'coin', text: ({ amounts }) => amounts?.coin },
  { name: 'token', value: ({ token }) => token?.token },
  { name: 'total', value: ({ amounts }) => amounts?.total },
  { name: 'hold', value: ({ amounts }) => amounts?.hold },
  { name: 'available_after_maintenance', value: ({ amounts }) => amounts?.available },
  { name: 'entry_ntl', value: ({ amounts }) => amounts?.entryNtl },
  { name: 'state', text: ({ entry }) => entry.state.kind },
  { name: 'message', text: ({ entry: { state } }) => (state.kind === 'error' ? state.text : null) },
  { name: 'read_at', moment: ({ entry }) => entry.reading?.at },
];

/** One change per line. */
export function changeExport(wallets: readonly Wallet[]): readonly ExportColumn<Change>[] {
  const labels = new Map(wallets.map(({ address, label }) => [address, label]));
  return [
    { name: 'at', moment: ({ at }) => at },
    { name: 'since', moment: ({ since }) => since },
    { name: 'wallet', id: ({ user }) => user },
    { name: 'label', text: ({ user }) => labels.get(user) },
    { name: 'coin', text: ({ coin }) => coin },
    { name: 'token', value: ({ token }) => token },
    { name: 'field', text: ({ field }) => field },
    { name: 'from', value: ({ from }) => from },
    { name: 'to', value: ({ to }) => to },
    { name: 'delta', value: (change) => deltaOf(change) },
  ];
}

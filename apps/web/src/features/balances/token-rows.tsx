import { shortAddress, wholeText } from '../../ui/format.ts';
import { measuredAmounts } from '../../ui/number-width.ts';
import { unitsOf } from '../../ui/table/sorted-rows.ts';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { FIELDS, type Field } from '../../wallets/balances/fields.ts';
import { SumAmount } from '../../wallets/balances/sum-amount.tsx';
import {
  amountOf,
  isCounted,
  type Sum,
  sumSign,
  sumsOf,
  type Token,
  type WalletEntry,
} from '../../wallets/balances/sums.ts';
import { AmountOf, copiedSum, FIELD_HINTS, FIELD_TEXTS, indexText } from './cells.tsx';

/** A row of the pivot of tokens by wallets. */
export interface TokenRow {
  readonly key: string;
  readonly token: Token;
  /** Number of counted wallets that report the token. */
  readonly holders: number;
  readonly sums: Readonly<Record<Field, Sum>>;
}

/** A sign beside the name of a wallet whose numbers are not from the last refresh. */
const SIGNS = { ok: '', stale: '~ ', error: '! ', never: '– ' } as const;

export function tokenRows(entries: readonly WalletEntry[], tokens: readonly Token[]): readonly TokenRow[] {
  const counted = entries.filter(isCounted);
  return tokens.map((token) => ({
    key: token.id,
    token,
    holders: counted.filter((entry) => amountOf(entry, token) !== undefined).length,
    sums: sumsOf(entries, token),
  }));
}

/** The columns of tokens by wallets: the sums, then one column per wallet. */
export function tokenColumns(
  entries: readonly WalletEntry[],
  rows: readonly TokenRow[],
  field: Field,
): readonly TableColumn<TokenRow>[] {
  return [
    {
      id: 'token',
      title: 'Token',
      width: 88,
      fixed: true,
      sortBy: ({ token }) => token.name,
      copied: ({ token }) => token.name,
      cell: ({ token }) => (
        <span className="truncate font-medium text-strong" title={indexText(token)}>
          {token.name}
        </span>
      ),
    },
    {
      id: 'holders',
      title: 'Wallets',
      hint: 'How many wallets report the token',
      width: 72,
      align: 'end',
      sortBy: ({ holders }) => holders,
      cell: ({ holders }) => wholeText(holders),
    },
    ...FIELDS.map((name) => sumColumn(name, rows)),
    ...entries.map((entry) => walletColumn(entry, rows, field)),
  ];
}

function sumColumn(field: Field, rows: readonly TokenRow[]): TableColumn<TokenRow> {
  const sums = rows.map((row) => row.sums[field]);
  const sign = sums.map(sumSign).find((text) => text !== '');
  const { decimals, width } = measuredAmounts(
    sums.flatMap(({ value }) => value ?? []),
    FIELD_TEXTS[field],
    sign,
  );
  return {
    id: field,
    title: `Σ ${FIELD_TEXTS[field]}`,
    hint: `Sum over wallets. ${FIELD_HINTS[field]}`,
    width,
    align: 'end',
    sortBy: (row) => unitsOf(row.sums[field].value),
    copied: (row) => copiedSum(row.sums[field]),
    cell: (row) => <SumAmount sum={row.sums[field]} decimals={decimals} />,
  };
}

/** A longer name does not widen the column of its wallet. */
const TITLE_SHOWN = 20;

function walletColumn(entry: WalletEntry, rows: readonly TokenRow[], field: Field): TableColumn<TokenRow> {
  const { address, label } = entry.wallet;
  const values = rows.flatMap(({ token }) => amountOf(entry, token)?.[field] ?? []);
  const name = SIGNS[entry.state.kind] + (label || shortAddress(address));
  const { decimals, width } = measuredAmounts(values, name.slice(0, TITLE_SHOWN));
  return {
    id: address,
    title: name,
    isPrivate: true,
    hint: `${name} · ${address} · ${FIELD_TEXTS[field]} · ${entry.state.kind}: ${entry.state.text}`,
    width,
    align: 'end',
    sortBy: ({ token }) => unitsOf(amountOf(entry, token)?.[field]),
    copied: ({ token }) => amountOf(entry, token)?.[field],
    cell: ({ token }) => (
      <span className={isCounted(entry) ? undefined : 'text-dim'}>
        <AmountOf {...{ entry, token, field, decimals }} />
      </span>
    ),
  };
}

import type { DecimalString } from '@l4desk/protocol';
import { type ComponentProps, type ReactNode, useMemo } from 'react';
import { Empty } from '../../ui/page/states.tsx';
import { ColumnChooser } from '../../ui/table/column-chooser.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { readSort, type TableColumn, type TableSort } from '../../ui/table/table-column.ts';
import { type TableColumns, useTableColumns } from '../../ui/table/use-table-columns.ts';
import type { Field } from '../../wallets/balances/fields.ts';
import { type PositionRow, positionRows } from '../../wallets/value/positions.ts';
import type { Value } from '../../wallets/value/use-value.ts';
import type { Worth } from '../../wallets/value/worth.ts';
import { keyOfListRow, type ListRow, listColumns, listRows, sortedList, stateOfListRow } from './list-rows.tsx';
import { type InSight, unitsOf } from './pivot.ts';
import { type View } from './search.ts';
import { keyOfTokenRow, sortedTokens, type TokenRow, tokenColumns, tokenRows } from './token-rows.tsx';
import {
  keyOfPosition,
  keyOfWorth,
  positionColumns,
  sortedPositions,
  sortedWorths,
  worthColumns,
} from './value-rows.tsx';
import {
  childrenOfWalletRow,
  isGroupRow,
  keyOfWalletRow,
  stateOfWalletRow,
  type WalletRow,
  walletColumns,
  walletRows,
} from './wallet-rows.tsx';

interface BalancesGridProps {
  readonly view: View;
  /** What the wallets are worth; it is loaded only in the views that show it. */
  readonly value: Value;
  readonly field: Field;
  readonly isGrouped: boolean;
  readonly dust: DecimalString | undefined;
  /** The result of the search: the sums cover these wallets. */
  readonly scope: InSight;
  /** The part of it that is in view. */
  readonly shown: InSight;
  /** Whether only failed wallets are in view. */
  readonly onlyFailed: boolean;
  /** The sort order as in the address. */
  readonly sort: string | undefined;
  /** Must be stable. */
  readonly onSort: (sort: TableSort | undefined) => void;
  /** What the inspector shows. */
  readonly open: string | undefined;
  /** Must be stable. */
  readonly onOpen: (open: string) => void;
}

interface BalancesGrid {
  readonly chooser: ReactNode;
  readonly grid: ReactNode;
}

const NOTHING: InSight = { entries: [], tokens: [] };

/** The grid of the chosen view, and the chooser of its columns. The other views get empty input. */
export function useBalancesGrid(props: BalancesGridProps): BalancesGrid {
  const of = (view: View) => (props.view === view ? props : { ...props, scope: NOTHING, shown: NOTHING });
  const grids = {
    wallets: useWalletsGrid(of('wallets')),
    tokens: useTokensGrid(of('tokens')),
    list: useListGrid(of('list')),
    value: useValueGrid(props, props.view === 'value' ? props.value.worths : NO_WORTHS),
    positions: usePositionsGrid(props, props.view === 'positions' ? props.value.worths : NO_WORTHS),
  };
  return grids[props.view];
}

const NO_WORTHS: readonly Worth[] = [];
const stateOfWorth = ({ entry }: Worth) => entry.state;

const EMPTY = <Empty>No matches, or everything is hidden as dust.</Empty>;
const NONE_FAILED = <Empty>“Failed only” is on, and no wallet here has failed.</Empty>;

function useSort<Row>(text: string | undefined, columns: readonly TableColumn<Row>[]): TableSort | undefined {
  return useMemo(() => readSort(text, columns), [text, columns]);
}

function gridOf<Row>(
  columns: TableColumns<Row>,
  grid: Omit<ComponentProps<typeof DataTable<Row>>, 'columns'>,
): BalancesGrid {
  return { chooser: <ColumnChooser columns={columns} />, grid: <DataTable columns={columns.shown} {...grid} /> };
}

function useWalletsGrid(props: BalancesGridProps): BalancesGrid {
  const { field, isGrouped, scope, shown, onlyFailed, sort: text, onSort, open, onOpen } = props;
  const { entries } = scope;
  const { tokens } = shown;
  const all = useMemo(
    () => walletColumns({ entries, tokens, field, onlyFailed }, ({ id }) => onOpen(id)),
    [entries, tokens, field, onlyFailed, onOpen],
  );
  const columns = useTableColumns('balances-wallets', all);
  const sort = useSort(text, all);
  const rows = useMemo(
    () => walletRows({ entries, tokens, shown: shown.entries, field, isGrouped, sort }),
    [entries, tokens, shown, field, isGrouped, sort],
  );
  const openRow = (row: WalletRow) => {
    if (row.kind === 'wallet') onOpen(row.entry.wallet.address);
  };
  return gridOf(columns, {
    name: 'Balances by wallet and token',
    rows,
    keyOf: keyOfWalletRow,
    stateOf: stateOfWalletRow,
    ...(isGrouped ? { childrenOf: childrenOfWalletRow, isGroup: isGroupRow } : {}),
    sort,
    onSort,
    selected: open,
    onOpen: openRow,
    empty: onlyFailed ? NONE_FAILED : EMPTY,
  });
}

function useTokensGrid({ field, scope, shown, sort: text, onSort, open, onOpen }: BalancesGridProps): BalancesGrid {
  const base = useMemo(() => tokenRows(scope.entries, shown.tokens), [scope, shown]);
  const all = useMemo(() => tokenColumns(shown.entries, base, field), [shown, base, field]);
  const columns = useTableColumns('balances-tokens', all);
  const sort = useSort(text, all);
  const rows = useMemo(() => sortedTokens(base, shown.entries, field, sort), [base, shown, field, sort]);
  const openRow = (row: TokenRow) => onOpen(row.key);
  return gridOf(columns, {
    name: 'Balances by token and wallet',
    rows,
    keyOf: keyOfTokenRow,
    sort,
    onSort,
    selected: open,
    onOpen: openRow,
    empty: EMPTY,
  });
}

function useListGrid({ dust, shown, onlyFailed, sort: text, onSort, open, onOpen }: BalancesGridProps): BalancesGrid {
  const base = useMemo(() => listRows(shown.entries, shown.tokens, unitsOf(dust)), [shown, dust]);
  const all = useMemo(() => listColumns(base, onlyFailed), [base, onlyFailed]);
  const columns = useTableColumns('balances-list', all);
  const sort = useSort(text, all);
  const rows = useMemo(() => sortedList(base, sort), [base, sort]);
  const openRow = (row: ListRow) => onOpen(row.entry.wallet.address);
  return gridOf(columns, {
    name: 'All balances',
    rows,
    keyOf: keyOfListRow,
    stateOf: stateOfListRow,
    sort,
    onSort,
    selected: rows.find(({ entry }) => entry.wallet.address === open)?.key,
    onOpen: openRow,
    empty: onlyFailed ? NONE_FAILED : EMPTY,
  });
}

function useValueGrid(
  { value: { sum }, sort: text, onSort, open, onOpen }: BalancesGridProps,
  worths: readonly Worth[],
): BalancesGrid {
  const all = useMemo(() => worthColumns({ worths, sum }), [worths, sum]);
  const columns = useTableColumns('balances-value', all);
  const sort = useSort(text, all);
  const rows = useMemo(() => sortedWorths(worths, sort), [worths, sort]);
  return gridOf(columns, {
    name: 'Value by wallet',
    rows,
    keyOf: keyOfWorth,
    stateOf: stateOfWorth,
    sort,
    onSort,
    selected: open,
    onOpen: ({ entry }: Worth) => onOpen(entry.wallet.address),
    empty: EMPTY,
  });
}

function usePositionsGrid(
  { value: { marks }, sort: text, onSort, open, onOpen }: BalancesGridProps,
  worths: readonly Worth[],
): BalancesGrid {
  const base = useMemo(() => positionRows({ worths, marks }), [worths, marks]);
  const all = useMemo(() => positionColumns(base), [base]);
  const columns = useTableColumns('balances-positions', all);
  const sort = useSort(text, all);
  const rows = useMemo(() => sortedPositions(base, sort), [base, sort]);
  return gridOf(columns, {
    name: 'Open perp positions',
    rows,
    keyOf: keyOfPosition,
    sort,
    onSort,
    selected: rows.find(({ entry }) => entry.wallet.address === open)?.key,
    onOpen: ({ entry }: PositionRow) => onOpen(entry.wallet.address),
    empty: <Empty>No open positions on the loaded dexes.</Empty>,
  });
}

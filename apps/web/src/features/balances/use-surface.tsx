import type { DecimalString } from '@l4desk/protocol';
import { type ComponentProps, type ReactNode, useMemo } from 'react';
import { ColumnChooser } from '../../ui/grid/column-chooser.tsx';
import { Grid } from '../../ui/grid/grid.tsx';
import { type GridColumn, type GridSort, readSort } from '../../ui/grid/grid-column.ts';
import { type GridColumns, useGridColumns } from '../../ui/grid/grid-columns.ts';
import { Empty } from '../../ui/page/states.tsx';
import type { Field } from '../../wallets/balances/fields.ts';
import { keyOfListRow, type ListRow, listColumns, listRows, sortedList, stateOfListRow } from './list-rows.tsx';
import { type InSight, unitsOf } from './pivot.ts';
import { type View } from './search.ts';
import { keyOfTokenRow, sortedTokens, type TokenRow, tokenColumns, tokenRows } from './token-rows.tsx';
import {
  childrenOfWalletRow,
  isGroupRow,
  keyOfWalletRow,
  stateOfWalletRow,
  type WalletRow,
  walletColumns,
  walletRows,
} from './wallet-rows.tsx';

interface SurfaceProps {
  readonly view: View;
  readonly field: Field;
  readonly isGrouped: boolean;
  readonly dust: DecimalString | undefined;
  /** What the search left: the sums are over these wallets. */
  readonly scope: InSight;
  /** What is in sight of it. */
  readonly shown: InSight;
  /** Only failed wallets are in sight. */
  readonly onlyFailed: boolean;
  /** As the address has it. */
  readonly sort: string | undefined;
  /** Stable. */
  readonly onSort: (sort: GridSort | undefined) => void;
  /** What the inspector shows. */
  readonly open: string | undefined;
  /** Stable. */
  readonly onOpen: (open: string) => void;
}

interface Surface {
  readonly chooser: ReactNode;
  readonly grid: ReactNode;
}

const NOTHING: InSight = { entries: [], tokens: [] };

/** The grid of the chosen view, and the chooser of its columns. The other views are given nothing to do. */
export function useSurface(props: SurfaceProps): Surface {
  const of = (view: View) => (props.view === view ? props : { ...props, scope: NOTHING, shown: NOTHING });
  const surfaces = {
    wallets: useWallets(of('wallets')),
    tokens: useTokens(of('tokens')),
    list: useList(of('list')),
  };
  return surfaces[props.view];
}

const EMPTY = <Empty>Nothing here matches the search, or all of it is hidden as dust.</Empty>;
const NONE_FAILED = <Empty>“Failed only” is on, and the last call of no wallet here failed.</Empty>;

function useSort<Row>(text: string | undefined, columns: readonly GridColumn<Row>[]): GridSort | undefined {
  return useMemo(() => readSort(text, columns), [text, columns]);
}

function surfaceOf<Row>(columns: GridColumns<Row>, grid: Omit<ComponentProps<typeof Grid<Row>>, 'columns'>): Surface {
  return { chooser: <ColumnChooser columns={columns} />, grid: <Grid columns={columns.shown} {...grid} /> };
}

function useWallets(props: SurfaceProps): Surface {
  const { field, isGrouped, scope, shown, onlyFailed, sort: text, onSort, open, onOpen } = props;
  const { entries } = scope;
  const { tokens } = shown;
  const all = useMemo(
    () => walletColumns({ entries, tokens, field, onlyFailed }, (token) => onOpen(`t${token}`)),
    [entries, tokens, field, onlyFailed, onOpen],
  );
  const columns = useGridColumns('balances-wallets', all);
  const sort = useSort(text, all);
  const rows = useMemo(
    () => walletRows({ entries, shown: shown.entries, field, isGrouped, sort }),
    [entries, shown, field, isGrouped, sort],
  );
  const openRow = (row: WalletRow) => {
    if (row.kind === 'wallet') onOpen(row.entry.wallet.address);
  };
  return surfaceOf(columns, {
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

function useTokens({ field, scope, shown, sort: text, onSort, open, onOpen }: SurfaceProps): Surface {
  const base = useMemo(() => tokenRows(scope.entries, shown.tokens), [scope, shown]);
  const all = useMemo(() => tokenColumns(shown.entries, base, field), [shown, base, field]);
  const columns = useGridColumns('balances-tokens', all);
  const sort = useSort(text, all);
  const rows = useMemo(() => sortedTokens(base, shown.entries, field, sort), [base, shown, field, sort]);
  const openRow = (row: TokenRow) => onOpen(row.key);
  return surfaceOf(columns, {
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

function useList({ dust, shown, onlyFailed, sort: text, onSort, open, onOpen }: SurfaceProps): Surface {
  const base = useMemo(() => listRows(shown.entries, shown.tokens, unitsOf(dust)), [shown, dust]);
  const all = useMemo(() => listColumns(base), [base]);
  const columns = useGridColumns('balances-list', all);
  const sort = useSort(text, all);
  const rows = useMemo(() => sortedList(base, sort), [base, sort]);
  const openRow = (row: ListRow) => onOpen(row.entry.wallet.address);
  return surfaceOf(columns, {
    name: 'Every balance',
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

import type { DecimalString } from '@l4desk/protocol';
import { type ComponentProps, useMemo } from 'react';
import { createPortal } from 'react-dom';
import { PHONE, useMedia } from '../../hooks/use-media.ts';
import { Empty, Loading } from '../../ui/page/states.tsx';
import { ColumnChooser, useTableColumns } from '../../ui/table/column-chooser.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { sortedRows, unitsOf } from '../../ui/table/sorted-rows.ts';
import { readSort, type TableColumn, type TableSort } from '../../ui/table/table-column.ts';
import type { Field } from '../../wallets/balances/fields.ts';
import { masterOf, type RoleFacts } from '../../wallets/roles.ts';
import type { Value } from '../../wallets/value/use-value.ts';
import { positionRows, rolledUp, type Worth } from '../../wallets/value/worth.ts';
import { listColumns, listRows } from './list-rows.tsx';
import { groupsOfEntries, type InSight, mastersOfEntries } from './pivot.ts';
import type { Grouping, View } from './search.ts';
import { tokenColumns, tokenRows } from './token-rows.tsx';
import { positionColumns, worthColumns } from './value-rows.tsx';
import { childrenOfWalletRow, isGroupRow, stateOfWalletRow, walletColumns, walletRows } from './wallet-rows.tsx';

interface BalancesGridProps extends Pick<GridProps<never>, 'sort' | 'onSort' | 'open' | 'onOpen' | 'chooserSlot'> {
  readonly view: View;
  /** What the wallets are worth; it is loaded only in the views that show it. */
  readonly value: Value;
  readonly field: Field;
  /** By group of the address book, or sub-accounts under their masters. */
  readonly grouping: Grouping | undefined;
  /** Empty while sub-accounts are not rolled up. */
  readonly roles: RoleFacts;
  readonly dust: DecimalString | undefined;
  /** The result of the search: the sums cover these wallets. */
  readonly scope: InSight;
  readonly shown: InSight;
  readonly onlyFailed: boolean;
}

/** The grid of the chosen view. */
export function BalancesGrid({ view, ...props }: BalancesGridProps) {
  switch (view) {
    case 'wallets':
      return <WalletsGrid {...props} />;
    case 'tokens':
      return <TokensGrid {...props} />;
    case 'list':
      return <ListGrid {...props} />;
    case 'value':
      return props.value.at === undefined ? <NoValue {...props.value} /> : <ValueGrid {...props} />;
    case 'positions':
      return props.value.at === undefined ? <NoValue {...props.value} /> : <PositionsGrid {...props} />;
  }
}

/** In place of rows that would be sorted again with each response, or of a list of no positions. */
function NoValue({ isFetching }: Value) {
  return isFetching ? <Loading what="the value" /> : <Empty>What these wallets are worth is not loaded.</Empty>;
}

type ViewProps = Omit<BalancesGridProps, 'view'>;

const NO_ROLES: RoleFacts = new Map();

/** The roles beside the names. On a phone they have no room: what is below a master are its sub-accounts. */
function useShownRoles(roles: RoleFacts): RoleFacts {
  return useMedia(PHONE) ? NO_ROLES : roles;
}

interface GridProps<Row> extends Omit<ComponentProps<typeof DataTable<Row>>, 'sort' | 'onOpen' | 'rows' | 'selected'> {
  /** The name under which the layout of the columns is stored. */
  readonly layout: string;
  readonly rows: readonly Row[];
  /** The order until another one is chosen; that of the rows if absent. */
  readonly order?: TableSort;
  /** What the inspector shows for a row. */
  readonly openOf: (row: Row) => string | undefined;
  /** The sort order as in the address. */
  readonly sort: string | undefined;
  readonly open: string | undefined;
  readonly onOpen: (open: string) => void;
  /** Where the chooser of the columns is shown. */
  readonly chooserSlot: Element | null;
}

function Grid<Row>(props: GridProps<Row>) {
  const { layout, columns, rows: given, order, openOf, sort: text, open, onOpen, chooserSlot, ...table } = props;
  const { childrenOf } = table;
  const laidOut = useTableColumns(layout, columns);
  const sort = readSort(text, columns);
  const rows = useMemo(
    () => sortedRows(given, columns, readSort(text, columns) ?? order),
    [given, columns, text, order],
  );
  const selected = open === undefined ? undefined : rows.find((row) => openOf(row) === open);
  return (
    <>
      {chooserSlot && createPortal(<ColumnChooser columns={laidOut} />, chooserSlot)}
      <DataTable
        {...table}
        {...(childrenOf && { childrenOf: (row: Row) => sortedRows(childrenOf(row), columns, sort) })}
        columns={laidOut.shown}
        rows={rows}
        sort={sort}
        // A row below a group is not among the rows; its key is what it opens.
        selected={selected === undefined ? open : table.keyOf(selected)}
        onOpen={(row) => {
          const next = openOf(row);
          if (next !== undefined) onOpen(next);
        }}
      />
    </>
  );
}

const emptyOf = (onlyFailed: boolean) => (
  <Empty>
    {onlyFailed
      ? '“Failed only” is on, and no wallet here has failed.'
      : 'No matches, or everything is hidden as dust.'}
  </Empty>
);

function WalletsGrid({ field, grouping, roles, scope, shown, onlyFailed, ...rest }: ViewProps) {
  const { entries } = scope;
  const { tokens } = shown;
  const { onOpen } = rest;
  const shownRoles = useShownRoles(roles);
  const columns: readonly TableColumn<ReturnType<typeof walletRows>[number]>[] = useMemo(
    () => walletColumns({ entries, tokens, field, onlyFailed, roles: shownRoles }, ({ id }) => onOpen(id)),
    [entries, tokens, field, onlyFailed, shownRoles, onOpen],
  );
  const rows = useMemo(() => {
    const groups = grouping === 'master' ? mastersOfEntries(entries, roles) : groupsOfEntries(entries);
    return walletRows(shown.entries, grouping && groups);
  }, [grouping, entries, roles, shown.entries]);
  return (
    <Grid
      {...rest}
      name="Balances by wallet and token"
      layout="balances-wallets"
      columns={columns}
      rows={rows}
      keyOf={({ key }) => key}
      stateOf={stateOfWalletRow}
      {...(grouping ? { childrenOf: childrenOfWalletRow, isGroup: isGroupRow } : {})}
      openOf={(row) => (row.kind === 'wallet' ? row.key : undefined)}
      empty={emptyOf(onlyFailed)}
    />
  );
}

function TokensGrid({ field, scope, shown, ...rest }: ViewProps) {
  const rows = useMemo(() => tokenRows(scope.entries, shown.tokens), [scope, shown]);
  const columns = useMemo(() => tokenColumns(shown.entries, rows, field), [shown, rows, field]);
  return (
    <Grid
      {...rest}
      name="Balances by token and wallet"
      layout="balances-tokens"
      columns={columns}
      rows={rows}
      keyOf={({ key }) => key}
      openOf={({ key }) => key}
      empty={emptyOf(false)}
    />
  );
}

function ListGrid({ dust, shown, onlyFailed, ...rest }: ViewProps) {
  const rows = useMemo(() => listRows(shown.entries, shown.tokens, unitsOf(dust)), [shown, dust]);
  const columns = useMemo(() => listColumns(rows, onlyFailed), [rows, onlyFailed]);
  return (
    <Grid
      {...rest}
      name="All balances"
      layout="balances-list"
      columns={columns}
      rows={rows}
      keyOf={({ key }) => key}
      stateOf={({ entry }) => entry.state}
      openOf={({ entry }) => entry.wallet.address}
      empty={emptyOf(onlyFailed)}
    />
  );
}

const BY_WORTH: TableSort = { column: 'total', descending: true };
/** The nearest to liquidation first. */
const BY_RISK: TableSort = { column: 'distance', descending: false };

const isRollUp = ({ accounts }: Worth) => accounts !== undefined;

function ValueGrid({ value: { worths, sum, marks }, grouping, roles, ...rest }: ViewProps) {
  const shownRoles = useShownRoles(roles);
  const columns = useMemo(() => worthColumns({ worths, sum, marks }, shownRoles), [worths, sum, marks, shownRoles]);
  const isRolledUp = grouping === 'master';
  const rows = useMemo(
    () => (isRolledUp ? rolledUp(worths, (user) => masterOf(roles, user)) : worths),
    [isRolledUp, worths, roles],
  );
  return (
    <Grid
      {...rest}
      name="Value by wallet"
      layout="balances-value"
      columns={columns}
      rows={rows}
      order={BY_WORTH}
      keyOf={({ entry, accounts }) => `${accounts ? 'm:' : ''}${entry.wallet.address}`}
      {...(isRolledUp ? { childrenOf: ({ accounts }: Worth) => accounts ?? [], isGroup: isRollUp } : {})}
      stateOf={({ entry }) => entry.state}
      // A master's own account has a row below its sum, which alone is the wallet's.
      openOf={({ entry, accounts }) => (accounts ? undefined : entry.wallet.address)}
      empty={emptyOf(false)}
    />
  );
}

function PositionsGrid({ value: { worths, marks }, ...rest }: ViewProps) {
  const rows = useMemo(() => positionRows({ worths, marks }), [worths, marks]);
  const columns = useMemo(() => positionColumns(rows), [rows]);
  return (
    <Grid
      {...rest}
      name="Open perp positions"
      layout="balances-positions"
      columns={columns}
      rows={rows}
      order={BY_RISK}
      keyOf={({ key }) => key}
      openOf={({ entry }) => entry.wallet.address}
      empty={<Empty>No open positions on the loaded dexes.</Empty>}
    />
  );
}

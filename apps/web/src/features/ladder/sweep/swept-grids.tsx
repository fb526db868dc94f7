import { divide } from '@l4desk/decimal';
import type { Address, DecimalString } from '@l4desk/protocol';
import { useMemo } from 'react';
import type { Sweep, SweptOrder } from '../../../book-worker/panes/sweep.ts';
import { aligned, columnDecimals, decimalText, wholeText } from '../../../ui/format.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { TableColumn } from '../../../ui/table/table-column.ts';
import { OwnerName } from '../../../wallets/wallet-mark.tsx';
import { shareText } from '../owners/texts.ts';

interface SweptOrdersProps {
  readonly orders: readonly SweptOrder[];
  readonly sizeDecimals: number;
}

const oidOf = ({ oid }: SweptOrder) => String(oid);

export function SweptOrders({ orders, sizeDecimals }: SweptOrdersProps) {
  const priceDecimals = columnDecimals(orders.map(({ px }) => px));
  const columns = useMemo(() => orderColumns(sizeDecimals, priceDecimals), [sizeDecimals, priceDecimals]);
  return <DataTable name="Orders taken, in their order" columns={columns} rows={orders} keyOf={oidOf} />;
}

const OWNER: TableColumn<{ readonly user: Address | null }> = {
  id: 'owner',
  title: 'wallet',
  hint: 'Whose resting orders are taken',
  width: 120,
  grow: true,
  copied: ({ user }) => user ?? '',
  cell: ({ user }) => <OwnerName user={user} />,
};

function orderColumns(sizeDecimals: number, priceDecimals: number): readonly TableColumn<SweptOrder>[] {
  return [
    {
      id: 'px',
      title: 'price',
      hint: 'Limit price of the resting order',
      width: 88,
      align: 'end',
      text: (order) => aligned(order.px, priceDecimals),
    },
    {
      id: 'taken',
      title: 'taken',
      hint: 'Size that the sweep takes of it',
      width: 92,
      align: 'end',
      text: ({ taken }) => decimalText(taken, sizeDecimals),
    },
    {
      id: 'of',
      title: 'of',
      hint: 'Size that rests: “all” where all of it is taken',
      width: 84,
      align: 'end',
      copied: ({ sz }) => sz,
      text: ({ sz }) => decimalText(sz, sizeDecimals),
      cell: (order) => (isWhole(order) ? <span className="text-dim">all</span> : decimalText(order.sz, sizeDecimals)),
    },
    OWNER,
  ];
}

type SweptOwner = Sweep['owners'][number];

const userOf = ({ user }: SweptOwner) => user ?? 'unnamed';

export function SweptOwners({ sweep, sizeDecimals }: { readonly sweep: Sweep; readonly sizeDecimals: number }) {
  const { owners, filledSz } = sweep;
  const columns = useMemo(() => ownerColumns(sizeDecimals, filledSz), [sizeDecimals, filledSz]);
  return <DataTable name="Wallets taken from" columns={columns} rows={owners} keyOf={userOf} />;
}

function ownerColumns(sizeDecimals: number, filledSz: DecimalString): readonly TableColumn<SweptOwner>[] {
  return [
    OWNER,
    {
      id: 'orders',
      title: 'n',
      hint: 'Orders',
      width: 48,
      align: 'end',
      cell: ({ orders }) => wholeText(orders),
    },
    {
      id: 'sz',
      title: 'taken',
      hint: 'Size that the sweep takes from the wallet',
      width: 92,
      align: 'end',
      text: ({ sz }) => decimalText(sz, sizeDecimals),
    },
    {
      id: 'part',
      title: 'part',
      hint: 'Its part of the whole sweep',
      width: 68,
      align: 'end',
      cell: ({ sz }) => partText(sz, filledSz),
    },
  ];
}

function partText(sz: DecimalString, filled: DecimalString): string {
  const part = divide(sz, filled, 6);
  return part === undefined ? '—' : shareText(part);
}

/** Only the last order can be taken in part. Compares the printed sizes, without trailing zeros. */
function isWhole({ sz, taken }: SweptOrder): boolean {
  return sz === taken || (sz.includes('.') && sz.replace(/\.?0+$/, '') === taken);
}

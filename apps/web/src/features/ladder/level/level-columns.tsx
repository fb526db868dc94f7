import { type Address, lowerCaseAddress } from '@l4desk/protocol';
import { ChevronDown, ChevronRight } from 'lucide-react';
import type { LevelLine, ListedOwner, QueueOrder } from '../../../book-worker/panes/level.ts';
import { counted, decimalText, grouped, secondsText, wholeText, wholeUnits } from '../../../ui/format.ts';
import type { TableColumn } from '../../../ui/table/table-column.ts';
import { OwnerName } from '../../../wallets/wallet-mark.tsx';

export const isOrder = (line: LevelLine): line is QueueOrder => 'oid' in line;

export const keyOfLine = (line: LevelLine) => (isOrder(line) ? String(line.oid) : `owner ${line.user}`);

export function dataOfLine(line: LevelLine): Readonly<Record<`data-${string}`, string | number>> {
  if (!isOrder(line)) return { 'data-owner': line.user ?? '', 'data-orders': line.orders, 'data-sz': line.sz };
  const { oid, place, user, sz, szAhead, tif } = line;
  return {
    'data-oid': oid,
    'data-place': place,
    'data-user': user,
    'data-sz': sz,
    'data-ahead': szAhead,
    'data-tif': tif ?? '',
  };
}

interface ColumnChoice {
  readonly decimals: number;
  readonly clock: number | undefined;
  readonly isByOwner: boolean;
  readonly onOwner: (user: Address | null) => void;
}

/** The ids are also those of the sort orders. A narrow pane leaves out the oid first. */
export function levelColumns({ decimals, clock, isByOwner, onOwner }: ColumnChoice): readonly TableColumn<LevelLine>[] {
  const dim = () => 'text-dim';
  const ageOf = (line: LevelLine) => {
    if (!isOrder(line)) return `n ${wholeText(line.orders)}`;
    return clock === undefined || line.timestamp === 0 ? '' : secondsText(Math.max(0, clock - line.timestamp));
  };
  return [
    {
      id: 'place',
      title: '#',
      hint: 'Its place in the queue, whatever the list is sorted by; of an owner, that of the first order',
      width: 44,
      align: 'end',
      sortable: true,
      first: 'ascending',
      text: ({ place }) => wholeText(place + 1),
      lookOf: dim,
    },
    {
      id: 'sz',
      title: 'size',
      hint: 'What is left of the order',
      width: 60,
      align: 'end',
      sortable: true,
      text: ({ sz }) => decimalText(sz, decimals),
    },
    {
      id: 'owner',
      title: 'owner',
      hint: 'The wallet that placed it',
      width: 100,
      grow: true,
      sortable: true,
      copied: ({ user }) => user ?? '',
      cell: (line) =>
        isOrder(line) ? (
          <OwnerName user={line.user === '' ? null : lowerCaseAddress(line.user as Address)} hasHint={false} />
        ) : (
          <OwnerButton owner={line} onOwner={onOwner} />
        ),
      hintOf: ({ user }) => user ?? 'owner not named',
    },
    {
      id: 'oid',
      title: 'oid',
      hint: 'The order’s number at the exchange',
      width: 108,
      align: 'end',
      leaves: 5,
      cell: (line) => (isOrder(line) ? String(line.oid) : '–'),
      lookOf: dim,
    },
    {
      id: 'age',
      title: isByOwner ? 'age / n' : 'age',
      hint: isByOwner ? 'Age of an order; number of orders of an owner' : 'Time since the order was placed',
      width: 52,
      align: 'end',
      leaves: 1,
      sortable: true,
      text: ageOf,
      lookOf: dim,
    },
    {
      id: 'tif',
      title: 'tif',
      hint: 'Time in force: Alo only rests, Gtc rests until it is canceled, Ioc never rests',
      width: 44,
      leaves: 2,
      cell: (line) => (isOrder(line) ? (line.tif ?? '–') : '–'),
      lookOf: dim,
    },
    {
      id: 'ahead',
      title: 'ahead',
      hint: 'Size in front of it in the queue',
      width: 60,
      align: 'end',
      text: ({ szAhead }) => decimalText(szAhead, decimals),
      lookOf: (line) => (isOrder(line) ? undefined : 'text-dim'),
    },
    {
      id: 'cumulative',
      title: 'cum',
      hint: 'Size of the listed orders down to this one',
      width: 60,
      align: 'end',
      leaves: 3,
      text: ({ cumSz }) => decimalText(cumSz, decimals),
    },
    {
      id: 'notional',
      title: 'ntl',
      hint: 'Notional: price × size',
      width: 60,
      align: 'end',
      leaves: 4,
      // Whole units of money: the fraction is in the tooltip.
      text: ({ notional }) => wholeUnits(notional),
      hintOf: ({ notional }) => grouped(notional),
      lookOf: dim,
    },
  ];
}

interface OwnerButtonProps {
  readonly owner: ListedOwner;
  readonly onOwner: (user: Address | null) => void;
}

function OwnerButton({ owner: { user, orders, isOpen }, onOwner }: OwnerButtonProps) {
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-label={`${isOpen ? 'Close' : 'Open'} ${user ?? 'the orders without a named owner'}: ${counted(orders, 'order')}`}
      onClick={() => onOwner(user)}
      className="flex w-full items-center text-strong -outline-offset-2"
    >
      <Chevron size={14} strokeWidth={1.75} aria-hidden className="shrink-0" />
      <OwnerName user={user} hasHint={false} />
    </button>
  );
}

import type { Address } from '@l4desk/protocol';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { shallow } from 'zustand/shallow';
import type { QueueOrder, QueueOwner } from '../../../book-worker/panes/level.ts';
import { counted, decimalText, grouped, shortAddress, wholeText, wholeUnits } from '../../../ui/format.ts';
import { markingsOf } from '../../../wallets/marks.ts';
import { useWalletBook } from '../../../wallets/wallet-book.ts';
import { WalletName } from '../../../wallets/wallet-mark.tsx';
import type { LevelColumnName } from './queue-columns.ts';

/** Numbers are never truncated; clipping each cell would cost time in every frame. */
const CELL = 'whitespace-nowrap';

/** A watched wallet with its mark and label, any other by the ends of its address. */
function Owner({ user }: { readonly user: string }) {
  const marking = useWalletBook(({ wallets }) => markingsOf(wallets).get(user.toLowerCase() as Address));
  if (marking === undefined) return shortAddress(user);
  // A label may be longer than its column.
  return (
    <span className="block min-w-0 overflow-hidden">
      <WalletName wallet={marking.wallet} />
    </span>
  );
}

interface OrderRowProps {
  readonly order: QueueOrder;
  /** A stable set. */
  readonly shown: ReadonlySet<LevelColumnName>;
  readonly age: string;
  readonly decimals: number;
  readonly rowHeight: number;
  readonly chosen: boolean;
  readonly onChoose: (order: QueueOrder) => void;
}

/** One order in a level's list. */
export const OrderRow = memo(
  function OrderRow({ order, shown, age, decimals, rowHeight, chosen, onChoose }: OrderRowProps) {
    const { index, place, oid, user, sz, szAhead, cumSz, notional, tif } = order;
    return (
      <tr
        data-oid={oid}
        data-place={place}
        data-user={user}
        data-sz={sz}
        data-ahead={szAhead}
        data-tif={tif ?? ''}
        aria-rowindex={index + 2}
        aria-selected={chosen}
        onClick={() => onChoose(order)}
        className={`cursor-pointer ${chosen ? 'bg-accent-soft text-strong' : 'hover:bg-surface-2'}`}
        style={{ height: rowHeight }}
      >
        <td className={`${CELL} pl-2 text-right text-dim`}>{wholeText(place + 1)}</td>
        <td className={`${CELL} pl-2 text-right`}>{decimalText(sz, decimals)}</td>
        <td className={`${CELL} pl-3`} title={user}>
          <Owner user={user} />
        </td>
        {shown.has('oid') && <td className={`${CELL} pl-2 text-right text-dim`}>{oid}</td>}
        {shown.has('age') && <td className={`${CELL} pl-2 text-right text-dim`}>{age}</td>}
        {shown.has('tif') && <td className={`${CELL} pl-2 text-dim`}>{tif ?? '–'}</td>}
        <td className={`${CELL} pl-2 text-right`}>{decimalText(szAhead, decimals)}</td>
        {shown.has('cumulative') && <td className={`${CELL} pl-2 text-right`}>{decimalText(cumSz, decimals)}</td>}
        {shown.has('notional') && <Notional notional={notional} />}
      </tr>
    );
  },
  ({ order: a, ...before }, { order: b, ...after }) => shallow(a, b) && shallow(before, after),
);

interface OwnerRowProps {
  readonly owner: QueueOwner;
  readonly shown: ReadonlySet<LevelColumnName>;
  readonly decimals: number;
  readonly rowHeight: number;
  readonly onOwner: (user: Address | null) => void;
}

/** All listed orders of one owner in one line; when expanded, they follow below it. */
export function OwnerRow({ owner, shown, decimals, rowHeight, onOwner }: OwnerRowProps) {
  const { index, user, orders, sz, szAhead, cumSz, notional, place, isOpen } = owner;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <tr
      data-owner={user ?? ''}
      data-orders={orders}
      data-sz={sz}
      aria-rowindex={index + 2}
      onClick={() => onOwner(user)}
      className="cursor-pointer bg-surface-2 text-strong hover:bg-surface-3"
      style={{ height: rowHeight }}
    >
      <td className={`${CELL} pl-2 text-right text-dim`} title="The place of its first order in the queue">
        {wholeText(place + 1)}
      </td>
      <td className={`${CELL} pl-2 text-right`}>{decimalText(sz, decimals)}</td>
      <td className={`${CELL} pl-1`} title={user ?? 'owner not named'}>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Close' : 'Open'} ${user ?? 'the orders without a named owner'}: ${counted(orders, 'order')}`}
          onClick={(event) => {
            event.stopPropagation();
            onOwner(user);
          }}
          className="flex w-full items-center -outline-offset-2"
        >
          <Chevron size={14} strokeWidth={1.75} aria-hidden className="shrink-0" />
          {user === null ? 'not named' : <Owner user={user} />}
        </button>
      </td>
      {shown.has('oid') && <td className={`${CELL} pl-2 text-right text-dim`}>–</td>}
      {shown.has('age') && <td className={`${CELL} pl-2 text-right text-dim`}>n {wholeText(orders)}</td>}
      {shown.has('tif') && <td className={`${CELL} pl-2 text-dim`}>–</td>}
      <td className={`${CELL} pl-2 text-right text-dim`}>{decimalText(szAhead, decimals)}</td>
      {shown.has('cumulative') && <td className={`${CELL} pl-2 text-right`}>{decimalText(cumSz, decimals)}</td>}
      {shown.has('notional') && <Notional notional={notional} />}
    </tr>
  );
}

/** Whole units of money: the fraction is in the tooltip. */
function Notional({ notional }: { readonly notional: QueueOrder['notional'] }) {
  return (
    <td className={`${CELL} pr-3 pl-2 text-right text-dim`} title={grouped(notional)}>
      {wholeUnits(notional)}
    </td>
  );
}

import type { Address } from '@l4desk/protocol';
import { type KeyboardEvent, memo, type RefObject } from 'react';
import type { LevelAnswer, QueueOrder } from '../../../book-worker/panes/level.ts';
import { secondsText, shortAddress, sizeText, wholeText } from '../../../ui/format.ts';
import { markingsOf } from '../../../wallets/marks.ts';
import { useWalletBook } from '../../../wallets/wallet-book.ts';
import { WalletName } from '../../../wallets/wallet-mark.tsx';

interface QueueRowsProps {
  readonly answer: LevelAnswer | undefined;
  /** The exchange's clock now: ages are counted by it. */
  readonly clock: number | undefined;
  readonly sizeDecimals: number;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rowHeight: number;
  readonly onScroll: () => void;
  readonly chosen: number | undefined;
  readonly onChoose: (order: QueueOrder) => void;
}

const CELL = 'overflow-hidden whitespace-nowrap';
/** Columns that go first where the panel is narrow. */
const WIDE = 'max-sm:hidden';
/** The oid, which the details say too, before a digit of a size is cut. */
const OID = 'max-[1419px]:hidden';

const COLUMNS = [
  { name: 'place', text: '#', look: 'w-11 text-right pl-2' },
  { name: 'size', text: 'size', look: 'text-right' },
  { name: 'owner', text: 'owner', look: 'w-24 pl-3 text-left' },
  { name: 'oid', text: 'oid', look: `w-28 text-right ${OID}` },
  { name: 'age', text: 'age', look: 'w-18 text-right' },
  { name: 'tif', text: 'tif', look: `w-14 pl-3 text-left ${WIDE}` },
  { name: 'ahead', text: 'ahead', look: 'text-right pr-3' },
] as const;

/** The window of the queue that is in view, as a table of its whole length. */
export function QueueRows(props: QueueRowsProps) {
  const { answer, clock, sizeDecimals, scroller, rowHeight, onScroll, chosen, onChoose } = props;
  const count = answer?.count ?? 0;
  const orders = answer?.orders ?? [];
  const first = orders[0]?.place ?? 0;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || answer === undefined) return;
    const at = orders.findIndex(({ oid }) => oid === chosen);
    const next = orders[at < 0 ? 0 : at + by];
    event.preventDefault();
    if (next === undefined || next.oid === chosen) return;
    onChoose(next);
    const top = next.place * rowHeight;
    const { scrollTop, clientHeight } = event.currentTarget;
    if (top < scrollTop) event.currentTarget.scrollTop = top;
    else if (top + 2 * rowHeight > scrollTop + clientHeight)
      event.currentTarget.scrollTop = top + 2 * rowHeight - clientHeight;
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- what scrolls is reached and moved by keyboard
    <section
      ref={scroller}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      data-arrows
      aria-label="Orders in queue order"
      className="min-h-0 grow overflow-y-auto overflow-x-hidden overscroll-contain outline-offset-[-2px] [scrollbar-gutter:stable] [scrollbar-width:thin]"
    >
      <table className="num w-full table-fixed border-separate border-spacing-0 text-12" aria-rowcount={count + 1}>
        <thead>
          <tr>
            {COLUMNS.map(({ name, text, look }) => (
              <th
                key={name}
                scope="col"
                className={`sticky top-0 z-10 h-[22px] border-b border-line bg-surface-1 font-sans text-11 font-normal text-dim ${look}`}
              >
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Spacer height={first * rowHeight} />}
          {orders.map((order) => (
            <OrderRow
              key={order.oid}
              order={order}
              age={clock === undefined || order.timestamp === 0 ? '' : secondsText(clock - order.timestamp)}
              decimals={sizeDecimals}
              rowHeight={rowHeight}
              chosen={order.oid === chosen}
              onChoose={onChoose}
            />
          ))}
          {count > first + orders.length && <Spacer height={(count - first - orders.length) * rowHeight} />}
        </tbody>
      </table>
    </section>
  );
}

/** Stands for rows out of view, so that the scroll bar tells the queue's length. */
function Spacer({ height }: { readonly height: number }) {
  return (
    <tr aria-hidden>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- it stands for rows that are not there */}
      <td style={{ height, padding: 0 }} />
    </tr>
  );
}

/** A watched wallet with its mark and label, any other by the ends of its address. */
function QueueOwner({ user }: { readonly user: string }) {
  const marking = useWalletBook(({ wallets }) => markingsOf(wallets).get(user.toLowerCase() as Address));
  return marking === undefined ? shortAddress(user) : <WalletName wallet={marking.wallet} />;
}

interface OrderRowProps {
  readonly order: QueueOrder;
  readonly age: string;
  readonly decimals: number;
  readonly rowHeight: number;
  readonly chosen: boolean;
  readonly onChoose: (order: QueueOrder) => void;
}

const OrderRow = memo(
  function OrderRow({ order, age, decimals, rowHeight, chosen, onChoose }: OrderRowProps) {
    const { place, oid, user, sz, szAhead, tif } = order;
    return (
      <tr
        data-oid={oid}
        data-place={place}
        data-user={user}
        data-sz={sz}
        data-ahead={szAhead}
        data-tif={tif ?? ''}
        aria-rowindex={place + 2}
        aria-selected={chosen}
        onClick={() => onChoose(order)}
        className={`cursor-pointer ${chosen ? 'bg-accent-soft text-strong' : 'hover:bg-surface-2'}`}
        style={{ height: rowHeight }}
      >
        <td className={`${CELL} pl-2 text-right text-dim`}>{wholeText(place + 1)}</td>
        <td className={`${CELL} text-right`}>{sizeText(sz, decimals)}</td>
        <td className={`${CELL} pl-3`} title={user}>
          <QueueOwner user={user} />
        </td>
        <td className={`${CELL} text-right text-dim ${OID}`}>{oid}</td>
        <td className={`${CELL} text-right text-dim`}>{age}</td>
        <td className={`${CELL} pl-3 text-dim ${WIDE}`}>{tif ?? '–'}</td>
        <td className={`${CELL} pr-3 text-right`}>{sizeText(szAhead, decimals)}</td>
      </tr>
    );
  },
  (before, after) =>
    before.order.oid === after.order.oid &&
    before.order.place === after.order.place &&
    before.order.sz === after.order.sz &&
    before.order.szAhead === after.order.szAhead &&
    before.age === after.age &&
    before.chosen === after.chosen &&
    before.decimals === after.decimals &&
    before.rowHeight === after.rowHeight &&
    before.onChoose === after.onChoose,
);

import type { Address } from '@l4desk/protocol';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, memo, type RefObject, useMemo } from 'react';
import type { LevelResponse, LevelSort, QueueOrder } from '../../../book-worker/panes/level.ts';
import { useSize } from '../../../hooks/use-size.ts';
import { decimalText, secondsText, wholeText, wholeUnits } from '../../../ui/format.ts';
import { longest, useLargest } from '../../../ui/number-width.ts';
import type { LevelOrder } from './level-view.ts';
import { fittingColumns, type ShownColumn } from './queue-columns.ts';
import { OrderRow, OwnerRow } from './queue-row.tsx';
import { scrollLength } from './queue-scroll.ts';

interface QueueRowsProps {
  readonly response: LevelResponse | undefined;
  /** The exchange's clock now: ages are counted by it. */
  readonly clock: number | undefined;
  readonly sizeDecimals: number;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rowHeight: number;
  readonly onScroll: () => void;
  readonly chosen: number | undefined;
  readonly onChoose: (order: QueueOrder) => void;
  readonly order: LevelOrder;
  /** Whether the orders are grouped by owner. */
  readonly isByOwner: boolean;
  readonly onSort: (column: LevelSort) => void;
  /** Expands or collapses an owner. */
  readonly onOwner: (user: Address | null) => void;
}

/** The visible window of the list, as a table with the list's full height. */
export const QueueRows = memo(function QueueRows(props: QueueRowsProps) {
  const { response, clock, sizeDecimals, scroller, rowHeight, onScroll, chosen, onChoose, order, onSort, onOwner } =
    props;
  const length = response?.length ?? 0;
  const orders = response?.orders ?? [];
  const lines = useMemo(() => linesOf(response), [response]);
  const first = lines[0]?.index ?? 0;
  const end = first + lines.length;
  const isQueue = response === undefined || response.listed === null;
  const columns = useColumns(scroller, props);
  const shown = useMemo(() => new Set(columns.map(({ name }) => name)), [columns]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const edge = { Home: 0, End: event.currentTarget.scrollHeight }[event.key];
    if (edge !== undefined) {
      // The browser's own scrolling is animated, and rows that change meanwhile end it halfway.
      event.preventDefault();
      event.currentTarget.scrollTop = edge;
      return;
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || response === undefined) return;
    const at = orders.findIndex(({ oid }) => oid === chosen);
    const next = orders[at < 0 ? 0 : at + by];
    event.preventDefault();
    if (next === undefined || next.oid === chosen) return;
    onChoose(next);
    const top = next.index * rowHeight;
    const { scrollTop, clientHeight } = event.currentTarget;
    if (top < scrollTop) event.currentTarget.scrollTop = top;
    else if (top + 2 * rowHeight > scrollTop + clientHeight)
      event.currentTarget.scrollTop = top + 2 * rowHeight - clientHeight;
  };
  return (
    <div className="focus-area min-h-0 grow">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- what scrolls is reached and moved by keyboard */}
      <section
        ref={scroller}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
        tabIndex={0}
        data-arrows
        aria-label={isQueue ? 'Orders in queue order' : 'Orders of the level, as chosen'}
        className="absolute inset-0 overflow-y-auto overflow-x-hidden overscroll-contain contain-strict [overflow-anchor:none] [scrollbar-gutter:stable] [scrollbar-width:thin]"
      >
        <table className="num w-full table-fixed border-separate border-spacing-0 text-12" aria-rowcount={length + 1}>
          <thead className="sticky top-0 z-10">
            <tr>
              {columns.map(({ name, text, hint, look, width, sort }) => (
                <th
                  key={name}
                  scope="col"
                  title={hint}
                  style={{ width }}
                  aria-sort={
                    sort === undefined || sort !== order.sort
                      ? undefined
                      : order.descending
                        ? 'descending'
                        : 'ascending'
                  }
                  className={`h-[22px] border-b border-line bg-surface-1 font-sans text-11 font-normal text-dim ${look}`}
                >
                  {sort === undefined ? (
                    text
                  ) : (
                    <button
                      type="button"
                      onClick={() => onSort(sort)}
                      className="inline-flex items-center hover:text-text"
                    >
                      {sort === order.sort && !(isQueue && sort === 'place') && (
                        <SortMark descending={order.descending} />
                      )}
                      {text}
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {first > 0 && <Spacer height={first * rowHeight} />}
            {lines.map((line) =>
              line.kind === 'owner' ? (
                <OwnerRow
                  key={`owner ${line.owner.user}`}
                  owner={line.owner}
                  shown={shown}
                  decimals={sizeDecimals}
                  rowHeight={rowHeight}
                  onOwner={onOwner}
                />
              ) : (
                <OrderRow
                  key={line.order.oid}
                  order={line.order}
                  age={
                    clock === undefined || line.order.timestamp === 0 ? '' : secondsText(clock - line.order.timestamp)
                  }
                  shown={shown}
                  decimals={sizeDecimals}
                  rowHeight={rowHeight}
                  chosen={line.order.oid === chosen}
                  onChoose={onChoose}
                />
              ),
            )}
            {length > end && <Spacer height={(scrollLength(length) - end) * rowHeight} />}
          </tbody>
        </table>
      </section>
    </div>
  );
});

/** The columns for which there is room. They only widen while the level is shown. */
function useColumns(
  scroller: RefObject<HTMLElement | null>,
  { response, clock, sizeDecimals, isByOwner }: QueueRowsProps,
): readonly ShownColumn[] {
  const { width } = useSize(scroller);
  const lines = response === undefined ? [] : [...response.orders, ...response.owners];
  const { sz = '0', notional = '0', count = 0 } = response ?? {};
  const ages = lines.map((line) =>
    'oid' in line
      ? secondsText(Math.max(0, (clock ?? line.timestamp) - line.timestamp))
      : `n ${wholeText(line.orders)}`,
  );
  const place = useLargest('', wholeText(count).length);
  const size = useLargest('', longest(lines.map((line) => decimalText(line.sz, sizeDecimals))));
  const age = useLargest('', longest(ages));
  const sum = useLargest('', decimalText(sz, sizeDecimals).length);
  const ntl = useLargest('', wholeUnits(notional).length);
  return useMemo(
    () => fittingColumns(width, { place, size, age, ahead: sum, cumulative: sum, notional: ntl }, isByOwner),
    [width, place, size, age, sum, ntl, isByOwner],
  );
}

type Line =
  | { readonly kind: 'order'; readonly index: number; readonly order: QueueOrder }
  | { readonly kind: 'owner'; readonly index: number; readonly owner: LevelResponse['owners'][number] };

/** Owners and orders of the window in list order. */
function linesOf(response: LevelResponse | undefined): readonly Line[] {
  if (response === undefined) return [];
  const orders = response.orders.map((order): Line => ({ kind: 'order', index: order.index, order }));
  if (response.owners.length === 0) return orders;
  const owners = response.owners.map((owner): Line => ({ kind: 'owner', index: owner.index, owner }));
  return [...orders, ...owners].sort((a, b) => a.index - b.index);
}

function SortMark({ descending }: { readonly descending: boolean }) {
  const Arrow = descending ? ArrowDown : ArrowUp;
  return <Arrow size={12} strokeWidth={1.75} aria-hidden className="shrink-0" />;
}

/** Takes the place of rows outside the view, so that the scroll bar shows the list's length. */
function Spacer({ height }: { readonly height: number }) {
  return (
    <tr aria-hidden>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- it stands for rows that are not there */}
      <td style={{ height, padding: 0 }} />
    </tr>
  );
}

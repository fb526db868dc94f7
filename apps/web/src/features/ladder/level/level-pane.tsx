import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { X } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type {
  LevelData,
  LevelLine,
  LevelSort,
  LevelView,
  OrderPlace,
  QueueOrder,
} from '../../../book-worker/panes/level.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { clockOf, useBook } from '../../../book-worker/use-book.ts';
import { usePageSearch } from '../../../state/page-search.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { counted, decimalText, grouped } from '../../../ui/format.ts';
import { usePassesFocus } from '../../../ui/pass-focus.ts';
import { DataTable, useRowHeight } from '../../../ui/table/data-table.tsx';
import { type RowSource, sortText } from '../../../ui/table/table-column.ts';
import { HEAD_HEIGHT } from '../../../ui/table/table-edges.tsx';
import { useWalletBook } from '../../../wallets/wallet-book.ts';
import { useBookPage } from '../book-page.ts';
import { OtherBlock } from '../other-block.tsx';
import { PaneHint } from '../pane-hint.tsx';
import { type LadderChoices, ladderSearch, levelOnTick } from '../search.ts';
import { HELD_TITLE, useListHold } from '../use-list-hold.ts';
import { useNotionalDecimals } from '../use-notional-decimals.ts';
import { FlowLine } from './flow-line.tsx';
import { dataOfLine, isOrder, keyOfLine, levelColumns } from './level-columns.tsx';
import { LevelControls } from './level-controls.tsx';
import { OrderDetails } from './order-details.tsx';
import { useLevelWindow } from './use-level-window.ts';

export function LevelPane() {
  const { coin, level, tick } = useBookPage();
  const turnedRef = useRef(false);
  // Until a row is chosen: the best bid, otherwise the best ask.
  const best = useBook(({ shown }) => {
    if (level !== undefined || shown?.coin !== coin) return undefined;
    const { bid, ask } = shown.best;
    return levelOnTick(bid === undefined ? ask && `A${ask}` : `B${bid}`, tick);
  });
  if (level === undefined && best !== undefined)
    return <Level key={`${coin} ${best.side} ${best.tick}`} level={best} turnedRef={turnedRef} isFollowing />;
  if (level === undefined) {
    return (
      <PaneHint>
        Select a row of the ladder, by a click or with <span className="whitespace-nowrap">↑ ↓</span> and Enter, to read
        its queue order by order.
      </PaneHint>
    );
  }
  return <Level key={`${coin} ${level.side}${level.px} ${level.tick}`} level={level} turnedRef={turnedRef} />;
}

const NO_LINES: readonly LevelLine[] = [];

interface LevelProps {
  readonly level: LevelRef;
  /** It was opened by the button of the other side's level, which is gone together with its focus. */
  readonly turnedRef: RefObject<boolean>;
  /** It is the best price, whichever that is: no row is chosen. */
  readonly isFollowing?: boolean;
}

function Level({ level: now, turnedRef, isFollowing = false }: LevelProps) {
  const { coin, order, onLife, onNoOrder, onLevel, onDeselect } = useBookPage();
  const rowHeight = useRowHeight();
  const section = useRef<HTMLElement>(null);
  const passing = usePassesFocus(section);
  const scroller = useRef<HTMLTableElement>(null);
  const [asked, setAsked] = useState<number>();
  const [chosen, setChosen] = useState<OrderPlace>();
  const isPointedAt = useListHold(section);
  /** It stays shown while an order of it is chosen, or the pointer or the focus is in the list, wherever the best price goes. */
  const [held, setHeld] = useState(now);
  if (order !== asked) {
    setAsked(order);
    // Searched from the front, because the URL does not contain its place.
    if (order !== undefined) setChosen({ oid: order, place: 0 });
  }
  const isHeld = isFollowing && (isPointedAt || chosen !== undefined);
  const wanted = isHeld ? held : now;
  const isBest = isFollowing && (!isHeld || held.px === now.px);
  const { choices, change } = usePageSearch(ladderSearch);
  const wallets = useWalletBook((book) => book.wallets);
  const [open, setOpen] = useState<readonly string[]>([]);
  const { sort, group, owner, tif, min } = choices;
  const list = useMemo(() => ({ sort, group, owner, tif, min }), [sort, group, owner, tif, min]);
  const view = useMemo(() => viewOf(list, wallets, open), [list, wallets, open]);
  const sorted = useMemo(() => orderOf(list), [list]);
  const shown = useLevelWindow({
    level: wanted,
    isBest: isFollowing && !isHeld,
    view,
    chosen,
    scroller,
    rowHeight,
  });
  const response = shown?.result;
  const level = response?.level ?? wanted;
  if (isFollowing && !isHeld && level !== held) setHeld(level);
  const onOwner = useCallback((user: Address | null) => setOpen((last) => toggled(last, user ?? '')), []);
  const sizeDecimals = response?.sizeDecimals ?? 0;
  const clock = useBook(({ shown: block, now }) => block && calm(clockOf(block, now)));
  const isByOwner = group === 'owner';
  const columns = useMemo(
    () => levelColumns({ decimals: sizeDecimals, clock, isByOwner, onOwner }),
    [sizeDecimals, clock, isByOwner, onOwner],
  );
  const { length = 0, lines = NO_LINES } = response ?? {};
  const rows = useMemo(() => rowsOf(length, lines), [length, lines]);
  const isAsked = order !== undefined;
  const choose = useCallback(
    (next: (now: OrderPlace | undefined) => OrderPlace | undefined) => {
      setChosen(next);
      if (isAsked) onNoOrder();
    },
    [isAsked, onNoOrder],
  );
  const onChoose = useCallback(
    ({ oid, place }: OrderPlace) => choose((last) => (last?.oid === oid ? undefined : { oid, place })),
    [choose],
  );
  useOrderInSight(scroller, rowHeight, response?.chosen ?? undefined);
  useEffect(() => {
    if (!turnedRef.current) return;
    turnedRef.current = false;
    scroller.current?.focus();
  }, [turnedRef]);
  const side = level.side === 'A' ? 'Ask' : 'Bid';

  return (
    <section
      ref={passing}
      aria-label={`${side} Level ${grouped(level.px)}`}
      data-part={isFollowing ? 'best-level' : 'inspector'}
      data-coin={coin}
      data-side={level.side}
      data-px={level.px}
      data-count={response?.count}
      data-sz={response?.sz}
      data-height={response?.height}
      className="flex min-h-0 grow flex-col"
    >
      <div className="flex items-center gap-3 border-b border-line py-0.5 pr-1 pl-3">
        <h2
          title={isFollowing && isPointedAt && chosen === undefined && !isBest ? HELD_TITLE : undefined}
          className="flex min-w-0 flex-wrap items-baseline gap-x-3"
        >
          <span className="whitespace-nowrap">
            <span className={level.side === 'A' ? 'text-ask' : 'text-bid'}>
              {isBest ? `Best ${side.toLowerCase()}` : side}
            </span>{' '}
            <span className="num font-semibold text-strong">{grouped(level.px)}</span>
          </span>
          <Totals side={level.side} response={response} sizeDecimals={sizeDecimals} />
        </h2>
        {response?.count === 0 && (
          <Button
            look="plain"
            title="The market may have moved over this price"
            onClick={() => {
              turnedRef.current = true;
              onLevel({ ...level, side: level.side === 'A' ? 'B' : 'A' });
            }}
          >
            {level.side === 'A' ? 'Bids' : 'Asks'} at <span className="num">{grouped(level.px)}</span>
          </Button>
        )}
        {response !== undefined && (
          <OtherBlock height={response.height} title="The queue is read five times a second" />
        )}
        <span className={response === undefined ? 'ml-auto' : undefined}>
          {!isFollowing && <IconButton icon={X} name="Close the level (Esc)" onClick={onDeselect} />}
        </span>
      </div>
      <FlowLine level={level} />
      <LevelControls listed={response?.listed} />
      <DataTable
        name={view === null ? 'Orders in queue order' : 'Orders of the level, as chosen'}
        columns={columns}
        rows={rows}
        measured={lines}
        keyOf={keyOfLine}
        dataOf={dataOfLine}
        scroller={scroller}
        followsRow
        selected={chosen && String(chosen.oid)}
        sort={{ column: sorted.sort, descending: sorted.descending }}
        onSort={(next) => change({ sort: sortText(next) })}
        onOpen={(line) => (isOrder(line) ? onChoose(line) : onOwner(line.user))}
        onMove={(line) => isOrder(line) && choose(() => line)}
      />
      {chosen !== undefined && (
        <OrderDetails
          oid={chosen.oid}
          order={response?.chosen ?? undefined}
          known={lines.filter(isOrder).find(({ oid }) => oid === chosen.oid)}
          isRead={response !== undefined}
          sizeDecimals={sizeDecimals}
          onLife={() => onLife(chosen.oid)}
          onClose={() => {
            scroller.current?.focus();
            choose(() => undefined);
          }}
        />
      )}
    </section>
  );
}

/** The loaded lines as rows of a list that has room for all the others. */
function rowsOf(length: number, lines: readonly LevelLine[]): RowSource<LevelLine> {
  const first = lines[0]?.index ?? 0;
  return { length, at: (index) => (index < first ? undefined : lines[index - first]) };
}

/** Ages are whole seconds. All of them change in the same frame: each frame with a changed row lays out and paints the list. */
function calm(clock: number): number {
  return clock - (clock % CALM_MS);
}

const CALM_MS = 1_000;

function toggled(open: readonly string[], user: string): readonly string[] {
  return open.includes(user) ? open.filter((one) => one !== user) : [...open, user];
}

/** Scrolls once to the order whose details are open if it is not visible. It stays visible when the list gets smaller. */
function useOrderInSight(
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
  order: Pick<QueueOrder, 'oid' | 'index'> | undefined,
): void {
  const shown = useRef<number>(undefined);
  /** Of what the headings leave for rows. */
  const height = useRef(0);
  const { oid, index = -1 } = order ?? {};
  useEffect(() => {
    const element = scroller.current;
    if (element === null || oid === undefined || index < 0) return undefined;
    const top = index * rowHeight;
    const isInSight = () => top >= element.scrollTop && top + rowHeight <= element.scrollTop + height.current;
    const measure = () => {
      height.current = element.clientHeight - HEAD_HEIGHT;
    };
    if (oid !== shown.current) {
      shown.current = oid;
      measure();
      if (!isInSight()) element.scrollTo({ top: top - height.current / 2 });
    }
    // The details open below the list, sometimes a moment later.
    const sizes = new ResizeObserver(() => {
      const wasInSight = isInSight();
      measure();
      if (wasInSight && !isInSight()) element.scrollTo({ top: top + rowHeight - height.current });
    });
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [scroller, rowHeight, oid, index]);
}

interface TotalsProps {
  readonly side: Side;
  readonly response: LevelData | undefined;
  readonly sizeDecimals: number;
}

function Totals({ side, response, sizeDecimals }: TotalsProps) {
  const ntlDecimals = useNotionalDecimals(sizeDecimals);
  if (response === undefined) return <span className="text-12 text-dim">loading the queue</span>;
  if (response.count === 0)
    return <span className="text-12 text-dim">no {side === 'A' ? 'asks' : 'bids'} at this price now</span>;
  return (
    <>
      <span className="num text-12 whitespace-nowrap">{counted(response.count, 'order')}</span>
      <span className="num text-12 whitespace-nowrap">{decimalText(response.sz, sizeDecimals)}</span>
      <span
        className="num text-12 whitespace-nowrap text-dim"
        title="Notional: the exact sum of price × size over its orders"
      >
        {`ntl ${decimalText(response.notional, ntlDecimals)}`}
      </span>
    </>
  );
}

/** The sort order of a list, as a column heading sets it. */
interface LevelOrder {
  readonly sort: LevelSort;
  readonly descending: boolean;
}

const QUEUE_ORDER: LevelOrder = { sort: 'place', descending: false };

/** Owners are sorted by size until another order is chosen. */
const OWNER_ORDER: LevelOrder = { sort: 'sz', descending: true };

type LevelChoices = Pick<LadderChoices, 'sort' | 'group' | 'owner' | 'tif' | 'min'>;

function orderOf({ sort, group }: LevelChoices): LevelOrder {
  if (sort === undefined) return group === 'owner' ? OWNER_ORDER : QUEUE_ORDER;
  const descending = sort.startsWith('-');
  return { sort: (descending ? sort.slice(1) : sort) as LevelSort, descending };
}

interface LabelledWallet {
  readonly address: Address;
  readonly label: string;
}

/** How the orders are listed; null for the whole queue in its own order. `open` are the owners whose orders are expanded. */
export function viewOf(
  choices: LevelChoices,
  wallets: readonly LabelledWallet[],
  open: readonly string[],
): LevelView | null {
  const { group, owner = '', tif, min } = choices;
  const order = orderOf(choices);
  const text = owner.trim().toLowerCase();
  const minSz = leastOf(min);
  const isPlain = order.sort === 'place' && !order.descending;
  if (isPlain && group === undefined && text === '' && tif === undefined && minSz === null) return null;
  return {
    ...order,
    owner: text === '' ? null : { text, users: wallets.filter((one) => hasLabel(one, text)).map(addressOf) },
    tif: tif ?? null,
    minSz,
    byOwner: group === 'owner',
    open,
  };
}

/** A negative size or zero filters nothing. */
function leastOf(min: DecimalString | undefined): DecimalString | null {
  return min === undefined || min.startsWith('-') || !/[1-9]/.test(min) ? null : min;
}

const hasLabel = ({ label }: LabelledWallet, text: string) => label.toLowerCase().includes(text);
const addressOf = ({ address }: LabelledWallet) => address;

import { X } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { LevelRef, QueueAnswer, QueueOrder } from '../../../book-worker/messages.ts';
import { NARROW, useMedia } from '../../../hooks/use-media.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { IconButton } from '../../../ui/button.tsx';
import { counted, grouped, sizeText } from '../../../ui/format.ts';
import { OrderDetails } from './order-details.tsx';
import { QueueRows } from './queue-rows.tsx';
import { type ChosenOrder, useQueue } from './use-queue.ts';

interface InspectorProps {
  readonly coin: string;
  readonly level: LevelRef;
  /** The order that the address asks to open the details of. */
  readonly order: number | undefined;
  /** Takes it out of the address: another was chosen, or none. */
  readonly onOtherOrder: () => void;
  readonly onClose: () => void;
}

/** The orders of one row in queue order, beside the ladder; where there is no room beside it, a sheet over it. */
export function Inspector({ coin, level, order, onOtherOrder, onClose }: InspectorProps) {
  const rowHeight = usePreferences((state) => state.density) === 'comfortable' ? 26 : 22;
  const isSheet = useMedia(NARROW);
  const scroller = useRef<HTMLElement>(null);
  const panel = useRef<HTMLElement>(null);
  const [asked, setAsked] = useState<number>();
  const [chosen, setChosen] = useState<ChosenOrder>();
  if (order !== asked) {
    setAsked(order);
    // Looked for from the front: the address does not say where it stands.
    if (order !== undefined) setChosen({ oid: order, place: 0 });
  }
  const { answer, onScroll } = useQueue(level, scroller, rowHeight, chosen);
  const isAsked = order !== undefined;
  const choose = useCallback(
    (next: (now: ChosenOrder | undefined) => ChosenOrder | undefined) => {
      setChosen(next);
      if (isAsked) onOtherOrder();
    },
    [isAsked, onOtherOrder],
  );
  const onChoose = useCallback(
    ({ oid, place }: ChosenOrder) => choose((now) => (now?.oid === oid ? undefined : { oid, place })),
    [choose],
  );
  useOrderInSight(scroller, rowHeight, answer?.chosen ?? undefined);
  const side = level.side === 'A' ? 'Ask' : 'Bid';
  const name = `Level ${grouped(level.px)}`;

  useEffect(() => {
    if (isSheet) panel.current?.focus();
  }, [isSheet]);

  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label={`${side} ${name}`}
      data-part="inspector"
      data-coin={coin}
      data-side={level.side}
      data-px={level.px}
      data-height={answer?.height}
      data-seq={answer?.seq}
      data-count={answer?.count}
      data-sz={answer?.sz}
      className={
        isSheet
          ? 'flex h-[62%] shrink-0 flex-col border-t border-edge bg-surface-1 outline-none'
          : 'flex w-[min(600px,46vw)] shrink-0 flex-col border-l border-line bg-surface-1 outline-none'
      }
    >
      <div className="flex items-center gap-3 border-b border-line py-0.5 pr-1 pl-3">
        <h2 className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <span className="whitespace-nowrap">
            <span className={level.side === 'A' ? 'text-ask' : 'text-bid'}>{side}</span>{' '}
            <span className="num font-semibold text-strong">{grouped(level.px)}</span>
          </span>
          <Totals answer={answer} />
        </h2>
        <span className="ml-auto">
          <IconButton icon={X} name="Close the level (Esc)" onClick={onClose} />
        </span>
      </div>
      <QueueRows
        answer={answer}
        scroller={scroller}
        rowHeight={rowHeight}
        onScroll={onScroll}
        chosen={chosen?.oid}
        onChoose={onChoose}
      />
      {chosen !== undefined && (
        <OrderDetails
          oid={chosen.oid}
          order={answer?.chosen ?? undefined}
          known={answer?.orders.find(({ oid }) => oid === chosen.oid)}
          isRead={answer !== undefined}
          sizeDecimals={answer?.sizeDecimals ?? 0}
          onClose={() => choose(() => undefined)}
        />
      )}
    </aside>
  );
}

/** Scrolls once to the order whose details are open, where it is out of sight: who pressed it sees it. */
function useOrderInSight(
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
  order: Pick<QueueOrder, 'oid' | 'place'> | undefined,
): void {
  const shown = useRef<number>(undefined);
  useEffect(() => {
    const element = scroller.current;
    if (element === null || order === undefined || order.oid === shown.current) return;
    shown.current = order.oid;
    const top = order.place * rowHeight;
    const isInSight = top >= element.scrollTop && top + rowHeight <= element.scrollTop + element.clientHeight;
    if (!isInSight) element.scrollTo({ top: top - element.clientHeight / 2 });
  }, [scroller, rowHeight, order]);
}

function Totals({ answer }: { readonly answer: QueueAnswer | undefined }) {
  if (answer === undefined) return <span className="text-12 text-dim">loading the queue</span>;
  if (answer.count === 0) return <span className="text-12 text-dim">no orders at this level</span>;
  return (
    <>
      <span className="num text-12 whitespace-nowrap">{counted(answer.count, 'order')}</span>
      <span className="num text-12 whitespace-nowrap">{sizeText(answer.sz, answer.sizeDecimals)}</span>
      <span
        className="num text-12 whitespace-nowrap text-dim"
        title="Notional: the exact sum of price × size over its orders"
      >
        ntl {grouped(answer.notional)}
      </span>
    </>
  );
}

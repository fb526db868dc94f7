import type { DecimalString } from '@l4desk/protocol';
import { createRef, type RefObject, useState } from 'react';
import { grouped } from '../../../ui/format.ts';
import type { LadderHandle } from '../canvas/ladder-handle.ts';
import type { PlacedLadder } from './books.ts';
import { LadderColumn } from './ladder-column.tsx';
import type { Books } from './use-books.ts';

/** A ref to the pane of each ladder, for the controls around it. */
export function usePaneRefs() {
  const [refs] = useState(
    () => [createRef<LadderHandle>(), createRef<LadderHandle>(), createRef<LadderHandle>()] as const,
  );
  return refs;
}

/** Widths of the ladders, px, when several panes are beside them: a single one, and each of several. */
const ALONE = 860;
const BESIDE = 560;

interface LaddersProps {
  readonly active: PlacedLadder;
  /** They have a fixed width and leave the rest to the panes beside them. */
  readonly isFixed: boolean;
  readonly split: number | undefined;
  readonly shown: readonly PlacedLadder[];
  readonly known: (coin: string) => boolean;
  readonly panes: readonly RefObject<LadderHandle | null>[];
  readonly layout: 'split' | 'single';
  /** The selected row of the active ladder's book, in its URL form. */
  readonly level: string | undefined;
  readonly actions: Books['actions'];
  readonly onFollow: (coin: string) => void;
}

interface Pointed {
  readonly coin: string;
  readonly index: number;
  readonly px: DecimalString;
}

/** A ladder that the pointer leaves only clears its own price: another one may be pointed at by then. */
function pointedNow(
  last: Pointed | undefined,
  { coin, index, px }: Pick<Pointed, 'coin' | 'index'> & { readonly px: DecimalString | undefined },
): Pointed | undefined {
  if (px !== undefined) return { coin, index, px };
  return last?.index === index ? undefined : last;
}

/** The ladders side by side. A price pointed at in one is marked in the others of its coin. */
export function Ladders({
  active,
  isFixed,
  split,
  shown,
  known,
  panes,
  layout,
  level,
  actions,
  onFollow,
}: LaddersProps) {
  const [pointed, setPointed] = useState<Pointed>();
  const width = shown.length === 1 ? ALONE : shown.length * BESIDE;
  const basis = split === undefined ? `${width}px` : `${split}%`;
  return (
    <div
      data-part="ladders"
      style={isFixed || split !== undefined ? { flex: `0 1 ${basis}` } : undefined}
      className="flex min-h-0 min-w-0 grow"
    >
      {shown.map((ladder) => {
        const { coin, index } = ladder;
        const paneRef = panes[index];
        return (
          paneRef !== undefined && (
            <LadderColumn
              key={index}
              ladder={ladder}
              isKnown={known(coin)}
              isActive={index === active.index}
              isOneOfSeveral={shown.length > 1}
              layout={layout}
              level={coin === active.coin ? level : undefined}
              paneRef={paneRef}
              crosshairPrice={pointed?.coin === coin && pointed.index !== index ? pointed.px : undefined}
              onCrosshairPrice={(px) => setPointed((last) => pointedNow(last, { coin, index, px }))}
              onActivate={() => actions.activate(index)}
              onSelect={(next) => actions.select(index, next)}
              onClose={index === 0 ? undefined : () => actions.close(index)}
              onFollow={() => onFollow(coin)}
            />
          )
        );
      })}
    </div>
  );
}

/**
 * Tabs for a page too narrow for ladders side by side: they show which ladder is active and switch between them. Only the shown
 * one is followed.
 */
export function LadderTabs({ books: { ladders, active, actions } }: { readonly books: Books }) {
  return (
    <nav aria-label="Ladders" data-part="ladder-tabs" className="flex shrink-0 overflow-x-auto border-b border-line">
      {ladders.map(({ coin, tick, index }) => (
        <button
          key={index}
          type="button"
          aria-current={index === active}
          onClick={() => actions.activate(index)}
          className="h-(--control) grow border-b-2 border-transparent px-2 whitespace-nowrap text-dim -outline-offset-2 hover:text-text aria-[current=true]:border-accent aria-[current=true]:text-strong"
        >
          {coin}
          {tick !== undefined && <span className="num text-12"> {grouped(tick)}</span>}
        </button>
      ))}
    </nav>
  );
}

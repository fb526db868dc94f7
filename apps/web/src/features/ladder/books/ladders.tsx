import { grouped } from '../../../ui/format.ts';
import type { PlacedLadder } from './books.ts';
import { LadderColumn } from './ladder-column.tsx';
import type { Books } from './use-books.ts';

/** Widths of the ladders, px, when several panes are beside them: a single one, and each of several. */
const ALONE = 860;
const BESIDE = 560;

interface LaddersProps {
  readonly active: PlacedLadder;
  /** They have a fixed width and leave the rest to the panes beside them. */
  readonly isFixed: boolean;
  readonly split: number | undefined;
  readonly shown: readonly PlacedLadder[];
  readonly actions: Books['actions'];
  readonly onFollow: (coin: string) => void;
}

/** The ladders side by side. */
export function Ladders({ active, isFixed, split, shown, actions, onFollow }: LaddersProps) {
  const width = shown.length === 1 ? ALONE : shown.length * BESIDE;
  const basis = split === undefined ? `${width}px` : `${split}%`;
  return (
    <div
      data-part="ladders"
      style={isFixed || split !== undefined ? { flex: `0 1 ${basis}` } : undefined}
      className="flex min-h-0 min-w-0 grow"
    >
      {shown.map((ladder) => (
        <LadderColumn
          key={ladder.index}
          ladder={ladder}
          isActive={ladder.index === active.index}
          isOneOfSeveral={shown.length > 1}
          actions={actions}
          onFollow={onFollow}
        />
      ))}
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

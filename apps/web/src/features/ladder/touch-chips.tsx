import { grouped } from '../../ui/format.ts';
import type { SceneView } from './canvas/scene-types.ts';

interface TouchChipsProps {
  readonly view: SceneView;
  /** Without colours, as the rows are. A filter around the chips would place them elsewhere. */
  readonly isFaded: boolean;
  readonly onRecentre: () => void;
}

/** A chip at each edge beyond which a best price lies: which one, and how far. A press brings it back. */
export function TouchChips(props: TouchChipsProps) {
  return (
    <>
      <TouchChip {...props} above />
      <TouchChip {...props} above={false} />
    </>
  );
}

function TouchChip({ view, isFaded, above, onRecentre }: TouchChipsProps & { readonly above: boolean }) {
  const { snapshot, rowsToTouch } = view;
  const isHere = (rows: number) => (above ? rows > 0 : rows < 0);
  const bid = isHere(rowsToTouch.bid) ? snapshot?.bid : undefined;
  const ask = isHere(rowsToTouch.ask) ? snapshot?.ask : undefined;
  const distances = [rowsToTouch.bid, rowsToTouch.ask].filter(isHere).map(Math.abs);
  if (distances.length === 0) return null;
  const name = bid !== undefined && ask !== undefined ? 'market' : bid !== undefined ? 'best bid' : 'best ask';
  const rows = Math.min(...distances);
  return (
    <button
      type="button"
      data-part="touch-chip"
      onClick={onRecentre}
      className={`absolute right-4 flex h-(--control) items-center gap-2 rounded-4 border border-edge bg-surface-2 px-3 text-12 text-text hover:text-strong ${above ? 'top-12' : 'bottom-2'} ${isFaded ? 'grayscale' : ''}`}
    >
      <span aria-hidden>{above ? '↑' : '↓'}</span>
      {name}{' '}
      <span className="num">
        {bid !== undefined && <span className="text-bid">{grouped(bid)}</span>}
        {bid !== undefined && ask !== undefined && ' / '}
        {ask !== undefined && <span className="text-ask">{grouped(ask)}</span>}
      </span>{' '}
      {rows} {rows === 1 ? 'row' : 'rows'} {above ? 'up' : 'down'}
      <kbd className="num text-11 text-dim">Space</kbd>
    </button>
  );
}

import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react';

const SPLIT_MIN = 20;
const SPLIT_MAX = 80;

const STEP = 2;

interface SplitterProps {
  readonly split: number | undefined;
  /** Undefined resets to the default. */
  readonly onSplit: (split: number | undefined) => void;
}

/**
 * The splitter between ladders and panes: dragged, or moved by the arrow keys; a double click or Home resets the default widths.
 */
export function Splitter({ split, onSplit }: SplitterProps) {
  const bar = useRef<HTMLDivElement>(null);
  /** Widths requested but not yet drawn: keys may be faster than the page. */
  const pending = useRef<SplitterProps['split'][]>([]);
  useEffect(() => {
    // If one of them is drawn now, it and the earlier ones are done; any other width was set elsewhere.
    const at = pending.current.lastIndexOf(split);
    pending.current = at < 0 ? [] : pending.current.slice(at + 1);
  }, [split]);
  const latest = () => (pending.current.length > 0 ? pending.current.at(-1) : split);
  const ask = (to: number | undefined) => {
    if (to !== latest()) pending.current.push(to);
    onSplit(to);
  };
  const partOf = (x: number) => {
    const box = bar.current?.parentElement?.getBoundingClientRect();
    return box === undefined || box.width === 0 ? undefined : ((x - box.left) / box.width) * 100;
  };
  const move = (to: number | undefined) => {
    if (to !== undefined) ask(Math.round(Math.min(SPLIT_MAX, Math.max(SPLIT_MIN, to))));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const now = latest() ?? partOf(bar.current?.getBoundingClientRect().left ?? 0) ?? 50;
    if (event.key === 'ArrowLeft') move(now - STEP);
    else if (event.key === 'ArrowRight') move(now + STEP);
    else if (event.key === 'Home') ask(undefined);
    else return;
    event.preventDefault();
  };
  const onPointerMove = (event: PointerEvent) => {
    if (bar.current?.hasPointerCapture(event.pointerId)) move(partOf(event.clientX));
  };
  return (
    <div
      ref={bar}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a separator that can be moved takes the focus and keys, which a rule does not
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the ladders"
      aria-valuenow={split ?? 50}
      aria-valuemin={SPLIT_MIN}
      aria-valuemax={SPLIT_MAX}
      aria-valuetext={split === undefined ? 'the page’s own' : `${split} %`}
      tabIndex={0}
      data-arrows
      title="Drag, or ← →; double press or Home for the page’s own widths"
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onDoubleClick={() => ask(undefined)}
      className="w-1 shrink-0 cursor-col-resize touch-none bg-surface-1 -outline-offset-1 hover:bg-accent-soft focus-visible:bg-accent"
    />
  );
}

import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { TimeData, TravelTo } from '../../../book-worker/panes/past.ts';
import { useBook, useLive } from '../../../book-worker/use-book.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { barsPath } from '../../../ui/draw/bars.ts';
import { ageText, clockText, wholeText, zoneText } from '../../../ui/format.ts';

interface ScrubberProps {
  readonly response: TimeData;
  readonly isRecorded: boolean;
}

const KEYS: Readonly<Record<string, TravelTo>> = {
  ArrowLeft: { kind: 'step', blocks: -1 },
  ArrowRight: { kind: 'step', blocks: 1 },
  ArrowDown: { kind: 'step', blocks: -1 },
  ArrowUp: { kind: 'step', blocks: 1 },
  PageDown: { kind: 'step', blocks: -10 },
  PageUp: { kind: 'step', blocks: 10 },
  Home: { kind: 'height', height: 0 },
};

export function Scrubber({ response, isRecorded }: ScrubberProps) {
  const live = useLive();
  const zone = usePreferences((state) => state.timeZone);
  const track = useRef<HTMLDivElement>(null);
  const shown = useBook((book) => book.shown);
  const heldAt = shown?.frozen === true ? shown.blockTime : undefined;
  /** One travel at a time: the next one waits until the last one is drawn. */
  const sent = useRef<number>(undefined);
  const { first, last } = response;
  if (first === undefined || last === undefined) return <div className="grow" />;

  const before = isRecorded ? 'the end of the recording' : 'the newest kept block';
  const blockText = ({ frozen, height, blockTime }: NonNullable<typeof shown>) => {
    const behind = frozen ? `, ${ageText(last.time - blockTime)} before ${before}` : ', live';
    return `block ${wholeText(height)}, ${clockText(blockTime, zone)} ${zoneText(zone, blockTime)}${behind}`;
  };
  const go = (event: PointerEvent<HTMLElement>) => {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    if (share === 1 && !isRecorded) return live.pause(false);
    const drawn = live.book().shown?.at;
    if (sent.current === drawn) return;
    sent.current = drawn;
    live.travel({ kind: 'time', time: Math.round(first.time + share * (last.time - first.time)) });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const to = KEYS[event.key];
    if (to === undefined && event.key !== 'End') return;
    event.preventDefault();
    if (to === undefined && isRecorded) live.travel({ kind: 'height', height: last.height });
    else if (to === undefined) live.pause(false);
    else if (heldAt !== undefined || to.kind !== 'step' || to.blocks < 0) live.travel(to);
  };
  return (
    <div
      ref={track}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input of this kind draws its own track, and steps by values, not blocks
      role="slider"
      tabIndex={0}
      data-arrows
      data-part="scrubber"
      aria-label={isRecorded ? 'Shown block in the recording' : 'Shown block in the kept time'}
      aria-valuemin={first.height}
      aria-valuemax={Math.max(last.height, shown?.height ?? 0)}
      aria-valuenow={shown?.height ?? last.height}
      aria-valuetext={shown && blockText(shown)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) go(event);
      }}
      onPointerUp={(event) => {
        sent.current = undefined;
        go(event);
      }}
      className="relative h-6 min-w-16 grow cursor-ew-resize touch-none rounded-4 bg-surface-2 outline-offset-2 forced-colors:border"
    >
      <Activity response={response} shown={heldAt ?? last.time} />
    </div>
  );
}

interface ActivityProps {
  readonly response: TimeData;
  readonly shown: number;
}

const WIDTH = 100;
const HEIGHT = 100;
/** The narrowest gap, so that every gap is seen. */
const GAP_MIN = 0.4;

/**
 * Changes over the kept time, its gaps, and the position of the shown block. In words,
 * the slider around it says which block is shown, and the text beside it how much is kept and how many gaps there are.
 */
function Activity({ response, shown }: ActivityProps) {
  const { first, last } = response;
  if (first === undefined || last === undefined) return null;
  return (
    <div aria-hidden className="absolute inset-0">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="absolute inset-0 size-full">
        <path d={barsPath(response.activity, WIDTH, HEIGHT)} className="fill-dim opacity-60" />
        <path d={gapsPath(response)} className="fill-stale" />
      </svg>
      {/* A border, because forced colours remove backgrounds. */}
      <span
        data-part="playhead"
        className="absolute -inset-y-1 -translate-x-1/2 border-l-2 border-strong"
        style={{ left: `${(shareOf(response, shown) * 100).toFixed(2)}%` }}
      />
    </div>
  );
}

function shareOf({ first, last }: TimeData, time: number): number {
  if (first === undefined || last === undefined) return 0;
  return Math.min(1, Math.max(0, (time - first.time) / Math.max(1, last.time - first.time)));
}

export function gapsPath(response: TimeData): string {
  const gaps = response.gaps.map(({ from, to }) => {
    const start = shareOf(response, from.time) * WIDTH;
    const width = Math.max(GAP_MIN, shareOf(response, to.time) * WIDTH - start);
    return `M${start} 0h${width}v${HEIGHT}h${-width}z`;
  });
  return gaps.join('');
}

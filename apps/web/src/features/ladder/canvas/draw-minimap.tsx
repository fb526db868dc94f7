import { type KeyboardEvent, type PointerEvent, useMemo } from 'react';
import { bpsAtShare, shareOfBps } from '../../../book-worker/map-scale.ts';
import type { MapData } from '../../../book-worker/panes/draw-map.ts';
import { priceOfIndex, type TickGrid, tickGrid } from '../../../book-worker/prices.ts';
import { usePane } from '../../../book-worker/use-book.ts';
import { grouped } from '../../../ui/format.ts';
import { largestShown } from './scale.ts';
import type { SceneWindow } from './scene-types.ts';

interface MinimapProps {
  /** The visible price range; undefined before there are rows. */
  readonly shown: SceneWindow | undefined;
  /** Scrolls a row of the grid to the middle of the ladder. */
  readonly onShow: (index: number) => void;
  readonly onRecentre: () => void;
}

const MINIMAP_WIDTH = 44;

const BARS = 72;

const BARS_WANTED = { bars: BARS };

/** Height in the drawing's own units: it is stretched to the ladder's height. */
const HEIGHT = 2 * BARS;

/** The shortest bar is for sizes below this fraction of the largest. */
const SMALLEST = 1_000;
/** Bars per page key. */
const PAGE = 8;

/**
 * The whole book beside the ladder: asks up, bids down, on a logarithmic scale of distance from the mid; bar lengths are
 * logarithmic in size. The part that the ladder shows is framed; a press, drag or key scrolls the ladder there.
 */
export function Minimap({ shown, onShow, onRecentre }: MinimapProps) {
  const map = usePane('map', BARS_WANTED);
  const bars = useMemo(() => map && barsOf(map), [map]);
  const grid = shown && tickGrid(shown.tick);
  const middle = shown && shown.top - Math.floor(shown.slots / 2);
  const go = (y: number) => {
    if (map !== undefined && grid !== undefined) onShow(indexAt(map, grid, y));
  };
  const onPointer = (event: PointerEvent<HTMLElement>) => {
    if (event.buttons !== 1) return;
    const { top, height } = event.currentTarget.getBoundingClientRect();
    event.currentTarget.setPointerCapture(event.pointerId);
    go(((event.clientY - top) / height) * HEIGHT);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Home') {
      event.preventDefault();
      return onRecentre();
    }
    const by = { ArrowUp: -1, ArrowDown: 1, PageUp: -PAGE, PageDown: PAGE }[event.key];
    if (by === undefined || map === undefined || grid === undefined || middle === undefined) return;
    event.preventDefault();
    const at = yOf(map, priceAt(grid, middle));
    const wanted = indexAt(map, grid, at + by);
    // Near the mid a bar is smaller than a row.
    onShow(wanted === middle ? middle - Math.sign(by) : wanted);
  };
  const frame = map && shown && grid && frameOf(map, shown, grid);
  const text =
    grid === undefined || middle === undefined ? 'no rows yet' : grouped(priceOfIndex(grid, Math.max(0, middle)));
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input draws no map, and its steps are not even
      role="slider"
      tabIndex={0}
      aria-label="Map of the whole book"
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={HEIGHT}
      aria-valuenow={frame === undefined ? 0 : Math.round(HEIGHT - frame.y - frame.height / 2)}
      aria-valuetext={text}
      title="The whole book by the distance from the mid: press or drag to travel, Home to return"
      data-arrows
      data-part="minimap"
      data-height={map?.height}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onKeyDown={onKeyDown}
      style={{ width: MINIMAP_WIDTH }}
      className="relative h-full shrink-0 cursor-pointer touch-none border-l border-line bg-surface-0 -outline-offset-2"
    >
      <svg aria-hidden viewBox={`0 0 ${MINIMAP_WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="size-full">
        <path d={bars?.asks} className="fill-ask-mark" />
        <path d={bars?.bids} className="fill-bid-mark" />
        <path d={`M0 ${HEIGHT / 2}H${MINIMAP_WIDTH}`} vectorEffect="non-scaling-stroke" className="stroke-line" />
        {frame !== undefined && (
          <rect
            x={0.5}
            y={frame.y}
            width={MINIMAP_WIDTH - 1}
            height={frame.height}
            vectorEffect="non-scaling-stroke"
            className="fill-accent/10 stroke-accent"
          />
        )}
      </svg>
    </div>
  );
}

const priceAt = ({ units, decimals }: TickGrid, index: number) => (index * units) / 10 ** decimals;

export function yOf({ mid, farBps }: Pick<MapData, 'mid' | 'farBps'>, px: number): number {
  const share = Math.min(1, shareOfBps((Math.abs(px - mid) / mid) * 10_000, farBps));
  return (HEIGHT / 2) * (px > mid ? 1 - share : 1 + share);
}

export function indexAt({ mid, farBps }: Pick<MapData, 'mid' | 'farBps'>, grid: TickGrid, y: number): number {
  const share = Math.max(-1, Math.min(1, 1 - y / (HEIGHT / 2)));
  const bps = bpsAtShare(Math.abs(share), farBps);
  const px = Math.max(0, mid * (1 + (Math.sign(share) * bps) / 10_000));
  return Math.round((px * 10 ** grid.decimals) / grid.units);
}

export function barsOf({ asks, bids }: MapData): { readonly asks: string; readonly bids: string } {
  const largest = largestShown([...bids, ...asks].filter((size) => size > 0));
  const pathOf = (sizes: readonly number[], direction: 1 | -1) =>
    sizes
      .map((size, bar) => {
        if (size <= 0 || largest <= 0) return '';
        const share = Math.min(1, Math.log1p((size / largest) * SMALLEST) / Math.log1p(SMALLEST));
        const y = HEIGHT / 2 + (direction === 1 ? bar : -bar - 1);
        return `M0 ${y}h${(share * (MINIMAP_WIDTH - 2)).toFixed(1)}v0.8H0z`;
      })
      .join('');
  return { asks: pathOf(asks, -1), bids: pathOf(bids, 1) };
}

/** The position of the frame around what the ladder shows, which is never too small to see. */
export function frameOf(map: MapData, { top, slots }: SceneWindow, grid: TickGrid) {
  const from = yOf(map, priceAt(grid, top));
  const to = yOf(map, priceAt(grid, Math.max(0, top - slots + 1)));
  const height = Math.max(2, to - from);
  return { y: Math.max(0, Math.min(HEIGHT - height, (from + to - height) / 2)), height };
}

import { type KeyboardEvent, useState } from 'react';
import { useRadar, useRadarView } from '../../../book-worker/radar/radar.ts';
import { useBookPage } from '../book-page.ts';
import { PaneHint } from '../pane-hint.tsx';
import { RadarControls } from './radar-controls.tsx';
import { Tile } from './radar-tile.tsx';

/** How far a key moves in the list of tiles. */
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export function RadarPane() {
  const radar = useRadar();
  const { coins, tiles, failure } = useRadarView();
  return (
    <div data-part="radar" className="flex min-h-0 grow flex-col">
      <RadarControls />
      {failure !== undefined && (
        <p role="alert" className="border-b border-stale px-3 py-1 text-stale">
          The radar stopped: {failure}.{' '}
          <button type="button" className="underline" onClick={() => radar.follow(coins)}>
            Start again
          </button>
        </p>
      )}
      {coins.length === 0 ? (
        <PaneHint>
          The radar keeps the exact book of many coins: spread, imbalance within 10 bps, changes a second, and the
          orders of watched wallets. It follows nothing before it is started.
        </PaneHint>
      ) : (
        <Tiles coins={coins} tiles={tiles} />
      )}
    </div>
  );
}

type TilesProps = Pick<ReturnType<typeof useRadarView>, 'coins' | 'tiles'>;

function Tiles({ coins, tiles }: TilesProps) {
  const { coin: open, onCoin } = useBookPage();
  const [focused, setFocused] = useState(0);
  const at = Math.min(focused, coins.length - 1);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const target = event.key === 'Home' ? 0 : event.key === 'End' ? coins.length - 1 : at + (STEPS[event.key] ?? 0);
    const next = Math.max(0, Math.min(coins.length - 1, target));
    if (next === at) return;
    event.preventDefault();
    setFocused(next);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the tile that has the focus takes the keys
    <div
      role="toolbar"
      aria-label="Radar"
      data-arrows
      onKeyDown={onKeyDown}
      className="grid min-h-0 grow auto-rows-min grid-cols-[repeat(auto-fill,minmax(min(100%,236px),1fr))] overflow-y-auto"
    >
      {coins.map((coin, index) => (
        <Tile
          key={coin}
          coin={coin}
          tile={tiles.get(coin)}
          isOpen={coin === open}
          tabIndex={index === at ? 0 : -1}
          onOpen={() => {
            setFocused(index);
            onCoin(coin);
          }}
        />
      ))}
    </div>
  );
}

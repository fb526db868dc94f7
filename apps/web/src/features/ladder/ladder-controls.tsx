import type { DecimalString } from '@l4desk/protocol';
import { Crosshair } from 'lucide-react';
import type { RefObject } from 'react';
import type { Centring } from '../../book-worker/axis.ts';
import { NARROW, useMedia } from '../../hooks/use-media.ts';
import { Button } from '../../ui/button.tsx';
import { grouped } from '../../ui/format.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import type { LadderHandle } from './canvas/ladder-handle.ts';
import { type Hold, HoldButton } from './time/hold-button.tsx';

export interface ControlledLadder {
  readonly pane: RefObject<LadderHandle | null>;
  readonly hold: Hold;
  readonly tick: DecimalString | undefined;
  readonly ticks: readonly DecimalString[];
  readonly mode: Centring;
  readonly onTick: (tick: string) => void;
  readonly onMode: (mode: Centring) => void;
}

export const MODE_OPTIONS: readonly { readonly value: Centring; readonly text: string; readonly hint: string }[] = [
  { value: 'auto', text: 'Auto', hint: 'Recentres when the market moves off-centre, never under the pointer' },
  { value: 'static', text: 'Static', hint: 'Prices stay where they are until you recentre' },
  { value: 'mid', text: 'Mid', hint: 'The market stays in the middle, except under the pointer' },
];

interface LadderControlsProps {
  readonly ladder: ControlledLadder;
  /** In a window of its own: the controls have their shortest form. */
  readonly isSmall?: boolean;
}

export function LadderControls({ ladder, isSmall = false }: LadderControlsProps) {
  const { pane, hold, tick, ticks, mode, onTick, onMode } = ladder;
  const isNarrow = useMedia(NARROW);
  return (
    <>
      <Select<string>
        name="Grouping"
        caption={isNarrow && !isSmall ? '' : 'tick'}
        numeric
        value={tick ?? ''}
        disabled={tick === undefined}
        options={(tick === undefined ? [''] : ticks).map((value) => ({
          value,
          text: value === '' ? '–' : grouped(value),
        }))}
        onChange={onTick}
      />
      {isNarrow || isSmall ? (
        <Select name="Centring" caption="" value={mode} options={MODE_OPTIONS} onChange={onMode} />
      ) : (
        <Segmented name="Centring" value={mode} options={MODE_OPTIONS} onChange={onMode} />
      )}
      <Button
        icon={Crosshair}
        title="Recentre (Space)"
        aria-label="Recentre"
        onClick={() => pane.current?.run({ kind: 'recentre' })}
      >
        <span className={isSmall ? 'sr-only' : '@max-[1679px]/title:sr-only'}>Recentre</span>
      </Button>
      <HoldButton hold={hold} isSmall={isSmall} />
    </>
  );
}

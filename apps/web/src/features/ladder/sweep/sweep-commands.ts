import { useMemo } from 'react';
import type { LevelRef } from '../../../book-worker/position.ts';
import type { Command } from '../../../hooks/commands.ts';
import { grouped } from '../../../ui/format.ts';
import { focusIn } from '../pane-focus.ts';
import { DEFAULT_SWEEP, readSweep, writeSweep } from '../search.ts';

/** The sweep preview as palette commands: a side, whose amount can be typed then, or up to the selected row. */
export function useSweepCommands(
  sweep: string | undefined,
  level: LevelRef | undefined,
  onSweep: (sweep: string) => void,
): readonly Command[] {
  return useMemo(() => {
    const choice = readSweep(sweep) ?? DEFAULT_SWEEP;
    const sides = [
      { side: 'buy', text: 'Sweep preview: buy', hint: 'takes asks' },
      { side: 'sell', text: 'Sweep preview: sell', hint: 'takes bids' },
    ] as const;
    const ofSides = sides.map(
      ({ side, text, hint }): Command => ({
        id: `sweep ${side}`,
        text,
        hint,
        run: () => {
          onSweep(writeSweep({ ...choice, side }));
          focusIn('sweep');
        },
      }),
    );
    if (level === undefined) return ofSides;
    const side = level.side === 'A' ? 'buy' : 'sell';
    const upTo: Command = {
      id: 'sweep level',
      text: `Sweep preview: ${side} ${side === 'buy' ? 'up' : 'down'} to ${grouped(level.px)}`,
      hint: 'the selected level',
      run: () => onSweep(writeSweep({ side, measure: 'to', amount: level.px })),
    };
    return [...ofSides, upTo];
  }, [sweep, level, onSweep]);
}

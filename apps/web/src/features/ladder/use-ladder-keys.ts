import type { DecimalString } from '@l4desk/protocol';
import { type RefObject, useMemo } from 'react';
import type { Centring } from '../../book-worker/axis.ts';
import { useLive } from '../../book-worker/use-book.ts';
import { type Command, useCommands } from '../../hooks/commands.ts';
import { type Shortcut, useShortcuts } from '../../hooks/shortcuts.ts';
import { grouped } from '../../ui/format.ts';
import type { LadderPane } from './canvas/pane.ts';
import { MODE_OPTIONS } from './centring-texts.ts';
import type { Hold } from './time/use-hold.ts';
import { verifyNow } from './verify-now.ts';

interface LadderKeys {
  readonly pane: RefObject<LadderPane | null>;
  readonly hold: Hold;
  readonly tick: DecimalString | undefined;
  readonly ticks: readonly DecimalString[];
  readonly onTick: (tick: DecimalString) => void;
  readonly onMode: (mode: Centring) => void;
  readonly onPicking: (picking: boolean) => void;
  readonly onDeselect: () => void;
  /** Palette commands listed after the ladder's own. */
  readonly more: readonly Command[];
}

const HOLD_TEXTS = {
  Pause: 'Pause the book',
  Play: 'Play the recording',
  Resume: 'Resume the live book',
} satisfies Record<Hold['text'], string>;

/**
 * The ladder's keyboard shortcuts and palette commands. The arguments have to be stable, because any change recreates both lists.
 */
export function useLadderKeys(keys: LadderKeys): void {
  const { pane, hold, tick, ticks, onTick, onMode, onPicking, onDeselect, more } = keys;
  const live = useLive();
  const { shortcuts, commands } = useMemo(() => {
    const at = tick === undefined ? -1 : ticks.indexOf(tick);
    const finer = at < 0 ? undefined : ticks[at - 1];
    const coarser = at < 0 ? undefined : ticks[at + 1];
    const group = (to: DecimalString | undefined) => () => {
      if (to !== undefined) onTick(to);
    };
    const recentre = () => pane.current?.recentre();
    const ruler = () => pane.current?.toggleRuler();
    const escape = () => {
      if (pane.current?.escape() !== true) onDeselect();
    };
    const pick = () => onPicking(true);
    return {
      shortcuts: [
        { key: 'Space', text: 'Recentre', run: recentre },
        { key: 'ArrowUp', text: 'Next level up', run: () => pane.current?.moveActive(-1) },
        { key: 'ArrowDown', text: 'Next level down', run: () => pane.current?.moveActive(1) },
        { key: 'ArrowRight', text: 'Next order of the level', run: () => pane.current?.moveInLane(1) },
        { key: 'ArrowLeft', text: 'Previous order of the level', run: () => pane.current?.moveInLane(-1) },
        { key: 'Shift+ArrowUp', text: 'Sweep one level further up', run: () => pane.current?.moveSweep(1) },
        { key: 'Shift+ArrowDown', text: 'Sweep one level further down', run: () => pane.current?.moveSweep(-1) },
        { key: 'm', text: 'Ruler: measure between two prices', run: ruler },
        { key: 'Enter', text: 'Open the level’s orders, or the order', run: () => pane.current?.chooseActive() },
        { key: 'PageUp', text: 'Higher prices', run: () => pane.current?.scroll(pane.current.page) },
        { key: 'PageDown', text: 'Lower prices', run: () => pane.current?.scroll(-pane.current.page) },
        { key: 'p', text: 'Pause, resume or play', run: hold.run },
        { key: '/', text: 'Choose a coin', run: pick },
        { key: '[', text: 'Finer grouping', run: group(finer) },
        { key: ']', text: 'Coarser grouping', run: group(coarser) },
        { key: 'v', text: 'Verify now', run: () => verifyNow(live) },
        { key: 'Escape', text: 'Close the level', run: escape },
      ] satisfies readonly Shortcut[],
      commands: [
        { id: 'pause', text: HOLD_TEXTS[hold.text], hint: 'P', run: hold.run },
        { id: 'recentre', text: 'Recentre', hint: 'Space', run: recentre },
        { id: 'ruler', text: 'Ruler: measure between two prices', hint: 'M', run: ruler },
        { id: 'coin', text: 'Choose a coin', hint: '/', run: pick },
        ...MODE_OPTIONS.map(({ value, text }) => ({
          id: `centring ${value}`,
          text: `Centring: ${text}`,
          run: () => onMode(value),
        })),
        ...ticks
          .filter((offered) => offered !== tick)
          .map((offered) => ({
            id: `tick ${offered}`,
            text: `Group prices by ${grouped(offered)}`,
            ...(offered === finer ? { hint: '[' } : offered === coarser ? { hint: ']' } : {}),
            run: group(offered),
          })),
        ...more,
      ] satisfies readonly Command[],
    };
  }, [live, pane, hold, tick, ticks, onTick, onMode, onPicking, onDeselect, more]);
  useShortcuts('Order book', shortcuts);
  useCommands('This page', commands);
}

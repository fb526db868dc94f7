import type { DecimalString } from '@l4desk/protocol';
import type { Live } from '../../book-worker/live.ts';
import type { BestPrices, LevelRef } from '../../book-worker/position.ts';
import { indexHolding, priceOfIndex, tickGrid } from '../../book-worker/prices.ts';
import { useLive } from '../../book-worker/use-book.ts';
import { type Action, useActions } from '../../hooks/actions.ts';
import { grouped } from '../../ui/format.ts';
import { toast } from '../../ui/toast.tsx';
import type { BookPage } from './book-page.ts';
import type { SceneCommand } from './canvas/scene-types.ts';
import { type ControlledLadder, MODE_OPTIONS } from './ladder-controls.tsx';
import type { Pane } from './panes.tsx';
import type { Hold } from './time/hold-button.tsx';
import { type TimeTravel, timeActions } from './time/use-time-travel.ts';

/** Registers time travel, whether its strip is shown or not; undefined where nothing of the book is shown. */
export function useTimeActions(travel: TimeTravel | undefined): void {
  useActions('Time', travel === undefined ? [] : timeActions(travel), 'Time travel');
}

const HOLD_LABELS = {
  Pause: 'Pause the book',
  Play: 'Play the recording',
  Resume: 'Resume the live book',
} satisfies Record<Hold['text'], string>;

export function useLadderActions(
  { pane, hold, tick, ticks, onTick, onMode }: ControlledLadder,
  onDeselect: () => void,
  onPick?: () => void,
): void {
  const live = useLive();
  const at = tick === undefined ? -1 : ticks.indexOf(tick);
  const step = (id: string, label: string, keys: string, to: DecimalString | undefined): Action => ({
    id,
    label,
    keys,
    isKeyOnly: true,
    isEnabled: to !== undefined,
    run: () => to !== undefined && onTick(to),
  });
  const run = (command: SceneCommand) => () => pane.current?.run(command);
  const key = (keys: string, label: string, command: SceneCommand): Action => ({
    id: `ladder ${keys}`,
    label,
    keys,
    isKeyOnly: true,
    run: run(command),
  });
  const actions: readonly Action[] = [
    { id: 'pause', label: HOLD_LABELS[hold.text], keys: 'p', run: hold.run },
    { id: 'recentre', label: 'Recentre', keys: 'Space', run: run({ kind: 'recentre' }) },
    {
      id: 'ruler',
      label: 'Ruler: measure between two prices',
      keys: 'm',
      run: run({ kind: 'toggleRuler' }),
    },
    ...(onPick === undefined ? [] : [{ id: 'coin', label: 'Choose a coin', keys: '/', run: onPick }]),
    key('ArrowUp', 'Next level up', { kind: 'moveActive', by: -1 }),
    key('ArrowDown', 'Next level down', { kind: 'moveActive', by: 1 }),
    key('ArrowRight', 'Next order of the level', { kind: 'moveInLane', by: 1 }),
    key('ArrowLeft', 'Previous order of the level', { kind: 'moveInLane', by: -1 }),
    key('Shift+ArrowUp', 'Sweep one level further up', { kind: 'moveSweep', by: 1 }),
    key('Shift+ArrowDown', 'Sweep one level further down', { kind: 'moveSweep', by: -1 }),
    key('Enter', 'Open the level’s orders, or the order', { kind: 'chooseActive' }),
    key('PageUp', 'Higher prices', { kind: 'scrollPages', by: 1 }),
    key('PageDown', 'Lower prices', { kind: 'scrollPages', by: -1 }),
    step('finer', 'Finer grouping', '[', at < 0 ? undefined : ticks[at - 1]),
    step('coarser', 'Coarser grouping', ']', at < 0 ? undefined : ticks[at + 1]),
    { id: 'verify now', label: 'Verify now', keys: 'v', isKeyOnly: true, run: () => verifyNow(live) },
    {
      id: 'deselect',
      label: 'Close the level',
      keys: 'Escape',
      isKeyOnly: true,
      run: () => {
        if (pane.current?.escape() !== true) onDeselect();
      },
    },
    ...MODE_OPTIONS.map(({ value, text }) => ({
      id: `centring ${value}`,
      label: `Centring: ${text}`,
      run: () => onMode(value),
    })),
    ...ticks
      .filter((offered) => offered !== tick)
      .map((offered) => ({
        id: `tick ${offered}`,
        label: `Group prices by ${grouped(offered)}`,
        hint: offered === ticks[at - 1] ? '[' : offered === ticks[at + 1] ? ']' : undefined,
        run: () => onTick(offered),
      })),
  ];
  useActions('Order book', actions);
}

/** Registers what a pane in a separate window can do: with the book if it shows the book, and with its rows if it shows a row. */
export function usePoppedPaneActions({ key, isOther = false }: Pane, page: BookPage, hold: Hold): void {
  const live = useLive();
  const { tick, level, onLevel, onDeselect } = page;
  const move = (rows: number) => () => {
    const best = live.book().shown?.best;
    const next = best && tick !== undefined ? rowBeside(level, tick, best, rows) : undefined;
    if (next !== undefined) onLevel(next);
  };
  const ofBook: readonly Action[] = [
    { id: 'pause', label: HOLD_LABELS[hold.text], keys: 'p', run: hold.run },
    { id: 'verify now', label: 'Verify now', keys: 'v', run: () => verifyNow(live) },
  ];
  const ofLevel: readonly Action[] = [
    { id: 'row up', label: 'A row up', keys: 'ArrowUp', run: move(1) },
    { id: 'row down', label: 'A row down', keys: 'ArrowDown', run: move(-1) },
    { id: 'deselect', label: 'Close the level', keys: 'Escape', run: onDeselect },
  ];
  useActions('Order book', [
    ...ofBook.filter(({ id }) => !isOther || (key === 'journal' && id === 'verify now')),
    ...(key === 'level' ? ofLevel : []),
  ]);
}

/** The row so many rows above the selected one, on the side that rests there; without one, the best row. */
export function rowBeside(
  level: LevelRef | undefined,
  tick: DecimalString,
  { bid, ask }: BestPrices,
  rows: number,
): LevelRef | undefined {
  const grid = tickGrid(tick);
  if (grid === undefined) return undefined;
  const offer = ask === undefined ? undefined : indexHolding(grid, 'A', ask);
  const from = level === undefined ? undefined : indexHolding(grid, level.side, level.px);
  const best = bid === undefined ? offer : indexHolding(grid, 'B', bid);
  const index = from === undefined ? best : from + rows;
  if (index === undefined || index < 0) return undefined;
  return { side: offer !== undefined && index >= offer ? 'A' : 'B', px: priceOfIndex(grid, index), tick: grid.tick };
}

/** What the key V does: compares the book with a fresh snapshot, or says why there is nothing to compare. */
function verifyNow(live: Live): void {
  const { state, reason } = live.book().integrity;
  if (state === 'live' || state === 'suspect') live.verify();
  // The service's own reasons are sentences.
  else toast(`Not verified: ${reason.replace(/\.$/, '')}.`, undefined, 'verify');
}

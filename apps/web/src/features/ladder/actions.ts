import type { DecimalString } from '@l4desk/protocol';
import { INFO_CREDITS, TARIFF } from '@l4desk/protocol';
import { type RefObject, useSyncExternalStore } from 'react';
import type { Centring } from '../../book-worker/axis.ts';
import type { Live } from '../../book-worker/live.ts';
import type { BestPrices, LevelRef } from '../../book-worker/position.ts';
import { indexHolding, priceOfIndex, tickGrid } from '../../book-worker/prices.ts';
import { useRadar } from '../../book-worker/radar/radar-context.ts';
import { useLive } from '../../book-worker/use-book.ts';
import { type Action, useActions } from '../../hooks/actions.ts';
import { usePreferences, useSettings } from '../../state/preferences.ts';
import { useWatchRules, WATCH_RULES_MAX } from '../../state/watch-rules.ts';
import { counted, grouped } from '../../ui/format.ts';
import { toast } from '../../ui/toast.tsx';
import type { BookPage } from './book-page.ts';
import { LADDERS_MAX } from './books/books.ts';
import type { Books } from './books/use-books.ts';
import type { LadderHandle } from './canvas/ladder-handle.ts';
import type { SceneCommand } from './canvas/scene-types.ts';
import { MODE_OPTIONS } from './centring-texts.ts';
import { everyText, VERIFY_INTERVALS, verifyCreditsPerDay } from './journal/use-auto-verify.ts';
import { LOOK, lookActions } from './look.ts';
import { focusIn } from './pane-focus.ts';
import { PANES, type Pane, RADAR_PANE } from './panes.tsx';
import { openWindow, POP_LADDER, popHref } from './pop/windows.ts';
import { radarCredits, useRadarCoins } from './radar/radar-coins.ts';
import {
  DEFAULT_DISTANCE,
  DEFAULT_SWEEP,
  DISTANCES,
  type LadderChoices,
  readSweep,
  TAPE_KINDS,
  writeSweep,
} from './search.ts';
import { TAPE_KIND_TEXTS } from './tape/texts.ts';
import type { Hold } from './time/hold-button.tsx';
import { type TimeTravel, timeActions } from './time/use-time-travel.ts';
import type { Panels } from './use-panels.ts';

interface LadderControls {
  readonly pane: RefObject<LadderHandle | null>;
  readonly hold: Hold;
  readonly tick: DecimalString | undefined;
  readonly ticks: readonly DecimalString[];
  readonly onTick: (tick: DecimalString) => void;
  readonly onMode: (mode: Centring) => void;
  /** Opens the list of coins; undefined in a window of its own. */
  readonly onPick: (() => void) | undefined;
  readonly onDeselect: () => void;
}

interface BookPageControls extends LadderControls {
  readonly books: Books;
  readonly panels: Panels;
  readonly travel: TimeTravel;
  readonly choices: LadderChoices;
  readonly level: LevelRef | undefined;
  /** The coin of a window that is opened, and the choices that it takes over. */
  readonly popped: { readonly coin: string; readonly choices: LadderChoices };
  readonly onChange: (next: LadderChoices) => void;
  readonly onSweep: (sweep: string) => void;
  readonly onAdd: () => void;
  readonly onArrange: () => void;
}

/** Registers everything that the book page can do. */
export function useBookActions(controls: BookPageControls): void {
  const { books, panels, travel, choices, level, popped, onChange, onSweep, onAdd, onArrange } = controls;
  const { pane, onPane } = panels;
  const [look, setLook] = useSettings(LOOK);
  const everyS = usePreferences((state) => state.verifyEveryS);
  const set = usePreferences((state) => state.set);
  const isListFull = useWatchRules((state) => state.rules.length >= WATCH_RULES_MAX);
  const radar = useRadar();
  const isRadarOn = useSyncExternalStore(radar.subscribe, () => radar.view().coins.length > 0);
  const radarCoins = useRadarCoins().coins;
  useTimeActions(travel);
  useLadderActions(controls);
  useActions('Ladders', booksActions(books, onAdd));
  useActions('Order book', [
    ...sweepActions(choices.sweep, level, onSweep),
    ...ownersActions(choices.within, pane, onChange, onPane),
    ...tapeActions(choices, level, pane, onChange, onPane),
    {
      id: 'watch rule',
      label: 'Add a watch rule',
      isEnabled: !isListFull,
      run: () => {
        onPane('watch');
        focusIn('watch');
      },
    },
    isRadarOn
      ? { id: 'radar stop', label: 'Stop the radar', run: () => radar.stop() }
      : {
          id: 'radar start',
          label: `Start the radar of ${counted(radarCoins.length, 'coin')}`,
          hint: costText(radarCredits(radarCoins.length)),
          isEnabled: radarCoins.length > 0,
          run: () => {
            radar.follow(radarCoins);
            onPane(RADAR_PANE);
          },
        },
    ...VERIFY_INTERVALS.filter((seconds) => seconds !== everyS).map((seconds) => ({
      id: `verify ${seconds}`,
      label: `Automatic verification: ${everyText(seconds)}`,
      hint: seconds === 0 ? undefined : `${counted(verifyCreditsPerDay(seconds), 'credit')} a day`,
      run: () => set({ verifyEveryS: seconds }),
    })),
  ]);
  useActions('Panes', panelActions(panels));
  useActions('Order book', lookActions(look, setLook));
  useActions('Workspaces', [
    { id: 'workspaces', label: 'Workspaces: save, open, rename', keys: 'w', run: onArrange },
    ...windowActions(popped.coin, popped.choices),
  ]);
}

const costText = ({ now, perMinute }: { readonly now: number; readonly perMinute: number }) =>
  `${now} credits, then ${perMinute}/min`;

/** Registers time travel, whether its strip is shown or not; undefined where nothing of the book is shown. */
export function useTimeActions(travel: TimeTravel | undefined): void {
  useActions('Time', travel === undefined ? [] : timeActions(travel), 'Time travel');
}

const HOLD_LABELS = {
  Pause: 'Pause the book',
  Play: 'Play the recording',
  Resume: 'Resume the live book',
} satisfies Record<Hold['text'], string>;

/** Registers what one ladder can do. */
export function useLadderActions(controls: LadderControls): void {
  const { pane, hold, tick, ticks, onTick, onMode, onPick, onDeselect } = controls;
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

function booksActions({ ladders, active, actions }: Books, onAdd: () => void): readonly Action[] {
  const next = (active + 1) % ladders.length;
  return [
    {
      id: 'add ladder',
      label: 'Add a ladder beside this one',
      keys: 'a',
      isEnabled: ladders.length < LADDERS_MAX,
      run: onAdd,
    },
    ...ladders
      .filter(({ index }) => index !== active)
      .map(({ coin, index }) => ({
        id: `ladder ${index}`,
        label: `Go to ladder ${index + 1}: ${coin}`,
        ...(index === next ? { keys: 'b' } : {}),
        run: () => actions.activate(index),
      })),
    ...ladders.slice(1).map(({ coin, index }) => ({
      id: `close ladder ${index}`,
      label: `Close ladder ${index + 1}: ${coin}`,
      ...(index === active ? { keys: 'x' } : {}),
      run: () => actions.close(index),
    })),
  ];
}

/** A side of the sweep preview, whose amount can be typed then, or up to the selected row. */
function sweepActions(
  sweep: string | undefined,
  level: LevelRef | undefined,
  onSweep: (sweep: string) => void,
): readonly Action[] {
  const choice = readSweep(sweep) ?? DEFAULT_SWEEP;
  const ofSides = (['buy', 'sell'] as const).map((side) => ({
    id: `sweep ${side}`,
    label: `Sweep preview: ${side}`,
    hint: side === 'buy' ? 'takes asks' : 'takes bids',
    run: () => {
      onSweep(writeSweep({ ...choice, side }));
      focusIn('sweep');
    },
  }));
  if (level === undefined) return ofSides;
  const side = level.side === 'A' ? 'buy' : 'sell';
  const upTo: Action = {
    id: 'sweep level',
    label: `Sweep preview: ${side} ${side === 'buy' ? 'up' : 'down'} to ${grouped(level.px)}`,
    hint: 'the selected level',
    run: () => onSweep(writeSweep({ side, measure: 'to', amount: level.px })),
  };
  return [...ofSides, upTo];
}

/** The owners' distance from the mid; the current one is offered while the pane is closed. */
function ownersActions(
  within: LadderChoices['within'],
  pane: string | undefined,
  change: (next: LadderChoices) => void,
  onPane: (key: string) => void,
): readonly Action[] {
  return DISTANCES.filter((bps) => pane !== 'owners' || bps !== (within ?? DEFAULT_DISTANCE)).map((bps) => ({
    id: `owners ${bps}`,
    label: `Owners within ${bps} bps of the mid`,
    run: () => {
      onPane('owners');
      change({ within: bps === DEFAULT_DISTANCE ? undefined : bps });
    },
  }));
}

const UNFILTERED = {
  kinds: undefined,
  side: undefined,
  here: undefined,
  wallet: undefined,
  least: undefined,
} as const;

/** The tape's filters. Each opens the tape; the current choices are not offered while it is open. */
export function tapeActions(
  { kinds, side, here, wallet, least, tape }: LadderChoices,
  level: LevelRef | undefined,
  pane: string | undefined,
  change: (next: LadderChoices) => void,
  onPane: (key: string) => void,
): readonly Action[] {
  const isOpen = pane === 'tape';
  const only = kinds?.length === 1 ? kinds[0] : undefined;
  const isEvents = tape === 'events' || kinds !== undefined;
  const isFiltered = [kinds, side, here, wallet, least].some((choice) => choice !== undefined);
  const filter = (id: string, label: string, next: LadderChoices, isCurrent = false): Action => ({
    id: `tape ${id}`,
    label: `Tape: ${label}`,
    isEnabled: !isOpen || !isCurrent,
    run: () => {
      onPane('tape');
      // What changed between two blocks has the place of the tape.
      change({ ...next, since: undefined });
      if (id === 'filter') focusIn('tape');
    },
  });
  return [
    ...TAPE_KINDS.map((kind) =>
      filter(kind, `only ${TAPE_KIND_TEXTS[kind].toLowerCase()}`, { kinds: [kind] }, kind === only),
    ),
    filter('B', 'only bids', { side: 'B' }, side === 'B'),
    filter('A', 'only asks', { side: 'A' }, side === 'A'),
    ...(level === undefined
      ? []
      : [
          {
            ...filter('here', `only at ${grouped(level.px)}`, { here: '1' }, here === '1'),
            hint: 'the selected level',
          },
        ]),
    filter('filter', 'one wallet, or from a size on', {}),
    filter('prints', 'prints', { ...UNFILTERED, tape: undefined }, !isEvents && !isFiltered),
    filter('all', 'every change', { ...UNFILTERED, tape: 'events' }, isEvents && !isFiltered),
  ];
}

/** What opens and closes around the ladder. */
function panelActions(panels: Panels): readonly Action[] {
  const { pane, strip, time, hasRadarStrip, radar } = panels;
  return [
    ...PANES.map(({ key, name }, at) => ({
      id: `pane ${key}`,
      label: key === RADAR_PANE && hasRadarStrip ? 'Go to the radar strip' : `Show the ${name} pane`,
      // There are nine keys.
      ...(at < 9 ? { keys: String(at + 1) } : {}),
      run: () => panels.onPane(key),
    })),
    {
      id: 'panel',
      label: pane === undefined ? 'Open the panel' : 'Close the panel',
      keys: '0',
      run: pane === undefined ? panels.onReopenPane : panels.onClosePane,
    },
    { id: 'strip', label: `${strip ? 'Hide' : 'Show'} the figures strip`, run: () => panels.onStrip(!strip) },
    { id: 'time', label: `${time ? 'Hide' : 'Show'} the time strip`, run: () => panels.onTime(!time) },
    {
      id: 'radar',
      label: hasRadarStrip
        ? `${radar ? 'Hide' : 'Show'} the radar strip`
        : 'Show the Radar pane; in a wide window, the radar strip',
      keys: 'r',
      isKeyOnly: !hasRadarStrip,
      run: () => (hasRadarStrip ? panels.onRadar(!radar) : panels.onPane(RADAR_PANE)),
    },
  ];
}

/** The ladder or a pane in a separate window, which follows the book itself at its own cost. */
function windowActions(coin: string, choices: LadderChoices): readonly Action[] {
  return [{ key: POP_LADDER, name: 'Ladder' }, ...PANES].map(({ key, name }) => ({
    id: `window ${key}`,
    label: `Open ${name} in a window`,
    hint: costText({
      now: INFO_CREDITS.l4BookSnapshot + TARIFF.l4BookUpdatesPerCoinMinute,
      perMinute: TARIFF.l4BookUpdatesPerCoinMinute,
    }),
    run: () => openWindow(popHref(coin, key, choices)),
  }));
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

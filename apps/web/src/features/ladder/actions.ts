import { TARIFF } from '@l4desk/protocol';
import { useStore } from 'zustand';
import type { LevelRef } from '../../book-worker/position.ts';
import { useRadar } from '../../book-worker/radar/radar.ts';
import { type Action, useActions } from '../../hooks/actions.ts';
import { NARROW, useMedia } from '../../hooks/use-media.ts';
import { usePreferences, useSettings } from '../../state/preferences.ts';
import { useWatchRules, WATCH_RULES_MAX } from '../../state/watch-rules.ts';
import { counted, grouped } from '../../ui/format.ts';
import { BOOK_CREDITS, LADDERS_MAX } from './books/books.ts';
import type { Books } from './books/use-books.ts';
import { everyText, VERIFY_INTERVALS, verifyCreditsPerDay } from './journal/use-auto-verify.ts';
import { useLadderActions, useTimeActions } from './ladder-actions.ts';
import type { ControlledLadder } from './ladder-controls.tsx';
import { LOOK, lookActions } from './look.ts';
import { openPageMenu } from './page-menu.ts';
import { focusIn } from './pane-focus.ts';
import { PANES, RADAR_PANE } from './panes.tsx';
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
import type { TimeTravel } from './time/use-time-travel.ts';
import type { Panels } from './use-panels.ts';

interface BookPageControls {
  readonly ladder: ControlledLadder;
  readonly onDeselect: () => void;
  readonly books: Books;
  readonly panels: Panels;
  readonly travel: TimeTravel;
  readonly choices: LadderChoices;
  readonly level: LevelRef | undefined;
  /** The coin of a window that is opened, and the choices that it takes over. */
  readonly popped: { readonly coin: string; readonly choices: LadderChoices };
  readonly onChange: (next: LadderChoices) => void;
  readonly onSweep: (sweep: string) => void;
}

export function useBookActions(controls: BookPageControls): void {
  const { books, panels, travel, choices, level, popped, onChange, onSweep } = controls;
  const { pane, onPane } = panels;
  const [look, setLook] = useSettings(LOOK);
  const everyS = usePreferences((state) => state.verifyEveryS);
  const set = usePreferences((state) => state.set);
  const isListFull = useWatchRules((state) => state.rules.length >= WATCH_RULES_MAX);
  const radar = useRadar();
  const isRadarOn = useStore(radar.view, ({ coins }) => coins.length > 0);
  const radarCoins = useRadarCoins().coins;
  useTimeActions(travel);
  useLadderActions(controls.ladder, controls.onDeselect, () => openPageMenu('coin'));
  const isNarrow = useMedia(NARROW);
  useActions(
    'Ladders',
    booksActions(books, isNarrow, () => openPageMenu('add')),
  );
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
    {
      id: 'legend',
      label: 'Explain this page',
      keys: '?',
      aliases: 'help legend',
      run: () => openPageMenu('legend'),
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
    { id: 'workspaces', label: 'Workspaces: save, open, rename', keys: 'w', run: () => openPageMenu('workspaces') },
    ...windowActions(popped.coin, popped.choices),
  ]);
}

const costText = ({ now, perMinute }: { readonly now: number; readonly perMinute: number }) =>
  `${now} credits, then ${perMinute}/min`;

/** A narrow page follows only the book of the active ladder, so activating one of another coin has its price. */
export function booksActions(
  { ladders, active, actions }: Pick<Books, 'ladders' | 'active' | 'actions'>,
  isNarrow: boolean,
  onAdd: () => void,
): readonly Action[] {
  const next = (active + 1) % ladders.length;
  const priceOf = (index: number) =>
    isNarrow && ladders[index]?.coin !== ladders[active]?.coin ? { price: BOOK_CREDITS } : {};
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
        ...priceOf(index),
        ...(index === next ? { keys: 'b' } : {}),
        run: () => actions.activate(index),
      })),
    ...ladders.slice(1).map(({ coin, index }) => ({
      id: `close ladder ${index}`,
      label: `Close ladder ${index + 1}: ${coin}`,
      ...(index === active ? { keys: 'x', ...priceOf(0) } : {}),
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

function panelActions(panels: Panels): readonly Action[] {
  const { pane, chart, strip, time, hasRadarStrip, radar } = panels;
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
    {
      id: 'chart',
      label: `${chart ? 'Hide' : 'Show'} the price map above the panes`,
      run: () => panels.onChart(!chart),
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

function windowActions(coin: string, choices: LadderChoices): readonly Action[] {
  return [{ key: POP_LADDER, name: 'Ladder' }, ...PANES].map(({ key, name }) => ({
    id: `window ${key}`,
    label: `Open ${name} in a window`,
    hint: costText({ now: BOOK_CREDITS, perMinute: TARIFF.l4BookUpdatesPerCoinMinute }),
    run: () => openWindow(popHref(coin, key, choices)),
  }));
}

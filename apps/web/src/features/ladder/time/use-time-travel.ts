import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useLive, usePanes } from '../../../book-worker/use-book.ts';
import { type Command, useCommands } from '../../../hooks/commands.ts';
import { type Shortcut, useShortcuts } from '../../../hooks/shortcuts.ts';
import { wholeText } from '../../../ui/format.ts';
import type { LadderChoices } from '../search.ts';
import { Player } from './player.ts';

/** Travelling in the kept minutes. A stable object until something of it changes. */
export interface TimeTravel {
  /** Whether the shown book is held; undefined before there is one. */
  readonly frozen: boolean | undefined;
  readonly isPlaying: boolean;
  /** The block that the shown one is compared with, by height. */
  readonly since: number | undefined;
  readonly onStep: (blocks: number) => void;
  readonly onPlay: () => void;
  readonly onHold: () => void;
  readonly onLive: () => void;
  /** Compares the blocks shown from now on with the shown one, or ends the comparison. */
  readonly onCompare: () => void;
}

export function useTimeTravel(
  { since }: LadderChoices,
  change: (next: LadderChoices) => void,
  onPane: (key: string) => void,
): TimeTravel {
  const live = useLive();
  const player = useMemo(() => new Player(live), [live]);
  useEffect(() => player.open(), [player]);
  const isPlaying = useSyncExternalStore(player.subscribe, player.isPlaying);
  const frozen = usePanes((frame) => frame.frozen);
  return useMemo(
    () => ({
      frozen,
      isPlaying,
      since,
      onStep: (blocks) => live.travel({ kind: 'step', blocks }),
      onPlay: () => player.play(!player.isPlaying()),
      onHold: () => live.pause(true),
      onLive: () => live.pause(false),
      onCompare: () => {
        if (since !== undefined) return change({ since: undefined });
        onPane('tape');
        change({ since: live.book().panes?.height });
      },
    }),
    [live, player, frozen, isPlaying, since, change, onPane],
  );
}

/** The keyboard shortcuts of time travel, whether its strip is shown or not; undefined where nothing of the book is shown. */
export function useTimeShortcuts(travel: TimeTravel | undefined): void {
  const shortcuts = useMemo((): readonly Shortcut[] => {
    if (travel === undefined) return [];
    const { onStep, onPlay, onLive } = travel;
    return [
      { key: ',', text: 'A block back', run: () => onStep(-1) },
      { key: '.', text: 'A block forward', run: () => onStep(1) },
      { key: '<', text: 'Ten blocks back', run: () => onStep(-10) },
      { key: '>', text: 'Ten blocks forward', run: () => onStep(10) },
      { key: 'k', text: 'Play or pause the kept blocks', run: onPlay },
      { key: 'l', text: 'Return to live', run: onLive },
    ];
  }, [travel]);
  useShortcuts('Time', shortcuts);
}

/** Time travel in the palette: what can be done with the shown block. */
export function useTimeCommands(travel: TimeTravel): void {
  const commands = useMemo(() => timeCommands(travel), [travel]);
  useCommands('Time travel', commands);
}

export function timeCommands(travel: TimeTravel): readonly Command[] {
  const { frozen, isPlaying, since, onStep, onPlay, onLive, onCompare } = travel;
  if (frozen === undefined) return [];
  return [
    { id: 'step back', text: 'Go a block back', hint: ',', run: () => onStep(-1) },
    ...(frozen
      ? [
          { id: 'step forward', text: 'Go a block forward', hint: '.', run: () => onStep(1) },
          { id: 'play', text: isPlaying ? 'Stop playing' : 'Play from here', hint: 'K', run: onPlay },
          { id: 'live', text: 'Return to live', hint: 'L', run: onLive },
        ]
      : []),
    {
      id: 'compare',
      text: since === undefined ? 'Compare this block with others' : `Stop comparing with block ${wholeText(since)}`,
      run: onCompare,
    },
    { id: 'ten back', text: 'Go ten blocks back', hint: '<', run: () => onStep(-10) },
    ...(frozen ? [{ id: 'ten forward', text: 'Go ten blocks forward', hint: '>', run: () => onStep(10) }] : []),
  ];
}

import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useLive, usePanes } from '../../../book-worker/use-book.ts';
import { type Command, useCommands } from '../../../hooks/commands.ts';
import { type Shortcut, useShortcuts } from '../../../hooks/shortcuts.ts';
import { wholeText } from '../../../ui/format.ts';
import type { LadderChoices } from '../search.ts';
import { Player } from './player.ts';

/** Travelling in the kept minutes, with its marks in the URL. A stable object until something of it changes. */
export interface TimeTravel {
  /** Whether the shown book is held; undefined before there is one. */
  readonly frozen: boolean | undefined;
  readonly isPlaying: boolean;
  /** The marked blocks, by height. */
  readonly a: number | undefined;
  readonly b: number | undefined;
  /** A is before B, so that what is between them can be played. */
  readonly mayLoop: boolean;
  readonly isLooping: boolean;
  readonly onStep: (blocks: number) => void;
  readonly onPlay: () => void;
  readonly onHold: () => void;
  readonly onLive: () => void;
  /** Marks the shown block, or takes the mark away. */
  readonly onMark: (name: 'a' | 'b') => void;
  /** Plays from A to B over and over, or ends the loop. */
  readonly onLoop: () => void;
  readonly onChanges: () => void;
}

type Marks = Pick<LadderChoices, 'a' | 'b' | 'loop'>;

export function useTimeTravel(
  { a, b, loop }: Marks,
  change: (next: LadderChoices) => void,
  onPane: (key: string) => void,
): TimeTravel {
  const live = useLive();
  const player = useMemo(() => new Player(live), [live]);
  useEffect(() => player.open(), [player]);
  const isPlaying = useSyncExternalStore(player.subscribe, player.isPlaying);
  const frozen = usePanes((frame) => frame.frozen);
  const mayLoop = a !== undefined && b !== undefined && a < b;
  const isLooping = loop === '1';
  useEffect(() => {
    player.setLoop(isLooping && a !== undefined && b !== undefined && a < b ? { from: a, to: b } : undefined);
  }, [player, isLooping, a, b]);
  useLoopUntilLive(frozen, isLooping, change);
  return useMemo(
    () => ({
      frozen,
      isPlaying,
      a,
      b,
      mayLoop,
      isLooping,
      onStep: (blocks) => live.travel({ kind: 'step', blocks }),
      onPlay: () => player.play(!player.isPlaying()),
      onHold: () => live.pause(true),
      onLive: () => live.pause(false),
      onMark: (name) => {
        const marked = { a, b }[name];
        change({ [name]: marked === undefined ? live.book().panes?.height : undefined });
      },
      onLoop: () => {
        change({ loop: isLooping ? undefined : '1' });
        if (isLooping || a === undefined || b === undefined) return;
        // The address may change only after the blocks were played.
        player.setLoop({ from: a, to: b });
        player.playFrom(a);
      },
      onChanges: () => {
        onPane('tape');
        change({ changes: '1' });
      },
    }),
    [live, player, frozen, isPlaying, a, b, mayLoop, isLooping, change, onPane],
  );
}

/** A loop ends when the book returns to live: it would otherwise begin again with the next block that is played. */
function useLoopUntilLive(
  frozen: boolean | undefined,
  isLooping: boolean,
  change: (next: LadderChoices) => void,
): void {
  const wasHeld = useRef(false);
  useEffect(() => {
    // Between a recording that is closed and the live book, nothing is shown.
    if (frozen === undefined) return;
    const isBack = wasHeld.current && !frozen;
    wasHeld.current = frozen;
    if (isBack && isLooping) change({ loop: undefined });
  }, [frozen, isLooping, change]);
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
  const { frozen, isPlaying, a, b, mayLoop, isLooping, onStep, onPlay, onLive, onMark, onLoop, onChanges } = travel;
  if (frozen === undefined) return [];
  const mark = (name: 'a' | 'b', at: number | undefined): Command => {
    const letter = name.toUpperCase();
    const text = at === undefined ? `Mark the shown block as ${letter}` : `Take mark ${letter} away`;
    const hint = at === undefined ? {} : { hint: `block ${wholeText(at)}` };
    return { id: `mark ${name}`, text, ...hint, run: () => onMark(name) };
  };
  return [
    { id: 'step back', text: 'Go a block back', hint: ',', run: () => onStep(-1) },
    ...(frozen
      ? [
          { id: 'step forward', text: 'Go a block forward', hint: '.', run: () => onStep(1) },
          { id: 'play', text: isPlaying ? 'Stop playing' : 'Play from here', hint: 'K', run: onPlay },
          { id: 'live', text: 'Return to live', hint: 'L', run: onLive },
        ]
      : []),
    mark('a', a),
    mark('b', b),
    ...(mayLoop
      ? [{ id: 'loop', text: isLooping ? 'End the loop from A to B' : 'Play from A to B, over and over', run: onLoop }]
      : []),
    ...(a === undefined && b === undefined
      ? []
      : [{ id: 'changes', text: `What changed ${betweenText(a, b)}`, run: onChanges }]),
    { id: 'ten back', text: 'Go ten blocks back', hint: '<', run: () => onStep(-10) },
    ...(frozen ? [{ id: 'ten forward', text: 'Go ten blocks forward', hint: '>', run: () => onStep(10) }] : []),
  ];
}

function betweenText(a: number | undefined, b: number | undefined): string {
  if (a !== undefined && b !== undefined) return 'between A and B';
  return `between ${a === undefined ? 'B' : 'A'} and the shown block`;
}

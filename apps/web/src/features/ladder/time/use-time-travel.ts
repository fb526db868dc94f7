import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { useBook, useLive } from '../../../book-worker/use-book.ts';
import type { Action } from '../../../hooks/actions.ts';
import { useStable } from '../../../hooks/use-stable.ts';
import { wholeText } from '../../../ui/format.ts';
import type { LadderChoices } from '../search.ts';
import { Player } from './player.ts';

export type TimeTravel = ReturnType<typeof useTimeTravel>;

/** Travelling in the kept minutes. A stable object until something of it changes. */
export function useTimeTravel(
  { since }: LadderChoices,
  change: (next: LadderChoices) => void,
  onPane: (key: string) => void,
) {
  const live = useLive();
  const player = useMemo(() => new Player(live), [live]);
  useEffect(() => player.open(), [player]);
  const isPlaying = useStore(player.isPlaying);
  const frozen = useBook(({ shown }) => shown?.frozen);
  const actions = useStable({
    onStep: (blocks: number) => live.travel({ kind: 'step', blocks }),
    onPlay: () => player.play(!isPlaying),
    onHold: () => live.pause(true),
    onLive: () => live.pause(false),
    /** Compares the blocks shown from now on with the shown one, or ends the comparison. */
    onCompare: () => {
      if (since !== undefined) return change({ since: undefined });
      onPane('tape');
      change({ since: live.book().shown?.height });
    },
  });
  return useMemo(() => ({ frozen, isPlaying, since, ...actions }), [frozen, isPlaying, since, actions]);
}

export function timeActions(travel: TimeTravel): readonly Action[] {
  const { frozen, isPlaying, since, onStep, onPlay, onLive, onCompare } = travel;
  const isShown = frozen !== undefined;
  const isHeld = frozen === true;
  return [
    { id: 'step back', label: 'Go a block back', keys: ',', isEnabled: isShown, run: () => onStep(-1) },
    { id: 'step forward', label: 'Go a block forward', keys: '.', isEnabled: isHeld, run: () => onStep(1) },
    { id: 'play', label: isPlaying ? 'Stop playing' : 'Play from here', keys: 'k', isEnabled: isHeld, run: onPlay },
    { id: 'live', label: 'Return to live', keys: 'l', isEnabled: isHeld, run: onLive },
    {
      id: 'compare',
      label: since === undefined ? 'Compare this block with others' : `Stop comparing with block ${wholeText(since)}`,
      isEnabled: isShown,
      run: onCompare,
    },
    { id: 'ten back', label: 'Go ten blocks back', keys: '<', isEnabled: isShown, run: () => onStep(-10) },
    { id: 'ten forward', label: 'Go ten blocks forward', keys: '>', isEnabled: isHeld, run: () => onStep(10) },
  ];
}

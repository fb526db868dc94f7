import { useEffect, useState } from 'react';
import { useLive } from '../../../book-worker/live-context.tsx';
import { usePanes } from '../../../book-worker/use-panes.ts';

/** Approximate interval of live blocks: 15 a second. */
const BLOCK_MS = 67;

export interface Player {
  readonly isPlaying: boolean;
  readonly onPlay: (isPlaying: boolean) => void;
}

/**
 * Plays the kept blocks one by one from the shown one, until live again; with a loop, from its first block to its last and over
 * again. A recording ends at `end`. Loop "play": the next step is sent once the last one is drawn; ends with the pause.
 */
export function usePlayer(
  loop: { readonly from: number; readonly to: number } | undefined,
  end: number | undefined,
): Player {
  const live = useLive();
  const [wanted, setWanted] = useState(false);
  // While nothing plays, incoming blocks cause no renders. The frame counts, not its height: behind a gap that can be the same.
  const frame = usePanes((drawn) => (wanted ? drawn : undefined));
  const frozen = usePanes((frame) => frame.frozen) ?? false;
  const isPlaying = wanted && frozen;
  const isAtEnd = end !== undefined && frame !== undefined && frame.height >= end && loop === undefined;
  if (wanted && (!frozen || isAtEnd)) setWanted(false);
  const from = loop?.from;
  const to = loop?.to;
  useEffect(() => {
    if (!isPlaying || frame === undefined) return undefined;
    const timer = setTimeout(() => {
      if (from !== undefined && to !== undefined && frame.height >= to) live.travel({ kind: 'height', height: from });
      else live.travel({ kind: 'step', blocks: 1 });
    }, BLOCK_MS);
    return () => clearTimeout(timer);
  }, [live, isPlaying, frame, from, to]);
  return { isPlaying, onPlay: setWanted };
}

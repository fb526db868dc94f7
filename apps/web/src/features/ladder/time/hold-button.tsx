import { Pause, Play } from 'lucide-react';
import { useMemo } from 'react';
import { useBook, useLive } from '../../../book-worker/use-book.ts';
import { useWithKey } from '../../../hooks/actions.ts';
import { Button } from '../../../ui/button.tsx';

/** What P and the button of the title line do. A stable object until something of it changes. */
export interface Hold {
  readonly text: 'Pause' | 'Play' | 'Resume';
  readonly title: string;
  readonly isHeld: boolean;
  readonly run: () => void;
}

interface Shown {
  readonly paused: boolean;
  readonly playing: boolean;
}

/**
 * Holds a book that moves, and lets a held one move again: a live book returns to live, a recording is played. It never closes a
 * recording. `onPlay` plays, or stops playing.
 */
export function useHold({ paused, playing }: Shown, onPlay: () => void): Hold {
  const live = useLive();
  const isRecorded = useBook(({ status }) => status?.recorded !== undefined);
  return useMemo(() => {
    if (playing) return { text: 'Pause', title: 'Stop playing at this block', isHeld: false, run: onPlay };
    if (isRecorded) return { text: 'Play', title: 'Play the recording from this block', isHeld: true, run: onPlay };
    if (paused) return { text: 'Resume', title: 'Return to the live book', isHeld: true, run: () => live.pause(false) };
    return { text: 'Pause', title: 'Pause the book at this block', isHeld: false, run: () => live.pause(true) };
  }, [live, isRecorded, paused, playing, onPlay]);
}

interface HoldButtonProps {
  readonly hold: Hold;
  readonly isSmall?: boolean;
}

/** Holds the shown book, or lets it move again. Its name says what it does next, so it is not a button that stays pressed. */
export function HoldButton({ hold, isSmall = false }: HoldButtonProps) {
  const withKey = useWithKey();
  return (
    <Button
      icon={hold.isHeld ? Play : Pause}
      data-on={hold.isHeld || undefined}
      title={withKey(hold.title, 'pause')}
      onClick={hold.run}
    >
      <span className={isSmall ? 'sr-only' : 'max-lg:sr-only'}>{hold.text}</span>
    </Button>
  );
}

import { useEffect, useRef, useState } from 'react';
import { Live } from '../../../book-worker/live.ts';
import { useLive } from '../../../book-worker/use-book.ts';
import { startWorker } from '../../../book-worker/worker-port.ts';

/**
 * One worker per coin, besides the page's: kept while the coin stays, and ended when it goes or the page is left. The coins are
 * those that the page's own worker does not follow.
 */
export function useExtraLives(coins: readonly string[]): ReadonlyMap<string, Live> {
  const { source } = useLive();
  const key = coins.join();
  const [kept, setKept] = useState<{ readonly key: string; readonly lives: ReadonlyMap<string, Live> }>({
    key: '',
    lives: new Map(),
  });
  let { lives } = kept;
  if (kept.key !== key) {
    lives = new Map(coins.map((coin) => [coin, kept.lives.get(coin) ?? new Live(startWorker, source)]));
    setKept({ key, lives });
  }
  const open = useRef(new Set<Live>());
  useEffect(() => {
    const wanted = new Set(lives.values());
    for (const live of [...open.current].filter((known) => !wanted.has(known))) {
      live.close();
      open.current.delete(live);
    }
    for (const live of [...wanted].filter((known) => !open.current.has(known))) {
      live.open();
      open.current.add(live);
    }
  }, [lives]);
  useEffect(() => {
    const opened = open.current;
    return () => {
      for (const live of opened) live.close();
      opened.clear();
    };
  }, []);
  return lives;
}

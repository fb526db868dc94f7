import type { Address } from '@l4desk/protocol';
import { useEffect } from 'react';
import { useLive } from '../../book-worker/use-book.ts';

/** Shows only this wallet's orders in the ladders while the caller is mounted; undefined shows everybody's. */
export function useShownAlone(only: Address | undefined): void {
  const live = useLive();
  useEffect(() => {
    live.showOnly(only);
    return () => live.showOnly(undefined);
  }, [live, only]);
}

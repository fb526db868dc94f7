import type { Address } from '@l4desk/protocol';
import { useEffect } from 'react';
import { useLive } from '../../book-worker/live-context.tsx';

/** The ladders show this wallet's orders alone, while the caller is mounted; undefined: everybody's. */
export function useShownAlone(only: Address | undefined): void {
  const live = useLive();
  useEffect(() => {
    live.showOnly(only);
    return () => live.showOnly(undefined);
  }, [live, only]);
}

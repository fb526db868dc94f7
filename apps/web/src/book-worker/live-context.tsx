import { useCallback, useSyncExternalStore } from 'react';
import { requiredContext } from '../hooks/required-context.ts';
import { ticker } from '../state/ticker.ts';
import type { Live } from './live.ts';
import type { LiveStatus } from './messages.ts';

/** The page's one `Live`; the same instance for the provider's lifetime. */
export const [LiveProvider, useLive] = requiredContext<Live>('The live book');

/** The status of the followed coin, updated a few times a second. For components that show most of it. */
export function useLiveStatus(): LiveStatus | undefined {
  const live = useLive();
  return useSyncExternalStore(live.subscribe, live.status);
}

/** One primitive value of the status; the component renders only when it changes. */
export function useLiveValue<T extends string | number | boolean | undefined>(
  select: (status: LiveStatus | undefined) => T,
): T {
  const live = useLive();
  return useSyncExternalStore(live.subscribe, () => select(live.status()));
}

/** One primitive value that also depends on the page's clock (`now`); the component renders only when it changes. */
export function useLiveMoment<T extends string | number | boolean | undefined>(
  read: (live: Live, now: number) => T,
): T {
  const live = useLive();
  const subscribe = useCallback(
    (changed: () => void) => {
      const ending = [live.subscribe(changed), ticker.subscribe(changed)];
      return () => {
        for (const end of ending) end();
      };
    },
    [live],
  );
  return useSyncExternalStore(subscribe, () => read(live, ticker.get()));
}

const NO_TICKS: LiveStatus['ticks'] = [];

/** The ticks by which the book can be grouped, finest first. */
export function useLiveTicks(): LiveStatus['ticks'] {
  const live = useLive();
  return useSyncExternalStore(live.subscribe, () => live.status()?.ticks ?? NO_TICKS);
}

/** Why the book cannot be shown (`Live.failure`). */
export function useLiveFailure(): string | undefined {
  const live = useLive();
  return useSyncExternalStore(live.subscribe, live.failure);
}

import { useCallback, useSyncExternalStore } from 'react';
import { ticker, useNow } from '../../hooks/use-now.ts';
import { type Integrity, type IntegrityKind, integrityOf } from '../../live/integrity.ts';
import type { Live } from '../../live/live.ts';
import { useLive, useLiveFailure, useLiveStatus } from '../../live/live-context.tsx';

/** What the shown numbers are worth now, with a reason and an age; it changes by itself when one of its clocks runs out. */
export function useIntegrity(): Integrity {
  const live = useLive();
  useLiveStatus();
  useLiveFailure();
  useNow();
  return integrityNow(live);
}

/** The kind alone: the component renders only when it changes. */
export function useIntegrityKind(): IntegrityKind {
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
  return useSyncExternalStore(subscribe, () => integrityNow(live).kind);
}

function integrityNow(live: Live): Integrity {
  const failure = live.failure();
  if (failure !== undefined) return { kind: 'stopped', reason: `a fault of the page: ${failure}`, since: undefined };
  const status = live.status();
  // A status can be newer than the half-second tick.
  return integrityOf(status, Math.max(ticker.get(), status?.lastMessageAt ?? 0));
}

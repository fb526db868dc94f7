import { useNow } from '../hooks/use-now.ts';
import { ticker } from '../state/ticker.ts';
import { type Integrity, integrityOf, stopped } from './integrity.ts';
import type { Live } from './live.ts';
import { useLive, useLiveFailure, useLiveMoment, useLiveStatus } from './live-context.tsx';
import type { LiveStatus } from './messages.ts';

/** What the shown numbers are worth now, with a reason and an age; it changes by itself when one of its clocks runs out. */
export function useIntegrity(): Integrity {
  const live = useLive();
  useLiveStatus();
  useLiveFailure();
  useNow();
  return integrityNow(live);
}

/** Whether the shown numbers may be trusted to the last digit. */
export function useIsLive(): boolean {
  return useStanding(({ integrity }) => integrity.state === 'live');
}

/** Everything that says how the shown book stands. */
export interface Standing {
  readonly integrity: Integrity;
  readonly status: LiveStatus | undefined;
  readonly now: number;
}

/** One plain value of how the book stands, by the page's clock too; the component renders only when it changes. */
export function useStanding<T extends string | number | boolean | undefined>(read: (standing: Standing) => T): T {
  return useLiveMoment((live) => read(standingNow(live)));
}

/** How the book stands at this moment. */
export function standingNow(live: Live): Standing {
  return { integrity: integrityNow(live), status: live.status(), now: ticker.get() };
}

function integrityNow(live: Live): Integrity {
  const failure = live.failure();
  const status = live.status();
  if (failure !== undefined) return stopped(status, `a fault of the page: ${failure}`, undefined, ticker.get());
  // A status can be newer than the half-second tick.
  return integrityOf(status, Math.max(ticker.get(), status?.lastMessageAt ?? 0));
}

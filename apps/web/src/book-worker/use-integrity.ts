import { useNow } from '../hooks/use-now.ts';
import { ticker } from '../state/ticker.ts';
import { type Integrity, type IntegrityKind, integrityOf } from './integrity.ts';
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

/** The kind alone: the component renders only when it changes. */
export function useIntegrityKind(): IntegrityKind {
  return useStanding(({ integrity }) => integrity.kind);
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
  if (failure !== undefined) return { kind: 'stopped', reason: `a fault of the page: ${failure}`, since: undefined };
  const status = live.status();
  // A status can be newer than the half-second tick.
  return integrityOf(status, Math.max(ticker.get(), status?.lastMessageAt ?? 0));
}

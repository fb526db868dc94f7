import type { Log } from '@l4desk/runtime';
import type { SpoolHealth } from './spooling-ledger.ts';

/** How often the state of the spool is read for the log. */
const LOOK_MS = 1_000;

interface SpoolLogDeps {
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** How long charges are spooled, in ms. Then calls are refused. */
  readonly spoolMs: number;
}

/**
 * Returns a function that takes the present state of the spool about once a second, and logs that PostgreSQL is away, that
 * calls are refused because it is away for too long, and that it is back.
 */
export function spoolLog({ log, spoolMs }: SpoolLogDeps): (health: SpoolHealth) => void {
  let state: 'here' | 'spooling' | 'refusing' = 'here';
  let awayMs = 0;
  /** Batches that were replayed when PostgreSQL was last here. */
  let replayedBefore = 0;
  return ({ lostForMs, problem, replayed }) => {
    if (lostForMs === null) {
      // Also after an outage between two looks, if it had charges.
      if (state !== 'here' || replayed > replayedBefore)
        log.info({ awayMs, batches: replayed - replayedBefore }, 'PostgreSQL is back');
      state = 'here';
      awayMs = 0;
      replayedBefore = replayed;
      return;
    }
    // At a start with charges left in the spool, nothing is known yet.
    if (problem === null && state === 'here') return;
    awayMs = Math.round(lostForMs);
    const before = state;
    state = lostForMs < spoolMs ? 'spooling' : 'refusing';
    if (state === before) return;
    if (state === 'spooling') log.warn({ awayMs, problem }, 'PostgreSQL is away, charges are spooled');
    else log.error({ awayMs, problem }, 'PostgreSQL is away, calls are refused');
  };
}

/** Logs when PostgreSQL goes away and comes back, until the returned function is called. */
export function logOutages(spool: () => Promise<SpoolHealth>, deps: SpoolLogDeps): () => void {
  const look = spoolLog(deps);
  // It rejects only once the thread of the ledger has ended, which ends the service.
  const interval = setInterval(() => void spool().then(look, () => {}), LOOK_MS).unref();
  return () => clearInterval(interval);
}

import type { Log } from '@l4desk/runtime';
import type { SpoolHealth } from './spooling-ledger.ts';

/** How often the state of the spool is read for the log. */
const LOOK_MS = 1_000;

interface SpoolLogDeps {
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** How long charges are spooled, in ms. Then calls are refused. */
  readonly spoolMs: number;
}

/** Logs that PostgreSQL is away, that calls are refused because it is away for too long, and that it is back. */
export class SpoolLog {
  readonly #deps: SpoolLogDeps;
  #state: 'here' | 'spooling' | 'refusing' = 'here';
  #awayMs = 0;
  /** Batches that were replayed when PostgreSQL was last here. */
  #replayed = 0;

  constructor(deps: SpoolLogDeps) {
    this.#deps = deps;
  }

  /** Takes the present state of the spool; call it about once a second. */
  look({ lostForMs, problem, replayed }: SpoolHealth): void {
    const { log, spoolMs } = this.#deps;
    if (lostForMs === null) {
      // Also after an outage between two looks, if it had charges.
      if (this.#state !== 'here' || replayed > this.#replayed)
        log.info({ awayMs: this.#awayMs, batches: replayed - this.#replayed }, 'PostgreSQL is back');
      this.#state = 'here';
      this.#awayMs = 0;
      this.#replayed = replayed;
      return;
    }
    // At a start with charges left in the spool, nothing is known yet.
    if (problem === null && this.#state === 'here') return;
    this.#awayMs = Math.round(lostForMs);
    const state = lostForMs < spoolMs ? 'spooling' : 'refusing';
    if (state === this.#state) return;
    this.#state = state;
    const details = { awayMs: this.#awayMs, problem };
    if (state === 'spooling') log.warn(details, 'PostgreSQL is away, charges are spooled');
    else log.error(details, 'PostgreSQL is away, calls are refused');
  }
}

/** Logs when PostgreSQL goes away and comes back, until the returned function is called. */
export function logOutages(spool: () => Promise<SpoolHealth>, deps: SpoolLogDeps): () => void {
  const log = new SpoolLog(deps);
  const look = async () => log.look(await spool());
  // It rejects only once the thread of the ledger has ended, which ends the service.
  const interval = setInterval(() => void look().catch(() => {}), LOOK_MS).unref();
  return () => clearInterval(interval);
}

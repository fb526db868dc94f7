/** Charges that survive an outage of PostgreSQL. It does not load the NATS client. */
import { type DatabaseError, startDatabaseThread } from '@l4desk/ledger';
import type { SpoolingLedger } from './spooling-ledger.ts';

export { logOutages } from './spool-log.ts';
export type { SpoolHealth } from './spooling-ledger.ts';

/** The database, the folder of the spool, and how long charges go there from the moment the database was lost, in ms. */
export interface SpoolSettings {
  /** URL of a PostgreSQL database. */
  readonly place: string;
  readonly directory: string;
  readonly spoolMs: number;
}

/** Opens the ledger's table in a thread of its own; see `openDatabaseThread`. `workerUrl` is the bundled `./spool-worker`. */
export function openSpoolingLedger(
  workerUrl: URL,
  settings: SpoolSettings,
  onLost: (error: DatabaseError) => void,
): Promise<Pick<SpoolingLedger, 'commit' | 'monthUsage' | 'ping' | 'spool' | 'close'>> {
  return startDatabaseThread('ledger', workerUrl, settings, onLost);
}

import type { Kysely } from 'kysely';
import { openEmbedded } from './libsql.ts';
import { isPostgresUrl, openPostgres } from './postgres.ts';
import type { Tables } from './tables.ts';

/** How long a statement waits for what another process holds, in ms. */
const LOCK_WAIT_MS = 5000;

/**
 * Opens the database at a place and brings its schema up to date: the URL of a PostgreSQL database, or a directory of the
 * embedded one, which is made if it is missing. `lockWaitMs` is how long a statement waits for what another process holds.
 * Rejects with DatabaseError. `destroy()` closes it.
 */
export function openDatabase(place: string, lockWaitMs = LOCK_WAIT_MS): Promise<Kysely<Tables>> {
  return isPostgresUrl(place) ? openPostgres(place, lockWaitMs) : openEmbedded(place, lockWaitMs);
}

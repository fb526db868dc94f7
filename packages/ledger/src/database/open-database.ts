import type { Kysely } from 'kysely';
import { openEmbedded } from './libsql.ts';
import type { Opened } from './migrate.ts';
import type { Tables } from './tables.ts';

/** How long a statement waits for a lock of another process, in ms. */
export const LOCK_WAIT_MS = 5000;

export interface OpenOptions {
  /** How long a statement waits for a lock of another process, in ms. */
  readonly lockWaitMs?: number;
  /** Called with the names of the migrations that were missing, in order. */
  readonly onMigrated?: (names: readonly string[]) => void;
}

/** Opens and migrates the database at a place: a PostgreSQL URL or a directory. Rejects with DatabaseError. */
export async function openDatabase(
  place: string,
  { lockWaitMs = LOCK_WAIT_MS, onMigrated }: OpenOptions = {},
): Promise<Kysely<Tables>> {
  const opened = await open(place, lockWaitMs);
  onMigrated?.(opened.applied);
  return opened.db;
}

async function open(place: string, lockWaitMs: number): Promise<Opened> {
  if (!isPostgresUrl(place)) return openEmbedded(place, lockWaitMs);
  // The driver is loaded only if needed.
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(place, lockWaitMs);
}

/** Whether a place is the URL of a PostgreSQL database rather than a directory. */
export function isPostgresUrl(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place);
}

import { DatabaseError } from './database-error.ts';

/**
 * How long the database may take to respond to a query that only reads. Longer than the time in which the database itself gives up
 * (connecting, waiting for a lock, the statement), so this applies to one that hangs, for example with its disk.
 */
const RESPONSE_MS_MAX = 10_000;

/**
 * Rejects with DatabaseError if the database does not respond within `msMax`. The query goes on: callers make sure that those who
 * gave up do not pile up queries. Only for reads: what became of a write would not be known.
 */
export function inTime<T>(response: Promise<T>, msMax = RESPONSE_MS_MAX): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new DatabaseError('unreachable', `The database did not respond within ${msMax / 1000} s.`)),
      msMax,
    );
    response.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from './app.ts';
import type { Settings } from './config/settings.ts';
import { createContext, type Replaced, type ServiceDeps } from './context.ts';
import { startHttpServer } from './http/server.ts';

/** A service that listens. */
export type Service = Awaited<ReturnType<typeof startService>>;

const SWEEP_MS = 3_600_000;

/** Connections closed because of the maximum are logged at most this often, in ms. */
const DROP_LOGS_MS = 60_000;

/** Starts the service on `HOST` and `PORT`, with the parts it needs. */
export async function startService(settings: Settings, deps: ServiceDeps, replaced: Replaced = {}) {
  const http = await startHttpServer(settings.HOST, settings.PORT, replaced.httpLimits);
  const context = createContext(settings, deps, http, replaced);
  http.serve(createApp(context));
  const { store, log, now, elapsed, stream, universe, metrics } = context;

  let dropped = 0;
  let loggedAt = -DROP_LOGS_MS;
  http.onDrop(() => {
    dropped += 1;
    if (elapsed() - loggedAt < DROP_LOGS_MS) return;
    log.warn({ dropped }, 'too many connections: further ones are closed at once');
    dropped = 0;
    loggedAt = elapsed();
  });

  const sweep = setInterval(() => {
    store.deleteExpired(now()).catch((error: unknown) => log.warn({ err: error }, 'expired sessions not deleted'));
  }, SWEEP_MS).unref();
  return {
    url: context.origins.primary,
    port: http.port,
    readiness: context.readiness,
    /** Stops accepting, finishes calls, closes streams with 1001. Destroys what is still open after `graceMs`. */
    async close(graceMs: number): Promise<void> {
      clearInterval(sweep);
      const graceOver = sleep(graceMs, undefined, { ref: false });
      const closed = http.close(graceMs);
      await stream.close();
      await closed;
      // Calls already sent upstream are finished and charged even if the client has disconnected (BILL-24).
      await Promise.race([context.queries.settled(), graceOver]);
      await universe[Symbol.asyncDispose]();
      metrics.close();
    },
  };
}

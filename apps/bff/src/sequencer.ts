import type { FeedHealth } from '@l4desk/feed';
import { ApiError } from '@l4desk/protocol';
import express from 'express';
import { createSequencerMetrics } from './admin/metrics.ts';
import { readSequencerReadiness } from './admin/readiness.ts';
import { adminRouter } from './admin/router.ts';
import type { Settings } from './config/settings.ts';
import { errorHandler } from './http/errors.ts';
import { startHttpServer } from './http/server.ts';

/** Serves `/healthz`, `/readyz` and `/metrics` in a process with `ROLE=sequencer`, which serves no clients. */
export async function startSequencerService(
  settings: Pick<Settings, 'HOST' | 'PORT' | 'METRICS_KEY'>,
  health: () => FeedHealth,
) {
  const { HOST, PORT } = settings;
  const http = await startHttpServer(HOST, PORT);
  const readiness = () => Promise.resolve(readSequencerReadiness(health(), http.isClosing()));
  const metrics = createSequencerMetrics(health);
  const app = express().disable('x-powered-by');
  app.use(adminRouter({ settings, readiness, metrics }));
  app.use(() => {
    throw new ApiError('not_found', 'A sequencer serves no clients: ask a gateway.');
  }, errorHandler);
  http.serve(app);
  return {
    url: `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${http.port}`,
    readiness,
    async close() {
      await http.close(0);
      metrics.close();
    },
  };
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { FeedHealth } from '@l4desk/feed';
import { ApiError, type SequencerReadiness } from '@l4desk/protocol';
import { createSequencerMetrics } from './admin/metrics.ts';
import { readSequencerReadiness } from './admin/readiness.ts';
import { opsRoutes } from './admin/routes.ts';
import type { Settings } from './config/settings.ts';
import { sendError, toApiError } from './http/errors.ts';
import { listen } from './http/listen.ts';
import { requestPath } from './http/respond.ts';

/** The HTTP endpoints of a sequencer. They are for machines only: it serves no clients. */
export interface SequencerService {
  listen(): Promise<{ readonly url: string; readonly port: number }>;
  readonly readiness: () => Promise<SequencerReadiness>;
  close(): Promise<void>;
}

/** Serves `/healthz`, `/readyz` and `/metrics` in a process with `ROLE=sequencer`. */
export function createSequencerService(
  { HOST, PORT, METRICS_KEY }: Pick<Settings, 'HOST' | 'PORT' | 'METRICS_KEY'>,
  health: () => FeedHealth,
): SequencerService {
  let isClosing = false;
  const readiness = () => Promise.resolve(readSequencerReadiness(health(), isClosing));
  const metrics = createSequencerMetrics(health);
  const ops = opsRoutes({ readiness, metrics, metricsKey: METRICS_KEY });
  const routes = new Map([
    ['/healthz', ops.healthz],
    ['/readyz', ops.readyz],
    ['/metrics', ops.metrics],
  ]);
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const route = routes.get(requestPath(request));
      if (route === undefined) throw new ApiError('not_found', 'A sequencer serves no clients: ask a gateway.');
      await route(request, response);
    } catch (error) {
      sendError(response, toApiError(error));
    }
  };
  const server = createServer((request, response) => void serve(request, response));
  return {
    async listen() {
      const port = await listen(server, HOST, PORT);
      return { url: `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`, port };
    },
    readiness,
    async close() {
      isClosing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      metrics.close();
    },
  };
}

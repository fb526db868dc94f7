import type { IncomingMessage } from 'node:http';
import { equalHashes, sha256 } from '@l4desk/ledger';
import { ApiError, type Readiness } from '@l4desk/protocol';
import { Router } from 'express';
import { isLoopback, type Settings } from '../config/settings.ts';
import { unauthorized } from '../http/auth/credential-check.ts';
import { methodNotAllowed } from '../http/errors.ts';
import { sendJson } from '../http/respond.ts';
import type { Metrics } from './metrics.ts';

export interface AdminDeps {
  readonly settings: Pick<Settings, 'METRICS_KEY'>;
  readonly readiness: () => Promise<Pick<Readiness, 'status'>>;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
}

/** Endpoints for machines: liveness, readiness and metrics. */
export function adminRouter({ settings, readiness, metrics }: AdminDeps): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router
    .route('/healthz')
    .get((_request, response) => sendJson(response, 200, { status: 'up' }))
    .all(methodNotAllowed('GET, HEAD'));
  router
    .route('/readyz')
    .get(async (_request, response) => {
      const state = await readiness();
      sendJson(response, state.status === 'ready' ? 200 : 503, state);
    })
    .all(methodNotAllowed('GET, HEAD'));
  router
    .route('/metrics')
    .get(async (request, response) => {
      const refusal = metricsRefusal(request, settings.METRICS_KEY);
      if (refusal !== undefined) throw refusal;
      const text = await metrics.text();
      response.set({ 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }).end(text);
    })
    .all(methodNotAllowed('GET, HEAD'));
  return router;
}

/** Metrics reveal much about users: they require METRICS_KEY or, without one, a direct request from this machine. */
function metricsRefusal(request: IncomingMessage, metricsKey: string | undefined): ApiError | undefined {
  if (metricsKey !== undefined) {
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (equalHashes(sha256(given), sha256(metricsKey))) return undefined;
    return unauthorized('The metrics need Authorization: Bearer <METRICS_KEY>.');
  }
  const { remoteAddress = '' } = request.socket;
  const isFromHere =
    isLoopback(remoteAddress.replace(/^::ffff:/, '')) && isLoopback(hostName(request.headers.host ?? ''));
  const isForwarded = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some(
    (name) => request.headers[name] !== undefined,
  );
  if (isFromHere && !isForwarded) return undefined;
  return new ApiError('forbidden_origin', 'Without METRICS_KEY the metrics are available on this machine only.');
}

function hostName(host: string): string {
  return host.replace(/:\d+$/, '');
}

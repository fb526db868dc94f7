import type { IncomingMessage, ServerResponse } from 'node:http';
import { equalHashes, sha256 } from '@l4desk/ledger';
import { ApiError, type Readiness } from '@l4desk/protocol';
import { isLoopback } from '../config/settings.ts';
import { unauthorized } from '../http/auth/credential-check.ts';
import { methodNotAllowed } from '../http/errors.ts';
import { sendJson } from '../http/respond.ts';
import type { Metrics } from './metrics.ts';

export interface OpsRoutesDeps {
  readonly readiness: () => Promise<Pick<Readiness, 'status'>>;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  readonly metricsKey: string | undefined;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Endpoints for machines: liveness, readiness and metrics. Handlers throw ApiError. */
export function opsRoutes({
  readiness,
  metrics,
  metricsKey,
}: OpsRoutesDeps): Readonly<Record<'healthz' | 'readyz' | 'metrics', Handler>> {
  const readOnly = (request: IncomingMessage) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
  };
  return {
    async healthz(request, response) {
      readOnly(request);
      sendJson(response, 200, { status: 'up' });
    },

    async readyz(request, response) {
      readOnly(request);
      const state = await readiness();
      sendJson(response, state.status === 'ready' ? 200 : 503, state);
    },

    async metrics(request, response) {
      readOnly(request);
      const refusal = metricsRefusal(request, metricsKey);
      if (refusal !== undefined) throw refusal;
      const text = await metrics.text();
      response.statusCode = 200;
      response.setHeader('Content-Type', metrics.contentType);
      response.setHeader('Cache-Control', 'no-store');
      response.end(request.method === 'HEAD' ? undefined : text);
    },
  };
}

/**
 * Metrics reveal much about a service's users. If METRICS_KEY is set, they require it. Otherwise they are available only
 * to this machine, which excludes requests through a proxy or with another site's host name.
 */
function metricsRefusal(request: IncomingMessage, metricsKey: string | undefined): ApiError | undefined {
  if (metricsKey !== undefined) {
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (equalHashes(sha256(given), sha256(metricsKey))) return undefined;
    return unauthorized('The metrics need Authorization: Bearer <METRICS_KEY>.');
  }
  const { remoteAddress = '' } = request.socket;
  const isHere = isLoopback(remoteAddress.replace(/^::ffff:/, '')) && isLoopback(hostName(request.headers.host ?? ''));
  const isForwarded = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some(
    (name) => request.headers[name] !== undefined,
  );
  if (isHere && !isForwarded) return undefined;
  return new ApiError('forbidden_origin', 'Without METRICS_KEY the metrics are available on this machine only.');
}

function hostName(host: string): string {
  return host.replace(/:\d+$/, '');
}

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ApiError } from '@l4desk/protocol';
import express, { type ErrorRequestHandler } from 'express';
import helmet from 'helmet';
import { REFERENCE_PATHS, type referenceRoutes } from './admin/reference/routes.ts';
import type { opsRoutes } from './admin/routes.ts';
import { methodNotAllowed, toApiError } from './http/errors.ts';
import { refuse } from './http/request-log.ts';
import type { dashboardHandler } from './pages/dashboard.ts';
import { RECORDINGS_PATH, type recordingRoutes } from './session/recordings.ts';
import type { sessionRoutes } from './session/routes.ts';
import { USAGE_PATH, type usageRoutes } from './usage/routes.ts';

interface AppParts {
  readonly session: ReturnType<typeof sessionRoutes>;
  readonly recordings: ReturnType<typeof recordingRoutes>;
  readonly usage: ReturnType<typeof usageRoutes>;
  readonly ops: ReturnType<typeof opsRoutes>;
  readonly reference: ReturnType<typeof referenceRoutes>;
  readonly dashboard: ReturnType<typeof dashboardHandler>;
  readonly isHttps: () => boolean;
}

/** Builds the Express app, which serves every path except `/info` and the stream. */
export function createApp({
  session,
  recordings,
  usage,
  ops,
  reference,
  dashboard,
  isHttps,
}: AppParts): RequestListener {
  const app = express();
  app.set('strict routing', true);
  app.set('case sensitive routing', true);
  app.disable('x-powered-by');
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'"],
          fontSrc: ["'self'"],
          imgSrc: ["'self'", 'data:'],
          // Older browsers do not treat a WebSocket to the same host as 'self'.
          connectSrc: ["'self'", (request) => `${isHttps() ? 'wss' : 'ws'}://${cspHost(request)}`],
          workerSrc: ["'self'"],
          manifestSrc: ["'self'"],
          baseUri: ["'none'"],
          formAction: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
      referrerPolicy: { policy: 'no-referrer' },
      strictTransportSecurity: false,
    }),
  );
  app.use((_request, response, next) => {
    if (isHttps()) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    next();
  });
  app.all('/session', session.session);
  app.all('/session/coins', session.coins);
  app.all('/session/wallets', session.wallets);
  app.all(RECORDINGS_PATH, recordings.list);
  app.all(`${RECORDINGS_PATH}/:name`, recordings.download);
  app.all(USAGE_PATH, usage.usage);
  app.all(USAGE_PATH.slice(0, -1), usage.withoutSlash);
  app.all('/healthz', ops.healthz);
  app.all('/readyz', ops.readyz);
  app.all('/metrics', ops.metrics);
  for (const path of REFERENCE_PATHS) app.all(path, reference);
  app.all('/ws', refusePlainStream);
  app.use(dashboard);
  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    if (!response.destroyed) refuse(response, toApiError(error));
  };
  app.use(onError);
  // Express routes no request whose target it cannot parse. Without a last handler it sends a page of its own.
  const route = app as unknown as (request: IncomingMessage, response: ServerResponse, unrouted: () => void) => void;
  return (request, response) =>
    route(request, response, () => refuse(response, new ApiError('invalid_request', 'Malformed request target.')));
}

/** Refuses a plain request to the stream's path (WS-34). WebSocket upgrades never reach this handler. */
function refusePlainStream({ method }: IncomingMessage, { shouldKeepAlive }: ServerResponse): never {
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed('GET');
  throw new ApiError('upgrade_required', {
    headers: { Upgrade: 'websocket', Connection: shouldKeepAlive ? 'Upgrade' : 'Upgrade, close' },
  });
}

/** The request's `Host` if it is safe to put into a content security policy, otherwise `localhost`. */
function cspHost(request: IncomingMessage): string {
  const { host = '' } = request.headers;
  return /^[\w.:[\]-]+$/.test(host) ? host : 'localhost';
}

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ApiError } from '@l4desk/protocol';
import cors from 'cors';
import express, { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { referenceRouter } from './admin/reference/router.ts';
import { adminRouter } from './admin/router.ts';
import type { AppContext } from './context.ts';
import { errorHandler, methodNotAllowed, sendError } from './http/errors.ts';
import { requestLog } from './http/request-log.ts';
import { abortUnread } from './http/respond.ts';
import { hostHeaderRefusal } from './http/server.ts';
import { infoRouter } from './info/router.ts';
import { dashboardRouter } from './pages/dashboard.ts';
import { documentRouter } from './session/document.ts';
import { recordingsRouter } from './session/recordings.ts';
import { sessionRouter } from './session/router.ts';
import { usageRouter } from './usage/router.ts';

/** Builds the Express app, which serves every path. Only WebSocket upgrades do not pass it. */
export function createApp(context: AppContext): RequestListener {
  const app = express();
  app.set('strict routing', true).set('case sensitive routing', true).disable('x-powered-by');
  app.use(
    requestLog(context.log, context.addressOf, (...request) => context.metrics.countRequest(...request)),
    abortUnread(context.responseStallMs),
    checkRequest(context),
  );
  if (context.settings.CORS_ORIGINS.length > 0) app.use('/info', crossOrigin(context.settings.CORS_ORIGINS));
  app.use(infoRouter(context), usageRouter(context), adminRouter(context));
  app.use(securityHeaders(context));
  app.use(
    sessionRouter(context),
    documentRouter(context),
    recordingsRouter(context),
    referenceRouter(context),
    streamRouter(),
  );
  app.use(dashboardRouter(context), errorHandler);
  // Express routes no request whose target it cannot parse. Without a last handler it sends a page of its own.
  const route = app as unknown as (request: IncomingMessage, response: ServerResponse, unrouted: () => void) => void;
  return (request, response) =>
    route(request, response, () => sendError(response, new ApiError('invalid_request', 'Malformed request target.')));
}

/** Refuses requests during the shutdown or without exactly one `Host`, and warns once of an untrusted proxy. */
function checkRequest({ http, settings, log }: AppContext): RequestHandler {
  let hasWarned = settings.TRUST_PROXY !== false;
  return (request, response, next) => {
    const { headers, path } = request;
    if (!hasWarned && (headers['x-forwarded-for'] ?? headers.forwarded) !== undefined) {
      hasWarned = true;
      log.warn(
        'a request was forwarded, but TRUST_PROXY is not set: all clients behind the proxy count as one address',
      );
    }
    if (http.isClosing()) {
      response.shouldKeepAlive = false;
      if (path !== '/healthz' && path !== '/readyz')
        throw new ApiError('shutting_down', { headers: { 'Retry-After': '1' } });
    }
    next(hostHeaderRefusal(request));
  };
}

/** Lets pages of other sites (`CORS_ORIGINS`) read responses to requests with their own key, not with sessions. */
function crossOrigin(origins: readonly string[]): RequestHandler {
  return cors({
    origin: [...origins],
    methods: 'POST',
    allowedHeaders: ['Authorization', 'Content-Type'],
    exposedHeaders: ['Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
    maxAge: 600,
  });
}

/** Headers of pages and of what pages request. */
function securityHeaders({ origins }: AppContext): RequestHandler {
  const isHttps = origins.primary.startsWith('https:');
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        // Older browsers do not treat a WebSocket to the same host as 'self'.
        connectSrc: ["'self'", (request) => `${isHttps ? 'wss' : 'ws'}://${cspHost(request)}`],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isHttps && { maxAge: 31_536_000, includeSubDomains: false },
  });
}

/** Refuses a plain request to the stream's path. WebSocket upgrades never reach it. */
function streamRouter(): Router {
  const router = Router({ strict: true, caseSensitive: true });
  router
    .route('/ws')
    .get((_request, { shouldKeepAlive }) => {
      throw new ApiError('upgrade_required', {
        headers: { Upgrade: 'websocket', Connection: shouldKeepAlive ? 'Upgrade' : 'Upgrade, close' },
      });
    })
    .all(methodNotAllowed('GET'));
  return router;
}

/** The request's `Host` if it is safe to put into a content security policy, otherwise `localhost`. */
function cspHost(request: IncomingMessage): string {
  const { host = '' } = request.headers;
  return /^[\w.:[\]-]+$/.test(host) ? host : 'localhost';
}

import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { ApiError } from '@l4desk/protocol';
import type { RequestHandler, Response } from 'express';
import { notAllowed } from '../http/errors.ts';
import { type AllowedOrigins, hostRefusal } from '../http/origins.ts';
import type { AcceptedEncoding } from '../http/respond.ts';
import { type StaticFile, sendFile, staticFile } from '../http/static-file.ts';

/** The compressed forms of a file that the build creates, by file ending. */
const TWINS = [
  { ending: '.br', encoding: 'br' },
  { ending: '.gz', encoding: 'gzip' },
] as const;

/** Build files that are not served under their own names: hidden files and compressed forms. */
const NOT_PUBLIC = /\/\.|\.(?:br|gz)$/;

/** First path segments of the dashboard's pages. The service sends the same page for all; the page shows the content. */
const PAGES: ReadonlySet<string> = new Set([
  'sign-in',
  'book',
  'balances',
  'orders',
  'order',
  'funding',
  'limits',
  'usage',
]);

/** First path segments that belong to the service. None of them is a page. */
const SERVICE_PATHS: ReadonlySet<string> = new Set([
  'info',
  'ws',
  'platform',
  'session',
  'healthz',
  'readyz',
  'metrics',
  'openapi.json',
  'asyncapi.json',
  'docs',
  'assets',
]);

const NOT_BUILT_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>L4 Desk</title></head>
<body><h1>The dashboard is not built</h1>
<p>The service itself runs. Build the dashboard with <code>npm run build</code> and start the service again.</p></body></html>
`;

/** The built dashboard. */
export interface Dashboard {
  readonly files: ReadonlyMap<string, StaticFile>;
}

/**
 * Loads the build into memory, so that a rebuild does not affect the running service. `sirv` 3.0 leaves the files of disconnected
 * clients open, and `express.static` serves no compressed forms. Undefined if there is no build.
 */
export async function loadDashboard(directory: string): Promise<Dashboard | undefined> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = new Set(
    entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name)),
  );
  const files = new Map<string, StaticFile>();
  for (const path of paths) {
    const name = `/${relative(directory, path).split(sep).join('/')}`;
    if (NOT_PUBLIC.test(name)) continue;
    const twins = TWINS.filter(({ ending }) => paths.has(path + ending)).map(
      async ({ ending, encoding }): Promise<[AcceptedEncoding, Buffer]> => [encoding, await readFile(path + ending)],
    );
    files.set(name, staticFile(extname(path), await readFile(path), await Promise.all(twins)));
  }
  return files.has('/index.html') ? { files } : undefined;
}

export interface DashboardDeps {
  readonly dashboard: Dashboard | undefined;
  readonly origins: AllowedOrigins;
}

/** Serves the dashboard. An unknown path is 404, with the page for a browser, which then shows the error itself. */
export function dashboardRouter({ dashboard, origins }: DashboardDeps): RequestHandler {
  return (request, response) => {
    const { path, method } = request;
    const [, head = ''] = path.split('/');
    const wantsPage = request.headers.accept?.includes('text/html') === true && !SERVICE_PATHS.has(head);
    const isPage = path === '/' || PAGES.has(head);
    const file = path === '/index.html' ? undefined : dashboard?.files.get(path);
    const reads = method === 'GET' || method === 'HEAD';
    if (file === undefined && !isPage && !(wantsPage && reads)) throw notFound(path);
    if (!reads) throw notAllowed('GET, HEAD');
    const foreign = hostRefusal(request, origins);
    if (foreign !== undefined) throw foreign;
    if (file !== undefined) sendFile(response, 200, file, path.startsWith('/assets/'));
    else sendPage(response, isPage ? 200 : 404, dashboard, wantsPage);
  };
}

function sendPage(response: Response, status: number, dashboard: Dashboard | undefined, wantsPage: boolean): void {
  const page = dashboard?.files.get('/index.html');
  if (page !== undefined) sendFile(response, status, page, false);
  else if (wantsPage) response.status(503).set('Cache-Control', 'no-store').send(NOT_BUILT_PAGE);
  else throw new ApiError('dashboard_not_built');
}

/** Creates the refusal of a path without a resource (INFO-28). */
function notFound(path: string): ApiError {
  // A base URL that ends in a slash makes `//info`.
  if (/^\/+info\/*$/i.test(path))
    return new ApiError('not_found', 'No resource at this path; the path of queries is exactly /info.');
  // Bots that are moved here from the exchange also place orders.
  if (/^\/+exchange\/*$/i.test(path))
    return new ApiError('not_found', 'No resource at this path; this service is read-only and takes no orders.');
  return new ApiError('not_found');
}

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { Router } from 'express';
import type { Settings } from '../../config/settings.ts';
import { methodNotAllowed } from '../../http/errors.ts';
import { type AllowedOrigins, hostRefusal } from '../../http/origins.ts';
import { compressedFile, type StaticFile, sendFile } from '../../http/static-file.ts';
import { asyncApi } from './asyncapi.ts';
import { statedLimits } from './limits.ts';
import { openApi } from './openapi.ts';

export interface ReferenceDeps {
  readonly settings: Settings;
  readonly origins: AllowedOrigins;
  readonly cookieName: string;
}

/** Creates each file of the reference when it is first requested. */
type Makers = Readonly<Record<string, () => string | Promise<Buffer>>>;

function fileOf(name: string, path: string): Promise<Buffer> {
  return readFile(join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path));
}

export const REFERENCE_PATHS = [
  '/openapi.json',
  '/asyncapi.json',
  '/docs',
  '/docs/queries.js',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
] as const;

/** Serves the API reference: two documents and a page for the queries, without external files. Public, costs no credits. */
export function referenceRouter({ settings, origins, cookieName }: ReferenceDeps): Router {
  const limits = statedLimits(settings);
  const makers: Makers = {
    '/openapi.json': () => json(openApi({ limits, cookieName: cookieName })),
    '/asyncapi.json': () => json(asyncApi({ limits, url: origins.primary })),
    '/docs': () => QUERIES_PAGE,
    '/docs/queries.js': () => QUERIES_SCRIPT,
    '/docs/swagger-ui.css': () => fileOf('swagger-ui-dist', 'swagger-ui.css'),
    '/docs/swagger-ui-bundle.js': () => fileOf('swagger-ui-dist', 'swagger-ui-bundle.js'),
  };
  const made = new Map<string, Promise<StaticFile>>();

  const fileAt = (path: string): Promise<StaticFile> => {
    const file = made.get(path) ?? make(path, makers);
    made.set(path, file);
    return file;
  };

  const router = Router({ strict: true, caseSensitive: true });
  for (const path of REFERENCE_PATHS)
    router
      .route(path)
      .get(async (request, response) => {
        const foreign = hostRefusal(request, origins);
        if (foreign !== undefined) throw foreign;
        sendFile(response, 200, await fileAt(path), false);
      })
      .all(methodNotAllowed('GET, HEAD'));
  return router;
}

async function make(path: string, makers: Makers): Promise<StaticFile> {
  const content = await makers[path]?.();
  if (content === undefined) throw new RangeError(`the reference has no file ${path}`);
  return compressedFile(extname(path) || '.html', Buffer.from(content));
}

function json(document: unknown): string {
  return JSON.stringify(document);
}

/** The reference page: Swagger UI for `/openapi.json`, using only files of this service. */
const QUERIES_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>L4 Desk API</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<script defer src="/docs/swagger-ui-bundle.js"></script>
<script defer src="/docs/queries.js"></script>
</head>
<body class="swagger-ui">
<main>
<p class="wrapper"><a class="link" href="/">L4 Desk</a> · <a class="link" href="/openapi.json">openapi.json</a> · the stream: <a class="link" href="/asyncapi.json">asyncapi.json</a></p>
<div id="swagger-ui"></div>
</main>
</body>
</html>
`;

/** Script of the page: applies the system's color scheme and starts Swagger UI. The entered key stays in memory. */
const QUERIES_SCRIPT = `'use strict';
const dark = matchMedia('(prefers-color-scheme: dark)');
const show = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', show);
show();
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

/** The reference page: Swagger UI for `/openapi.json`, using only files of this service. */
export const QUERIES_PAGE = `<!doctype html>
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
export const QUERIES_SCRIPT = `'use strict';
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

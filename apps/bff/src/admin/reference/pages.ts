import { CLOSE_CATALOGUE, STREAM_ERROR_CATALOGUE } from '@l4desk/protocol';
import {
  BOOTSTRAP,
  STREAM_BOOK_REASONS,
  STREAM_BOOK_STATES,
  STREAM_CONNECTION,
  STREAM_CREDITS,
  STREAM_MESSAGES,
  STREAM_REFUSALS,
  type StreamMessage,
  WITHOUT_INSERT_BEFORE,
} from './asyncapi.ts';
import type { StatedLimits } from './limits.ts';

/** The queries page: Swagger UI for `/openapi.json`, using only files of this service. */
export function queriesPage(): string {
  return page(
    'queries',
    'Queries',
    '<div id="swagger-ui"><p class="lead">The reference needs scripts; the document itself is <a href="/openapi.json">openapi.json</a>.</p></div>',
    [
      '<link rel="stylesheet" href="/docs/swagger-ui.css">',
      '<script defer src="/docs/swagger-ui-bundle.js"></script>',
      '<script defer src="/docs/queries.js"></script>',
    ],
  );
}

/** Script of the queries page: applies the system's color scheme and starts Swagger UI. The entered key stays in memory. */
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

/** The stream page, which has no script. */
export function streamPage({ stream }: StatedLimits): string {
  const limits = Object.entries(stream).map(([name, { value, about, setting }]) => [
    code(name),
    code([value].flat().join(', ')),
    text(about) + (setting === undefined ? '' : ' (a setting)'),
  ]);
  const body = [
    '<h1>Stream <code>l4BookUpdates</code></h1>',
    `<p class="lead">${text(STREAM_CONNECTION)}</p>`,
    pre(
      'wscat -c "wss://…/ws?key=$KEY"\n> {"method":"subscribe","subscription":{"type":"l4BookUpdates","coin":"BTC"}}',
    ),
    table(
      ['status', 'error of a refused upgrade', 'meaning', 'what to do'],
      STREAM_REFUSALS.map((refusal) => [
        code(String(refusal.status)),
        code(refusal.code),
        inline(refusal.meaning),
        inline(refusal.remedy),
      ]),
    ),
    '<h2 id="bootstrap">An exact book in six steps</h2>',
    `<ol>${BOOTSTRAP.map((step) => `<li>${text(step)}</li>`).join('')}</ol>`,
    `<p id="insert-before">${text(WITHOUT_INSERT_BEFORE)}</p>`,
    '<h2 id="credits">Credits</h2>',
    `<p>${text(STREAM_CREDITS)}</p>`,
    '<h2 id="client">What a client sends</h2>',
    ...messagesOf('client'),
    '<h2 id="service">What the service sends</h2>',
    ...messagesOf('service'),
    '<h2 id="states">States of a book</h2>',
    table(
      ['state', 'meaning'],
      STREAM_BOOK_STATES.map(([state, meaning]) => [code(state), text(meaning)]),
    ),
    table(
      ['reason', 'meaning'],
      STREAM_BOOK_REASONS.map(([reason, meaning]) => [code(reason), text(meaning)]),
    ),
    '<h2 id="errors">Errors</h2>',
    table(
      ['message', 'meaning', 'what to do'],
      STREAM_ERROR_CATALOGUE.map(({ sentence, meaning, remedy }) => [code(sentence), inline(meaning), inline(remedy)]),
    ),
    '<h2 id="closes">Close codes</h2>',
    table(
      ['code', 'meaning', 'what to do'],
      CLOSE_CATALOGUE.map((close) => [code(String(close.code)), inline(close.meaning), inline(close.remedy)]),
    ),
    '<h2 id="limits">Limits</h2>',
    table(['limit', 'value', 'meaning'], limits),
  ];
  return page('stream', 'Stream', `<article>${body.join('\n')}</article>`, []);
}

function messagesOf(sender: StreamMessage['sender']): string[] {
  return STREAM_MESSAGES.filter((message) => message.sender === sender).map(
    ({ name, title, text: about, example }) =>
      `<section id="${name}"><h3>${text(title)} <code>${text(name)}</code></h3><p>${text(about)}</p>${pre(JSON.stringify(example, null, 2))}</section>`,
  );
}

const LINKS = [
  ['queries', '/docs', 'Queries'],
  ['stream', '/docs/stream', 'Stream'],
] as const;

function page(current: 'queries' | 'stream', title: string, main: string, head: readonly string[]): string {
  const links = LINKS.map(([name, href, label]) => {
    return `<a href="${href}"${name === current ? ' aria-current="page"' : ''}>${label}</a>`;
  });
  const document = current === 'queries' ? 'openapi.json' : 'asyncapi.json';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>${title} · L4 Desk API</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${head.join('\n')}
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body>
<header><nav aria-label="Reference"><a class="brand" href="/">L4 Desk</a>${links.join('')}<a class="end" href="/${document}">${document}</a></nav></header>
<main>${main}</main>
</body>
</html>
`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((name) => `<th scope="col">${name}</th>`).join('');
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n');
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function pre(content: string): string {
  return `<pre tabindex="0">${text(content)}</pre>`;
}

function code(content: string): string {
  return `<code>${text(content)}</code>`;
}

/** Converts text whose backticks mark code, as in the error catalogue, to HTML. */
function inline(content: string): string {
  return text(content).replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}

function text(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

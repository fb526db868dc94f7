/** Style sheet of the reference pages: colors and fonts of the dashboard, in the system's dark or light scheme. */
export const STYLE = `
@font-face {
  font-family: "Inter Variable";
  font-display: swap;
  font-weight: 100 900;
  src: url("/docs/inter.woff2") format("woff2-variations");
}

@font-face {
  font-family: "JetBrains Mono Variable";
  font-display: swap;
  font-weight: 100 800;
  src: url("/docs/jetbrains-mono.woff2") format("woff2-variations");
}

:root {
  color-scheme: light dark;
  --surface: light-dark(#f6f3ec, #0c0f14);
  --raised: light-dark(#fdfbf6, #11151c);
  --line: light-dark(#dad4c6, #262d39);
  --words: light-dark(#33363c, #ccd2dc);
  --quiet: light-dark(#5f5e59, #8d97a8);
  --accent: light-dark(#1d58b8, #7cb0ff);
  --sans: "Inter Variable", Inter, system-ui, sans-serif;
  --mono: "JetBrains Mono Variable", "JetBrains Mono", ui-monospace, monospace;
}

html,
html.dark-mode,
body {
  margin: 0;
  background: var(--surface);
  color: var(--words);
  font: 13px/1.5 var(--sans);
}

nav,
main {
  box-sizing: border-box;
  max-width: 1100px;
  margin: 0 auto;
  padding: 0 20px 60px;
}

nav {
  display: flex;
  flex-wrap: wrap;
  gap: 0 20px;
  padding: 12px 20px;
}

header {
  position: sticky;
  top: 0;
  z-index: 2;
  border-bottom: 1px solid var(--line);
  background: var(--raised);
}

a {
  color: var(--accent);
}

a[aria-current] {
  color: var(--words);
}

.end {
  margin-left: auto;
}

article {
  max-width: 78ch;
}

h1 {
  font-size: 20px;
}

h2 {
  margin-top: 32px;
  padding-top: 12px;
  border-top: 1px solid var(--line);
  font-size: 15px;
}

h3 {
  margin: 20px 0 4px;
  font-size: 13px;
}

/* What a link leads to stands below the header. */
[id] {
  scroll-margin-top: 48px;
}

.lead,
th {
  color: var(--quiet);
}

code,
pre {
  font: 12px/1.5 var(--mono);
}

article pre {
  padding: 12px;
  border: 1px solid var(--line);
  border-radius: 4px;
  background: var(--raised);
}

article pre,
.wide {
  overflow-x: auto;
}

table {
  width: 100%;
  border-collapse: collapse;
  font-size: 13px;
}

article th,
td,
.swagger-ui .renderedMarkdown td {
  padding: 6px 16px 6px 0;
  border-bottom: 1px solid var(--line);
  text-align: left;
  vertical-align: top;
}

/* Where a table does not fit, its cells stand below each other. */
@media (max-width: 640px) {
  .wide :is(table, tbody, tr, td),
  #swagger-ui .renderedMarkdown :is(table, tbody, tr, td) {
    display: block;
    width: auto;
    padding: 0;
    border: 0;
  }

  .wide thead,
  #swagger-ui .renderedMarkdown thead {
    display: none;
  }

  .wide tr,
  #swagger-ui .renderedMarkdown tr {
    padding: 8px 0;
    border-bottom: 1px solid var(--line);
  }
}

/* Swagger UI, brought near to the rest as far as it allows. */
#swagger-ui * {
  font-family: var(--sans);
}

#swagger-ui :is(code, pre, textarea, .opblock-summary-path, .parameter__name, .model),
#swagger-ui :is(code, pre, .opblock-summary-path, .model) * {
  font-family: var(--mono);
}

#swagger-ui :is(.swagger-ui, .scheme-container) {
  background: transparent;
  box-shadow: none;
}

#swagger-ui .scheme-container {
  padding: 12px 0;
}

#swagger-ui .info {
  margin: 20px 0;
}

#swagger-ui .info .title {
  font-size: 20px;
}

#swagger-ui .info :is(p, li, td, th) {
  font-size: 13px;
}

#swagger-ui .info a {
  color: var(--accent);
  font-size: inherit;
}

#swagger-ui .renderedMarkdown code {
  background: var(--raised);
  color: var(--words);
  font-size: 12px;
  font-weight: 400;
}

.swagger-ui .wrapper {
  padding: 0;
}

/* Names of limits do not touch their values. */
.swagger-ui .renderedMarkdown table tbody tr td {
  padding: 6px 16px 6px 0;
  vertical-align: baseline;
}

/* Its greens, and white on them, are too faint to read on a light surface; what it has for a dark one stays. */
.swagger-ui .btn.authorize,
.swagger-ui .btn.authorize svg {
  border-color: var(--accent);
  color: var(--accent);
}

.swagger-ui .opblock[class] .opblock-summary-method {
  color: #080a0b;
  text-shadow: none;
}

#swagger-ui .info .title small {
  top: 0;
  border: 1px solid var(--line);
  border-radius: 4px;
  background: var(--raised);
}

#swagger-ui .info .title small pre {
  color: var(--quiet);
  font-size: 11px;
}
`;

/** Style of the reference's pages: surfaces, words and numbers as in the dashboard, dark or light as the system prefers. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --surface: light-dark(#f7f5f0, #0f1216);
  --raised: light-dark(#fffefb, #161a20);
  --line: light-dark(#d9d5cb, #2b313a);
  --words: light-dark(#22252a, #dde2e9);
  --quiet: light-dark(#5b616b, #98a1ad);
  --accent: light-dark(#0a5bb5, #6fb1ff);
}

html,
html.dark-mode,
body {
  margin: 0;
  background: var(--surface);
  color: var(--words);
  font:
    15px/1.5 "Inter Variable",
    Inter,
    system-ui,
    sans-serif;
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
  font: 12px/1.5 "JetBrains Mono Variable", "JetBrains Mono", ui-monospace, monospace;
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

/* Swagger UI, brought near to the rest as far as it allows. */
.swagger-ui,
html.dark-mode .swagger-ui,
.swagger-ui .scheme-container {
  background: transparent;
  box-shadow: none;
}

.swagger-ui .renderedMarkdown table {
  display: block;
  overflow-x: auto;
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

.swagger-ui .info .title small,
.swagger-ui .info .title small.version-stamp {
  background: #4c525c;
}
`;

/** Style of the reference's pages: surfaces, words and numbers as in the dashboard, dark or light as the system prefers. */
export const STYLE = `
:root {
  --surface: #f7f5f0;
  --raised: #fffefb;
  --line: #d9d5cb;
  --words: #22252a;
  --quiet: #5b616b;
  --accent: #0a5bb5;
}

@media (prefers-color-scheme: dark) {
  :root {
    --surface: #0f1216;
    --raised: #161a20;
    --line: #2b313a;
    --words: #dde2e9;
    --quiet: #98a1ad;
    --accent: #6fb1ff;
  }
}

* {
  box-sizing: border-box;
}

html,
html.dark-mode {
  background: var(--surface);
}

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

header {
  position: sticky;
  top: 0;
  z-index: 2;
  border-bottom: 1px solid var(--line);
  background: var(--raised);
}

nav {
  display: flex;
  flex-wrap: wrap;
  gap: 0 20px;
  max-width: 1100px;
  margin: 0 auto;
  padding: 0 20px;
  font-size: 13px;
}

nav a {
  padding: 12px 0;
  border-bottom: 2px solid transparent;
  color: var(--quiet);
  text-decoration: none;
}

nav a:hover {
  color: var(--words);
}

nav a[aria-current] {
  border-color: var(--accent);
  color: var(--words);
}

nav .brand {
  color: var(--words);
  font-weight: 600;
}

nav .end {
  margin-left: auto;
}

:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}

main {
  max-width: 1100px;
  margin: 0 auto;
  padding: 0 20px 60px;
}

article {
  max-width: 78ch;
}

h1,
h2,
h3 {
  line-height: 1.3;
}

h1 {
  margin: 28px 0 12px;
  font-size: 20px;
}

h2 {
  margin: 32px 0 8px;
  padding-top: 12px;
  border-top: 1px solid var(--line);
  font-size: 15px;
}

h3 {
  margin: 20px 0 4px;
  font-size: 13px;
}

h3 code {
  margin-left: 8px;
  color: var(--quiet);
  font-weight: 400;
}

p,
li {
  margin: 4px 0;
}

.lead {
  color: var(--quiet);
}

article a,
.lead a {
  color: var(--accent);
}

code,
pre,
.number {
  font-family: "JetBrains Mono Variable", "JetBrains Mono", ui-monospace, monospace;
  font-size: 12px;
}

.number {
  font-variant-numeric: tabular-nums;
}

pre {
  overflow-x: auto;
  margin: 8px 0;
  padding: 12px;
  border: 1px solid var(--line);
  border-radius: 4px;
  background: var(--raised);
}

.wide {
  overflow-x: auto;
}

table {
  width: 100%;
  border-collapse: collapse;
  font-size: 13px;
}

th,
td {
  padding: 6px 16px 6px 0;
  border-bottom: 1px solid var(--line);
  text-align: left;
  vertical-align: top;
}

th {
  color: var(--quiet);
  font-weight: 500;
}

/* Swagger UI, brought near to the rest as far as it allows. */
.swagger-ui,
html.dark-mode .swagger-ui {
  background: transparent;
}

.swagger-ui .renderedMarkdown table {
  display: block;
  overflow-x: auto;
}

.swagger-ui .renderedMarkdown td {
  padding: 6px 16px 6px 0;
}

.swagger-ui .wrapper {
  padding: 0;
}

.swagger-ui .info {
  margin: 28px 0 12px;
}

.swagger-ui .scheme-container {
  margin: 0 0 12px;
  padding: 12px 0;
  background: transparent;
  box-shadow: none;
}

.swagger-ui .info .title {
  font-size: 20px;
}

.swagger-ui .opblock {
  border-radius: 4px;
  box-shadow: none;
}
`;

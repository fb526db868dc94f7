import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { run } from './run.mjs';
import { cacheDir, root } from './workspace.mjs';

let directory;

beforeEach(() => {
  mkdirSync(cacheDir, { recursive: true });
  directory = mkdtempSync(join(cacheDir, 'benches-test-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

/**
 * Runs benchmarks with these texts in a process, like `npm run bench`, after the code in `before`. Returns its exit code
 * and the rows.
 */
async function benched(texts, before = '') {
  const files = Object.entries(texts).map(([name, text]) => {
    const file = join(directory, `${name}.bench.mjs`);
    writeFileSync(file, text);
    return file;
  });
  const json = join(directory, 'rows.json');
  const url = (path) => JSON.stringify(pathToFileURL(join(root, 'scripts', 'lib', path)).href);
  const program = `
    import { runBenches } from ${url('benches.mjs')};
    import { script } from ${url('workspace.mjs')};
    ${before}
    await script(() => runBenches(${JSON.stringify(files)}, { env: {}, json: ${JSON.stringify(json)} }));
  `;
  const main = join(directory, 'main.mjs');
  writeFileSync(main, program);
  const { code, text } = await run(process.execPath, [main], { output: 'keep' });
  return { code, text, rows: existsSync(json) ? JSON.parse(readFileSync(json, 'utf8')) : undefined };
}

const row = (item) => ({ item, ours: '1', limit: '2', ratio: 2, bar: '≥ 1×', pass: true });
const nameOf = (name) => relative(root, join(directory, `${name}.bench.mjs`));
const failed = (name, ours) => ({
  item: nameOf(name),
  ours,
  limit: '–',
  ratio: null,
  bar: 'runs to its end',
  pass: false,
});
const fine = (item) => `export default async () => [${JSON.stringify(row(item))}];`;

it('prints the rows of every benchmark, and exits with 0 if all meet their bar', async () => {
  const { code, text, rows } = await benched({ first: fine('one'), second: fine('two') });
  expect({ code, rows }).toEqual({ code: 0, rows: [row('one'), row('two')] });
  expect(text).toMatch(/^one +1 +2 +2\.00 +≥ 1× +ok$/m);
});

it('names benchmarks that cannot be bundled or crash, which lose only their own rows and make the exit code 1', async () => {
  const { code, text, rows } = await benched({
    unbundled: `import './no-such-file.mjs'; ${fine('lost')}`,
    broken: `export default async function* () { yield ${JSON.stringify(row('kept'))}; process.exit(3); }`,
    last: fine('last'),
  });
  expect(rows).toEqual([
    failed('unbundled', 'could not be bundled'),
    row('kept'),
    failed('broken', 'broke off with code 3'),
    row('last'),
  ]);
  expect(code).toBe(1);
  expect(text).toMatch(/\/unbundled\.bench\.mjs +could not be bundled .*MISSED$/m);
  expect(text).toContain('no-such-file.mjs');
  expect(text).toContain('2 of 4 rows miss their bar.');
});

it('loses only the rows of a benchmark whose process cannot be started', async () => {
  const { code, rows } = await benched(
    { first: fine('one'), second: fine('two') },
    `const node = process.execPath;
    let asked = 0;
    Object.defineProperty(process, 'execPath', { get: () => (asked++ === 0 ? '/no/such/node' : node) });`,
  );
  expect(rows).toEqual([failed('first', 'spawn /no/such/node ENOENT'), row('two')]);
  expect(code).toBe(1);
});

it('does not blame the benchmarks for a missing esbuild', async () => {
  const { code, text, rows } = await benched(
    { first: fine('one') },
    `const { register } = await import('node:module');
    const hooks = \`export function resolve(specifier, context, next) {
      if (specifier === 'esbuild') throw new Error('esbuild is not there');
      return next(specifier, context);
    }\`;
    register('data:text/javascript,' + encodeURIComponent(hooks));`,
  );
  expect({ code, rows }).toEqual({ code: 1, rows: undefined });
  expect(text).toContain('esbuild is not there');
  expect(text).not.toContain('could not be bundled');
});

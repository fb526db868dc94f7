// Builds `@l4desk/client` for use outside the workspace: every module reachable from its exports, from `client` and from
// the packages it uses, as JavaScript with declarations. Modules are not bundled, so a page contains only what it
// imports.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { transform } from 'esbuild';
import { run } from '../lib/run.mjs';
import { bin, Failure, readJson, root } from '../lib/workspace.mjs';

const PACKAGES = join(root, 'packages');
const CLIENT = join(PACKAGES, 'client');

/** The specifier after `from`, `import` or `import(` in code written by esbuild and tsc. */
const SPECIFIER = /\b(from\s|import\s|import\()(['"])([^'"\s]+)\2/g;

/** `packages/book/src/fast/rows.ts` as `book/fast/rows`: the path of a module in `dist`, without its extension. */
const placeOf = (source) => relative(PACKAGES, source).replace(`${sep}src${sep}`, sep).replace(/\.ts$/, '');

/** Where tsc writes a module's declarations, as set in packages/config/tsconfig.pure.json. */
const declarationsOf = (source) =>
  source.replace(`${sep}src${sep}`, join(sep, 'node_modules', '.cache', 'types', 'src', sep)).replace(/\.ts$/, '.d.ts');

/** The source file of a specifier in `importer`; undefined for a package of the registry. */
function sourceOf(specifier, importer) {
  if (specifier.startsWith('.')) return resolve(dirname(importer), specifier);
  const [, part, path = ''] = /^@l4desk\/([\w-]+)(\/.+)?$/.exec(specifier) ?? [];
  return part === undefined
    ? undefined
    : join(PACKAGES, part, readJson('packages', part, 'package.json').exports[`.${path}`]);
}

/** Builds the package into an empty directory. */
export async function assembleClient(directory) {
  const { code } = await run(bin('tsc'), ['-b', join(CLIENT, 'tsconfig.src.json')], { output: 'stderr' });
  if (code !== 0) throw new Failure('The declarations of the client could not be made.');
  const manifest = readJson('packages', 'client', 'package.json');
  const entries = Object.entries(manifest.exports).map(([name, path]) => [name, join(CLIENT, path)]);
  const sources = new Set(entries.map(([, source]) => source));
  const dependencies = {};

  /** Points every import of a module at the files of this package, and records what it imports. */
  const relink = (code, importer) =>
    code.replaceAll(SPECIFIER, (text, keyword, quote, specifier) => {
      const source = sourceOf(specifier, importer);
      if (source === undefined) {
        dependencies[specifier] = `^${installedVersion(specifier, importer)}`;
        return text;
      }
      sources.add(source);
      const path = relative(dirname(placeOf(importer)), placeOf(source))
        .split(sep)
        .join('/');
      return `${keyword}${quote}${path.startsWith('.') ? path : `./${path}`}.js${quote}`;
    });

  // The set grows during the iteration.
  for (const source of sources) {
    const { code: script } = await transform(readFileSync(source, 'utf8'), { loader: 'ts', target: 'es2023' });
    const place = join(directory, 'dist', placeOf(source));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(`${place}.js`, relink(script, source));
    writeFileSync(`${place}.d.ts`, relink(readFileSync(declarationsOf(source), 'utf8'), source));
  }

  const exported = entries.map(([name, source]) => [name, `./dist/${placeOf(source).split(sep).join('/')}`]);
  writeFileSync(
    join(directory, 'package.json'),
    `${JSON.stringify(publishedManifest(manifest, exported, dependencies), null, 2)}\n`,
  );
  const reference = await run(join(CLIENT, 'node_modules', '.bin', 'typedoc'), ['--out', join(directory, 'api')], {
    cwd: CLIENT,
    output: 'stderr',
  });
  if (reference.code !== 0) throw new Failure('The API reference of the client could not be made.');
  cpSync(join(CLIENT, 'README.md'), join(directory, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(directory, 'LICENSE'));
  cpSync(join(CLIENT, 'examples'), join(directory, 'examples'), {
    recursive: true,
    filter: (path) => !path.endsWith('.test.ts'),
  });
}

function publishedManifest({ name, version, description, license, type }, exported, dependencies) {
  return {
    name,
    version,
    description,
    license,
    type,
    // The only module with a side effect when loaded: it configures the schema library.
    sideEffects: ['./dist/protocol/zod.js'],
    exports: Object.fromEntries(
      exported.map(([path, file]) => [path, { types: `${file}.d.ts`, default: `${file}.js` }]),
    ),
    files: ['dist', 'examples', 'api'],
    engines: readJson('package.json').engines,
    dependencies,
  };
}

/** The version of a package that a source file of the workspace imports. */
function installedVersion(name, importer) {
  const [part] = relative(PACKAGES, importer).split(sep);
  const path = join(PACKAGES, part, 'node_modules', name, 'package.json');
  if (!existsSync(path)) throw new Failure(`${importer} imports ${name}, which ${part} does not depend on.`);
  return JSON.parse(readFileSync(path, 'utf8')).version;
}

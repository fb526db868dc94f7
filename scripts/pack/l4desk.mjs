// Assembles the product for `npx`: the built programs, the dashboard and the `l4desk` command. Users build nothing; the
// native database driver is the only package that comes from the registry.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from '../build.mjs';
import { compressFile } from '../lib/compress-files.mjs';
import { apps, readJson, root } from '../lib/workspace.mjs';
import { licenses } from './third-party-licenses.mjs';

/** Their `dist` folders are next to each other, as in the workspace, because the service looks for the other two there. */
const APPS = ['bff', 'cli', 'venue', 'web'];

/** Build files that are not needed at run time. */
const NOT_PACKED = /\.map$|\/\.stamp$/;

/** Assembles the package in an empty directory. */
export async function assembleDesk(directory) {
  await build(APPS);
  const packed = apps().filter(({ name }) => APPS.includes(name));
  for (const app of packed)
    cpSync(join(app.directory, 'dist'), join(directory, app.name, 'dist'), {
      recursive: true,
      filter: (path) => !NOT_PACKED.test(path),
    });
  await nameCommand(join(directory, 'web', 'dist', 'index.html'));
  const bundled = packed.flatMap((app) => copyReadPackages(app, directory));
  mkdirSync(join(directory, 'bin'));
  cpSync(join(import.meta.dirname, 'bin.mjs'), join(directory, 'bin', 'l4desk.mjs'));
  cpSync(join(import.meta.dirname, 'l4desk.md'), join(directory, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(directory, 'LICENSE'));
  writeFileSync(join(directory, 'THIRD_PARTY_LICENSES.txt'), licenses(packed.map((app) => app.directory)));
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest(packed, bundled), null, 2)}\n`);
}

/** Tells the dashboard the name of the installed command; by default it names the commands of the repository. */
async function nameCommand(page) {
  const html = readFileSync(page, 'utf8');
  writeFileSync(page, html.replace('<title>', '<meta name="l4desk-command" content="l4desk" />\n    $&'));
  await compressFile(page);
}

/**
 * Copies the files that an app reads from other packages (`l4desk.reads`). Returns those packages by name, with their
 * versions.
 */
function copyReadPackages(app, directory) {
  return Object.entries(app.manifest.l4desk?.reads ?? {}).map(([name, files]) => {
    const from = installed(app, name);
    const to = join(directory, 'node_modules', name);
    for (const file of files) cpSync(join(from.directory, file), join(to, file));
    // Without dependencies, because the files need none.
    const { version, license } = from.manifest;
    writeFileSync(join(to, 'package.json'), `${JSON.stringify({ name, version, license }, null, 2)}\n`);
    return [name, version];
  });
}

function manifest(packed, bundled) {
  const { name, version, description, license, type, engines } = readJson('package.json');
  const native = packed.flatMap((app) =>
    (app.manifest.l4desk?.external ?? [])
      .filter((external) => !(external in (app.manifest.optionalDependencies ?? {})))
      .map((external) => [external, installed(app, external).manifest.version]),
  );
  // Not installed by default; the command that needs it tells users how to install it.
  const optional = packed.flatMap((app) =>
    Object.keys(app.manifest.optionalDependencies ?? {}).map((peer) => [peer, installed(app, peer).manifest.version]),
  );
  return {
    name,
    version,
    description,
    license,
    type,
    bin: { l4desk: 'bin/l4desk.mjs' },
    files: ['bin', ...APPS, 'THIRD_PARTY_LICENSES.txt'],
    engines,
    // Exact versions: the tested ones.
    dependencies: Object.fromEntries([...native, ...bundled]),
    bundleDependencies: bundled.map(([bundledName]) => bundledName),
    peerDependencies: Object.fromEntries(optional),
    peerDependenciesMeta: Object.fromEntries(optional.map(([name]) => [name, { optional: true }])),
  };
}

function installed(app, name) {
  const directory = join(app.directory, 'node_modules', name);
  return { directory, manifest: JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) };
}

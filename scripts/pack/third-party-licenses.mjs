// Collects the licenses of everything bundled in a package; distributing it requires them.
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const LICENSE_FILE = /^(?:licen[cs]e|notice)(?:[-.].*)?$/i;

/** One text with the licenses of all registry packages that the given workspace parts depend on. */
export function licenses(directories) {
  const found = new Map();
  const visited = new Set(directories.map((directory) => realpathSync(directory)));
  // The set grows during the iteration.
  for (const directory of visited) {
    const { name, version, license, dependencies = {}, private: isOurs } = manifestOf(directory);
    for (const dependency of Object.keys(dependencies)) visited.add(directoryOf(dependency, directory));
    if (isOurs !== true) found.set(`${name} ${version}`, [`${name} ${version} (${license})`, ...textsIn(directory)]);
  }
  const sections = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, texts]) => texts.join('\n\n'));
  return `${sections.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

const manifestOf = (directory) => JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));

/** The directory of a package's dependency. Not resolved, because that would need an export of its package.json. */
function directoryOf(dependency, directory) {
  const places = createRequire(join(directory, 'package.json')).resolve.paths(dependency);
  return realpathSync(places.map((place) => join(place, dependency)).find((place) => existsSync(place)));
}

function textsIn(directory) {
  return readdirSync(directory)
    .filter((name) => LICENSE_FILE.test(name))
    .map((name) => readFileSync(join(directory, name), 'utf8').trim());
}

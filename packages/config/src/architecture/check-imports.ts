import { posix } from 'node:path';
import { IMPORT_TABLE, LAYERS, PACKAGE_OWNERS, PARTS, type Part } from './import-table.ts';
import { type ModuleReference, readFacts, type SourceFile } from './source-file.ts';

/** One import or expression that breaks a rule. */
export interface Violation {
  /** The rule broken: a row of the import table. */
  readonly rule: string;
  /** `path:line`. */
  readonly where: string;
  /** What is wrong, in one sentence. */
  readonly problem: string;
}

const TEST_FILE =
  /\.(test|bench|spec)\.(ts|tsx|mjs)$|\/test-support\/|^(packages|apps)\/[^/]+\/(test|bench|examples)\//;
const TOOL_FILE = /^((packages|apps)\/[^/]+|e2e)\/[^/]+\.config\.ts$/;

/** The page converts decimals to pixels here, and nowhere else. */
const DRAWING_CODE = /^apps\/web\/src\/(.*\/)?(draw|canvas)[^/]*(\/.*|\.tsx?)$/;

/** Names of prices, sizes and balances, on the wire and in the code. */
const DECIMAL_NAME = /(^|[a-z])(px|sz)$|^(price|notional|balance|hold|limitPx|origSz|newSz)$/i;

/** Checks every file's imports and number conversions against the import table and its related rules. */
export function checkFiles(files: readonly SourceFile[]): Violation[] {
  return files.flatMap((file) => {
    const { references, conversions } = readFacts(file);
    const part = partOf(file.path);
    if (part === undefined) return [];
    const found = references.flatMap((reference) =>
      checkReference(file.path, part, reference).map((violation) => ({ ...violation, line: reference.line })),
    );
    if (!isTest(file.path) && !DRAWING_CODE.test(file.path)) {
      for (const { by, of, line } of conversions) {
        if (by !== 'parseFloat' && (of === null || !DECIMAL_NAME.test(of))) continue;
        found.push({ rule: 'DEC-6', problem: `${by} makes a float of ${of ?? 'text'}: keep it exact`, line });
      }
    }
    return found.map(({ rule, problem, line }) => ({ rule, where: `${file.path}:${line}`, problem }));
  });
}

/** The part a path belongs to: `packages/x/…`, `apps/x/…` or `e2e/…`. */
function partOf(path: string): Part | undefined {
  const [first, second] = path.split('/');
  return PARTS.find((part) => part === (first === 'e2e' ? first : second));
}

const folderOf = (path: string) =>
  path
    .split('/')
    .slice(0, path.startsWith('e2e/') ? 1 : 2)
    .join('/');
const isTest = (path: string) =>
  TEST_FILE.test(path) || path.startsWith('e2e/') || path.startsWith('packages/testkit/');

type Finding = Omit<Violation, 'where'>;

function checkReference(path: string, part: Part, { specifier, typeOnly }: ModuleReference): Finding[] {
  const { id } = IMPORT_TABLE[part];
  if (specifier === null) {
    const problem = 'a computed import cannot be checked: write its name out';
    return isTest(path) ? [] : [{ rule: id, problem }];
  }
  if (specifier.startsWith('.')) return checkRelative(path, part, specifier);
  if (specifier.startsWith('node:')) return checkNode(path, part, specifier);
  const name = packageName(specifier);
  if (name === undefined) return [{ rule: id, problem: `${specifier} is neither a package nor a relative path` }];
  if (name.startsWith('@l4desk/')) return checkPart(path, part, specifier, typeOnly);
  return checkPackage(path, part, name);
}

function checkRelative(path: string, part: Part, specifier: string): Finding[] {
  const target = posix.join(posix.dirname(path), specifier);
  if (!target.startsWith(`${folderOf(path)}/`)) {
    const problem = `${specifier} leaves the part: import it by its name`;
    return [{ rule: IMPORT_TABLE[part].id, problem }];
  }
  // Build output next to a program is not source.
  if (isTest(path) || target.endsWith('.js')) return [];
  return [...checkLayers(path, part, target), ...checkFeatures(path, target, specifier)];
}

/** ARCH-15: inside a part that has layers, a folder may import only folders of lower layers. */
function checkLayers(path: string, part: Part, target: string): Finding[] {
  const layers = LAYERS[part];
  const [from, to] = [topFolderOf(path), topFolderOf(target)];
  if (layers === undefined || from === to) return [];
  const layerOf = (folder: string) => layers.findIndex((folders) => folders.includes(folder));
  if (layerOf(from) < 0) return [{ rule: 'ARCH-15', problem: `${from} is in no layer of ${part}` }];
  if (layerOf(from) < layerOf(to)) return [];
  return [{ rule: 'ARCH-15', problem: `${from} imports ${to}, which is not in a lower layer` }];
}

/** The folder directly under `src`, or the file there without its extension. */
function topFolderOf(path: string): string {
  return (path.split('/')[3] ?? '').replace(/\.tsx?$/, '');
}

/** ARCH-10: a feature never imports another one. */
function checkFeatures(path: string, target: string, specifier: string): Finding[] {
  const [feature, other] = [featureOf(path), featureOf(target)];
  if (feature === undefined || other === undefined || feature === other) return [];
  return [{ rule: 'ARCH-10', problem: `the feature ${feature} imports ${specifier}` }];
}

/** The feature of `web` that a file belongs to. */
function featureOf(path: string): string | undefined {
  return /^apps\/web\/src\/features\/([^/]+)\//.exec(path)?.[1];
}

function checkNode(path: string, part: Part, specifier: string): Finding[] {
  const { id, node } = IMPORT_TABLE[part];
  const isAllowed = typeof node === 'string' ? path.startsWith(`${folderOf(path)}/${node}`) : node;
  if (isAllowed || isTest(path) || TOOL_FILE.test(path)) return [];
  return [{ rule: id, problem: `${part} runs without Node and imports ${specifier}` }];
}

function checkPart(path: string, part: Part, specifier: string, typeOnly: boolean): Finding[] {
  const { id, parts, types = [], within = {}, entries = {} } = IMPORT_TABLE[part];
  const imported = specifier.split('/')[1];
  const target = PARTS.find((known) => known === imported);
  if (target === undefined) return [{ rule: id, problem: `there is no part ${imported}` }];
  const entry = entries[target];
  if (entry !== undefined && specifier !== entry && !isTest(path)) {
    return [{ rule: id, problem: `${part} imports ${entry} only, not ${specifier}` }];
  }
  if (target === part || parts.includes(target)) return [];
  const test = isTest(path);
  if (types.includes(target)) {
    return typeOnly || test ? [] : [{ rule: id, problem: `${part} imports ${target} by type only` }];
  }
  const folders = within[target];
  if (folders !== undefined) {
    if ([folders].flat().some((folder) => path.startsWith(`${folderOf(path)}/${folder}`))) return [];
    return [{ rule: id, problem: `${part} imports ${target} only inside ${[folders].flat().join(' and ')}` }];
  }
  if (target === 'testkit') {
    return test ? [] : [{ rule: 'ARCH-8', problem: `${part} imports testkit outside its tests` }];
  }
  if (target === 'config' && (test || TOOL_FILE.test(path))) return [];
  return [{ rule: id, problem: `${part} imports ${target}` }];
}

function checkPackage(path: string, part: Part, name: string): Finding[] {
  const { id, packages, packagesWithin = {} } = IMPORT_TABLE[part];
  if (TOOL_FILE.test(path)) return [];
  const owned = PACKAGE_OWNERS.find(({ pattern }) => pattern.test(name));
  if (owned !== undefined && owned.owner !== part && owned.also !== part) {
    return [{ rule: owned.id, problem: `${name} belongs to ${owned.owner}; ${part} imports it` }];
  }
  if (packages === undefined || packages.includes(name)) return [];
  const folder = packagesWithin[name];
  if (folder !== undefined && path.startsWith(`${folderOf(path)}/${folder}`)) return [];
  if (isTest(path) && part !== 'e2e') return [];
  return [{ rule: id, problem: `${part} imports the package ${name}` }];
}

/** `@scope/name` or `name` of a specifier; undefined if it is not that of a package. */
function packageName(specifier: string): string | undefined {
  return /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?=\/|\?|$)/.exec(specifier)?.[0];
}

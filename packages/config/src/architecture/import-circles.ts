import { posix } from 'node:path';
import { readFacts, type SourceFile } from './source-file.ts';

/** Files that import one another in a cycle, by type or by value: each cycle once, as the paths it goes through. */
export function importCircles(files: readonly SourceFile[]): string[][] {
  const known = new Set(files.map(({ path }) => path));
  const imports = new Map(files.map((file) => [file.path, importedFiles(file, known)]));
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]) => {
    const start = trail.indexOf(path);
    if (start >= 0) circles.push([...trail.slice(start), path]);
    if (start >= 0 || done.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return circles;
}

function importedFiles(file: SourceFile, known: ReadonlySet<string>): string[] {
  return readFacts(file).references.flatMap(({ specifier }) => {
    if (specifier?.startsWith('.') !== true) return [];
    const target = posix.join(posix.dirname(file.path), specifier);
    return known.has(target) ? [target] : [];
  });
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PARTS, type Part } from './import-table.ts';
import type { SourceFile } from './source-file.ts';

/** The repository root. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..');

const NOT_ENTERED = new Set(['node_modules', 'dist', '.cache', 'test-results', 'playwright-report']);
const CODE = /\.(ts|tsx|mjs)$/;

/** The folder of a part, from the root. */
export function folderOfPart(part: Part): string {
  const candidates = [`packages/${part}`, `apps/${part}`, part];
  const folder = candidates.find((candidate) => existsSync(join(ROOT, candidate, 'package.json')));
  if (folder === undefined) throw new Error(`${part} has no folder`);
  return folder;
}

/** Every source file of every part. */
export function workspaceFiles(): SourceFile[] {
  return PARTS.flatMap((part) => codeUnder(join(ROOT, folderOfPart(part))));
}

function codeUnder(directory: string): SourceFile[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return NOT_ENTERED.has(entry.name) ? [] : codeUnder(path);
    if (!entry.isFile() || !CODE.test(entry.name)) return [];
    return [{ path: relative(ROOT, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }];
  });
}

/** Reads a JSON file under the root. */
export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

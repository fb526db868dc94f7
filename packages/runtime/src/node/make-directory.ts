import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a directory with its missing parents, for their owner only, unless it exists. Throws the system's error. It is not
 * `mkdir` with `recursive`, which blocks the process for ever where new directories are refused as if their parent was missing,
 * as in `/proc`.
 */
export function makeDirectory(path: string): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  for (const directory of missing.toReversed()) {
    try {
      mkdirSync(directory, { mode: 0o700 });
    } catch (error) {
      // Another process has just created it.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
  // Of a file, this throws that it exists.
  if (!statSync(path).isDirectory()) mkdirSync(path);
}

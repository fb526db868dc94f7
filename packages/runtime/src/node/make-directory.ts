import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a directory and its parents for their owner only, unless it exists. Not with `recursive`, which hangs where a
 * new directory is refused as if its parent was missing, as in `/proc`.
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

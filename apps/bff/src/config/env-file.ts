import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Variables } from './settings.ts';

/** The variables of a `.env` file; none when there is no such file, a sentence when it cannot be read. */
export function readEnvFile(path: string): Variables | string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ENOENT' ? {} : `The file ${path} cannot be read${typeof code === 'string' ? ` (${code})` : ''}.`;
  }
  return parseEnv(text);
}

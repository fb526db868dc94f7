import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** Variables as text: the environment, or a parsed `.env` file. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A variable of the environment, or else of the `.env` file; an empty one counts as not set. */
export function variableOf(name: string, environment: Variables, envFile: Variables): string | undefined {
  return [environment[name], envFile[name]].map((value) => value?.trim()).find((value) => value);
}

/** The variables of a `.env` file; none when there is no such file, a sentence when it cannot be read. */
export function readEnvFile(path: string): Variables | string {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ENOENT' ? {} : `The file ${path} cannot be read${typeof code === 'string' ? ` (${code})` : ''}.`;
  }
}

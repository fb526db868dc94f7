import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** Variables as text: the environment, or a parsed `.env` file. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Returns a variable of the environment, otherwise of the `.env` file. An empty one counts as not set. */
export function variableOf(name: string, environment: Variables, envFile: Variables): string | undefined {
  return [environment[name], envFile[name]].map((value) => value?.trim()).find((value) => value);
}

/** Reads UTF-8, and drops the mark that editors on Windows put in front. Other text, such as UTF-16 with a mark, is an error. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the variables of a `.env` file: none if the file does not exist, an error message if it cannot be read. */
export function readEnvFile(path: string): Variables | string {
  try {
    return parseEnv(UTF8.decode(readFileSync(path)));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return `The file ${path} must be encoded in UTF-8.`;
    return code === 'ENOENT' ? {} : `The file ${path} cannot be read${typeof code === 'string' ? ` (${code})` : ''}.`;
  }
}

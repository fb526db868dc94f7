import { resolve } from 'node:path';
import { makeDirectory } from '@l4desk/runtime/node';
import type { SettingProblem } from './read-settings.ts';
import { SETTINGS, type Settings } from './settings.ts';

/** Creates the data directory if it is missing. Returns the problem if that fails. */
export function createDataDirectory({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): SettingProblem | undefined {
  try {
    makeDirectory(DATA_DIR);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const problem = `cannot be created: ${resolve(DATA_DIR)} (${code})`;
    return { name: 'DATA_DIR', problem, example: SETTINGS.DATA_DIR.example };
  }
}

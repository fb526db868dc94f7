import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const WORKSPACE = join(import.meta.dirname, '..', '..', '..');

const execute = promisify(execFile);

/** Builds apps whose sources changed, which `npm test` has done before. Resolves with the path of the first one's program. */
export async function builtProgram(app: string, ...others: readonly string[]): Promise<string> {
  await execute(process.execPath, [join(WORKSPACE, 'scripts', 'build.mjs'), app, ...others]);
  return join(WORKSPACE, 'apps', app, 'dist', 'main.js');
}

import { join } from 'node:path';
import { Program } from './program.ts';

const WORKSPACE = join(import.meta.dirname, '..', '..', '..', '..');

/** Arguments and environment of an example. */
export interface ExampleOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a package's example as a reader would, with `npm run example`. `file` is its path from the workspace root. */
export function runExample(file: string, { args = [], env = {} }: ExampleOptions = {}): Program {
  const script = join(WORKSPACE, 'scripts', 'example.mjs');
  return new Program(script, { args: [file, ...args], env, cwd: WORKSPACE });
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE } from './try-package.ts';

/** Returns a file of the folder `deploy`. */
export const deploy = (path: string) => readFileSync(join(WORKSPACE, 'deploy', path), 'utf8');

/** The fields of a compose file that the tests read. */
export interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image: string;
        readonly build?: { readonly context: string; readonly dockerfile: string };
        readonly entrypoint?: readonly string[];
        readonly command?: readonly string[];
        readonly environment: Readonly<Record<string, string>>;
        readonly volumes: readonly string[];
        readonly read_only: boolean;
        readonly cap_drop: readonly string[];
        readonly group_add?: readonly string[];
      }
    >
  >;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** Replaces the variables of a text with their defaults. */
export function filled(text: string): string {
  return text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');
}

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of the program with this name on the PATH; undefined if there is none. */
export function onPath(name) {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    try {
      const path = join(directory, name);
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this directory.
    }
  }
  return undefined;
}

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program of this name lies on the PATH; undefined where it does not. */
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

import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';

/**
 * Creates the file of an embedded database, and its side files, so that other users cannot read them. A file that
 * exists is not opened: closing it would release the locks of this process's other connections, and the next process to
 * close the database would delete the side file that this one still writes.
 */
export function createDatabaseFile(path: string): void {
  // Opening refuses what is no file, such as a folder.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) accessSync(path, constants.W_OK);
  else closeSync(openSync(path, 'a', 0o600));
}

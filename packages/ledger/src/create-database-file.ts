import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';

/**
 * Creates the file of an embedded database if it is missing: not by the library, so that other users cannot read it. Its side
 * files get the same mode.
 *
 * A file that exists is not opened here: closing it would release the locks of every other connection of this process. The next
 * process that closes the database would take itself for the last one and delete the side file, and this process would go on
 * with the deleted one: it would not see what others write, and nobody would see what it writes.
 */
export function createDatabaseFile(path: string): void {
  // Opening refuses what is no file, such as a folder.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) accessSync(path, constants.W_OK);
  else closeSync(openSync(path, 'a', 0o600));
}

import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Returns everything below a folder, except some folders: each path with its owner, mode and content. */
export function treeOf(folder: string, except: readonly string[] = []): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string) => {
    if (except.includes(path)) return;
    const stat = lstatSync(path);
    const own = `${stat.uid} ${stat.gid} ${stat.mode.toString(8)}`;
    if (stat.isSymbolicLink()) found.set(relative(folder, path), `${own} to ${readlinkSync(path)}`);
    else if (stat.isDirectory()) {
      found.set(relative(folder, path), own);
      for (const name of readdirSync(path)) visit(join(path, name));
    } else if (stat.isFile()) {
      const content = createHash('sha256').update(readFileSync(path)).digest('hex');
      found.set(relative(folder, path), `${own} ${content}`);
    } else found.set(relative(folder, path), own);
  };
  visit(folder);
  return found;
}

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Recordings of the real exchange: a node's capture of BTC, and responses of the info API. */
export type RecordedPart = 'btc-capture' | 'info';

/** The folder of a real recording, beside the checkout or in `L4DESK_DATA`; undefined if it is not on this machine. */
export function recordedData(part: RecordedPart): string | undefined {
  const folder = join(process.env.L4DESK_DATA ?? join(workspaceRoot(), '..', 'shared', 'data'), part);
  return existsSync(folder) ? folder : undefined;
}

/** Found by its workspace file, because a bundled benchmark runs from a folder of its own. */
function workspaceRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'pnpm-workspace.yaml')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

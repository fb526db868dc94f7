import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Has a server of tests ended, and its directory removed, when a process is gone, however that ended. */
export function endWith(owner: number, directory: string, pidFile: string): void {
  const script = join(import.meta.dirname, 'reaper.mjs');
  spawn(process.execPath, [script, directory, String(owner), pidFile], { detached: true, stdio: 'ignore' }).unref();
}

import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Ends a test server and removes its directory once a process is gone, however that process ended. */
export function endWith(owner: number, directory: string, pidFile: string): void {
  const script = join(import.meta.dirname, 'reaper.mjs');
  spawn(process.execPath, [script, directory, String(owner), pidFile], { detached: true, stdio: 'ignore' }).unref();
}

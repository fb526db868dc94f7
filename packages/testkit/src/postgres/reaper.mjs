// Ends a PostgreSQL server of tests when the process it was started for is gone, however that ended, and removes its
// directory. Ends by itself when the directory is gone.
//   node reaper.mjs <directory> <process id>
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [directory, owner] = process.argv.slice(2);

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

while (existsSync(directory) && isAlive(Number(owner))) await sleep(250);
if (existsSync(directory)) {
  try {
    const [line] = readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8').split('\n');
    const postmaster = Number(line);
    // A stopped one takes no other signal; SIGQUIT ends the server at once.
    for (const signal of ['SIGCONT', 'SIGQUIT']) process.kill(postmaster, signal);
    while (isAlive(postmaster)) await sleep(50);
  } catch {
    // It has ended already.
  }
  rmSync(directory, { recursive: true, force: true });
}

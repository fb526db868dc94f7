// Ends a server of tests when the process it was started for is gone, however that ended, and removes its directory. Ends by
// itself when the directory is gone.
//   node reaper.mjs <directory> <process id> <file whose first line is the server's process id>
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [directory, owner, pidFile] = process.argv.slice(2);

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Whether a process was started on the directory: the id in the file may be another program's by now. */
function isServer(pid) {
  return commandOf(pid).includes(directory);
}

/** What a process was started with; empty when it is gone. */
function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // No such process, or a system without these files.
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  }
}

while (existsSync(directory) && isAlive(Number(owner))) await sleep(250);
if (existsSync(directory)) {
  try {
    const [line] = readFileSync(pidFile, 'utf8').split('\n');
    const server = Number(line);
    // A stopped one takes no other signal; SIGQUIT ends the server at once.
    if (isServer(server)) for (const signal of ['SIGCONT', 'SIGQUIT']) process.kill(server, signal);
    while (isServer(server)) await sleep(50);
  } catch {
    // It has ended already.
  }
  rmSync(directory, { recursive: true, force: true });
}

// Ends a test server once the process it was started for is gone, however that process ended, and removes the server's directory.
// Exits on its own if the directory is gone.
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

/** Whether a process was started with this directory. The id in the file may belong to another program by now. */
function isServer(pid) {
  return commandOf(pid).includes(directory);
}

/** Returns the command line of a process, or an empty text if it is gone. */
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
    // A stopped process handles no other signal. SIGQUIT ends the server at once.
    if (isServer(server)) for (const signal of ['SIGCONT', 'SIGQUIT']) process.kill(server, signal);
    while (isServer(server)) await sleep(50);
  } catch {
    // It has ended already.
  }
  rmSync(directory, { recursive: true, force: true });
}

// Child processes of the scripts: runs one until it exits, and routes its output.
import { spawn } from 'node:child_process';
import { root } from './workspace.mjs';

/** How long a process may take to exit after SIGTERM before it is killed, in ms. */
const END_WITHIN_MS = 5_000;

/**
 * Runs a command until it exits and returns its exit code (128 after a signal). `output: 'inherit'` writes to this
 * process's streams, `'stderr'` sends both streams to standard error, `'keep'` returns both as text.
 *
 * After `ceilingMs`, the command and every process that it started are ended, even one that never returns to its event
 * loop, and `ranOut` is true.
 */
export function run(command, args, { cwd = root, env = {}, output = 'inherit', timeoutMs, ceilingMs } = {}) {
  const stdio = { inherit: 'inherit', stderr: ['ignore', 2, 2], keep: ['ignore', 'pipe', 'pipe'] }[output];
  return new Promise((resolve, reject) => {
    // A process group of its own is the only way to reach the processes that a runner starts.
    const grouped = ceilingMs !== undefined && process.platform !== 'win32';
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio,
      detached: grouped,
      shell: process.platform === 'win32',
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    });
    const text = [];
    let ranOut = false;
    const end = (signal) => {
      if (grouped) endGroup(child.pid, signal);
      else child.kill(signal);
    };
    // Ctrl-C in the terminal reaches only this process's own group.
    const signals = grouped ? ['SIGTERM', 'SIGINT'] : ['SIGTERM'];
    for (const signal of signals) process.on(signal, end);
    const timers = [];
    if (ceilingMs !== undefined) {
      const onCeiling = () => {
        ranOut = true;
        end('SIGTERM');
        timers.push(setTimeout(end, END_WITHIN_MS, 'SIGKILL'));
      };
      timers.push(setTimeout(onCeiling, ceilingMs));
    }
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => text.push(chunk));
    const done = () => {
      for (const timer of timers) clearTimeout(timer);
      for (const signal of signals) process.off(signal, end);
      // Processes that the command left in its group would continue without it.
      if (ranOut && grouped) endGroup(child.pid, 'SIGKILL');
    };
    child.once('error', (error) => {
      done();
      reject(error);
    });
    child.once('close', (code, signal) => {
      done();
      resolve({ code: signal === null ? code : 128, text: Buffer.concat(text).toString('utf8'), ranOut });
    });
  });
}

function endGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // The last process of the group is already gone.
    if (error.code !== 'ESRCH') throw error;
  }
}

// Child processes of the scripts: run one to its end, and keep its output where it belongs.
import { spawn } from 'node:child_process';
import { root } from './workspace.mjs';

/** How long a process that was told to end may take before it is killed. */
const END_WITHIN_MS = 5_000;

/**
 * Runs a command to its end and returns its exit code (128 after a signal).
 * `output: 'inherit'` writes to ours, `'stderr'` sends both streams to standard error,
 * `'keep'` returns both as text.
 *
 * After `ceilingMs` the command and every process it started is ended, one that never returns to its event loop too,
 * and `ranOut` is true.
 */
export function run(command, args, { cwd = root, env = {}, output = 'inherit', timeoutMs, ceilingMs } = {}) {
  const stdio = { inherit: 'inherit', stderr: ['ignore', 2, 2], keep: ['ignore', 'pipe', 'pipe'] }[output];
  return new Promise((resolve, reject) => {
    // A process group of its own is the only handle on the processes that a runner starts.
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
    // The terminal's Ctrl-C reaches our own group alone.
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
      // Whatever the command left running in its group would go on without it.
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
    // Its last process is gone already.
    if (error.code !== 'ESRCH') throw error;
  }
}

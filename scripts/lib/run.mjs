// Child processes of the scripts: run one to its end, and keep its output where it belongs.
import { spawn } from 'node:child_process';
import { root } from './workspace.mjs';

/**
 * Runs a command to its end and answers its exit code (128 + n after a signal).
 * `output: 'inherit'` writes to ours, `'stderr'` sends both streams to standard error,
 * `'keep'` returns both as text.
 */
export function run(command, args, { cwd = root, env = {}, output = 'inherit', timeoutMs } = {}) {
  const stdio = { inherit: 'inherit', stderr: ['ignore', 2, 2], keep: ['ignore', 'pipe', 'pipe'] }[output];
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio,
      shell: process.platform === 'win32',
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    });
    const text = [];
    const forward = (signal) => child.kill(signal);
    process.on('SIGTERM', forward);
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => text.push(chunk));
    const done = () => process.off('SIGTERM', forward);
    child.once('error', (error) => {
      done();
      reject(error);
    });
    child.once('close', (code, signal) => {
      done();
      resolve({ code: signal === null ? code : 128, text: Buffer.concat(text).toString('utf8') });
    });
  });
}

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { run } from './run.mjs';
import { cacheDir } from './workspace.mjs';

const pidFile = join(cacheDir, `run-test-${process.pid}.pid`);

afterEach(() => rmSync(pidFile, { force: true }));

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

it('returns the exit code and the text of a command that exits on its own', async () => {
  const result = await run(process.execPath, ['-e', 'console.log("done"); process.exit(3)'], {
    output: 'keep',
    ceilingMs: 60_000,
  });
  expect(result).toEqual({ code: 3, text: 'done\n', ranOut: false });
});

it('ends a command that exceeds its ceiling, together with a child in an endless loop', async () => {
  const loop = `require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); process.on('SIGTERM', () => {}); for (;;);`;
  const parent = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(loop)}]); setInterval(() => {}, 1000);`;
  const { code, ranOut } = await run(process.execPath, ['-e', parent], { output: 'keep', ceilingMs: 2_000 });
  expect({ code, ranOut }).toEqual({ code: 128, ranOut: true });
  await expect.poll(() => isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
});

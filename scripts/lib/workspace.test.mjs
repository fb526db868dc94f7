import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireNode, root } from './workspace.mjs';

describe('the required Node version', () => {
  it.each(['20.20.0', '20.21.3', '22.0.0', '26.6.6'])('accepts %s', (version) => {
    expect(() => requireNode(version)).not.toThrow();
  });

  it.each(['18.20.8', '20.19.9', '8.0.0'])('rejects %s in one sentence that names both versions', (version) => {
    expect(() => requireNode(version)).toThrow(`needs Node 20.20 or newer; this is Node ${version}`);
  });
});

describe('a command of the repository', () => {
  const bench = (...words) =>
    spawnSync(process.execPath, [join(root, 'scripts', 'bench.mjs'), ...words], { encoding: 'utf8' });

  it('with --help prints its description and does nothing else', () => {
    const { status, stdout } = bench('--help');
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^`npm run bench [\s\S]*misses its bar\.\n$/)]);
  });

  it('rejects an unknown option in one line', () => {
    const { status, stderr } = bench('--jsno');
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^Unknown option '--jsno'[^\n]*\n$/)]);
  });
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { generatedCapture, temporaryDirectory } from '@l4desk/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommand } from './test-support/command.ts';
import { writeRecording } from './test-support/write-recording.ts';

const isMissing = vi.hoisted(() => ({ now: false }));

vi.mock('@duckdb/node-api', async (original) => {
  if (isMissing.now) throw new Error('Cannot find package');
  return original();
});

let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
let path: string;

beforeAll(async () => {
  folder = await temporaryDirectory();
  path = join(folder.path, 'btc.l4rec');
  const { levels, batches } = generatedCapture();
  const start = { levels, epoch: batches[0]?.epoch ?? '', height: 0, time: 1_790_000_000_000, seq: 0 };
  writeRecording(path, 'BTC', start, batches);
});

afterAll(() => folder[Symbol.asyncDispose]());

const run = (...words: readonly string[]) => runCommand(words);

describe('export and sql of the command line', () => {
  // Must run first: a module that was found once stays loaded.
  it('name the package to install if DuckDB is missing', async () => {
    isMissing.now = true;
    const out = join(folder.path, 'none');
    for (const words of [
      ['sql', path, 'SELECT 1'],
      ['export', path, '--format', 'parquet', '--out', out],
    ])
      expect(await run(...words)).toEqual({
        code: 1,
        out: '',
        err: 'DuckDB is not installed here: npm install @duckdb/node-api\n',
      });
    isMissing.now = false;
    vi.resetModules();
    expect(await run('sql', path, ' ')).toEqual({ code: 2, out: '', err: 'The query is empty.\n' });
  });

  it('write the tables and refuse to overwrite them', async () => {
    const out = join(folder.path, 'csv');
    const { code, out: text } = await run('export', path, '--format', 'csv', '--out', out, '--json');
    expect(code).toBe(0);
    const { files } = JSON.parse(text);
    expect(files.find((file: { path: string }) => file.path.endsWith('blocks.csv'))).toMatchObject({ rows: 200 });
    expect(readdirSync(out)).toEqual(
      ['blocks', 'changes', 'gaps', 'orders', 'recording', 'statuses'].map((name) => `${name}.csv`),
    );
    const again = await run('export', path, '--format', 'csv', '--out', out);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('exists already')]);
    expect((await run('export', path, '--format', 'xlsx', '--out', out)).code).toBe(2);
  });

  it('state that events for hftbacktest are floats', async () => {
    const { code, out } = await run('export', path, '--format', 'hftbacktest', '--out', join(folder.path, 'npz'));
    expect([code, out]).toEqual([0, expect.stringContaining('BTC-0001.npz')]);
    expect(out).toContain('64-bit floats');
  });
});

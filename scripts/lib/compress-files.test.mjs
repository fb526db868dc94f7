import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { compressFiles } from './compress-files.mjs';

const directory = mkdtempSync(join(tmpdir(), 'l4desk-compress-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it('writes compressed versions of the files that a browser loads, except small ones', async () => {
  const code = 'const row = 1;\n'.repeat(200);
  const files = { 'app.js': code, 'app.js.map': code, 'theme.js': 'let a;', 'font.woff2': code };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);

  await compressFiles(directory);

  expect(readdirSync(directory).sort()).toEqual(
    ['app.js', 'app.js.br', 'app.js.gz', 'app.js.map', 'font.woff2', 'theme.js'].sort(),
  );
  expect(brotliDecompressSync(readFileSync(join(directory, 'app.js.br'))).toString()).toBe(code);
  expect(gunzipSync(readFileSync(join(directory, 'app.js.gz'))).toString()).toBe(code);
});

import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const WORKSPACE = join(import.meta.dirname, '..', '..', '..');

/** The workspace files that a bundle of these exports contains. */
async function carriedBy(names: readonly string[], entry = './index.ts'): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: WORKSPACE,
    stdin: { contents: `export { ${names.join()} } from '${entry}';`, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    metafile: true,
    write: false,
  });
  const [output] = Object.values(metafile.outputs);
  const carried = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return carried.map(([path]) => path).filter((path) => path.startsWith('packages/'));
}

describe('the bundle of a page', () => {
  it('with one figure of a book contains no stream, no query and no history', async () => {
    const carried = await carriedBy(['figures'], './insight/index.ts');
    expect(
      carried.filter((path) => /client\/src\/(stream|follow|info|wallets)\/|\/history\/|\/watch\//.test(path)),
    ).toEqual([]);
  });

  it('with followed books contains no query but the snapshot', async () => {
    const carried = await carriedBy(['createClient', 'follow']);
    expect(carried.filter((path) => path.includes('/info/'))).toEqual([
      'packages/protocol/src/info/decode.ts',
      'packages/client/src/info/l4BookSnapshot.ts',
    ]);
  });
});

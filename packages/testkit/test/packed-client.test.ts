import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Chance, ScriptedService, wallet } from '@l4desk/testkit';
import { Program } from '@l4desk/testkit/stack';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { execute, leaks, manifestOf, type Tried, tryPackage, WORKSPACE } from './test-support/try-package.ts';

/** A user's compiler options. Libraries are type-checked too, because the package is one. */
const USER_TSCONFIG = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    skipLibCheck: false,
    noEmitOnError: true,
    types: ['node'],
    outDir: 'built',
  },
  include: ['*.ts'],
};

/** Types that must arrive intact: one valid call and two invalid ones. */
const TYPED = `
import { createClient, openOrders } from '@l4desk/client';
const client = createClient({ baseUrl: 'http://127.0.0.1:1' });
export async function prices(): Promise<(string | null | undefined)[]> {
  const orders = await openOrders(client, { user: '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5' });
  // @ts-expect-error: a price is a decimal string
  orders.map(({ limitPx }) => limitPx satisfies number);
  return orders.map(({ limitPx }) => limitPx);
}
// @ts-expect-error: a wallet begins with 0x
export const wrong = () => openOrders(client, { user: 'somebody' });
`;

describe('the package @l4desk/client', () => {
  let tried: Tried;
  beforeAll(async () => {
    tried = await tryPackage('client', '@l4desk/client', [
      ['packages/protocol', 'zod'],
      ['packages/decimal', 'decimal.js'],
      ['packages/client', 'ws'],
      ['packages/client', '@types/ws'],
    ]);
    return () => tried[Symbol.asyncDispose]();
  });

  it('contains every module with its types, README, API reference and examples, and nothing of the workspace', () => {
    const { files, installed } = tried;
    const modules = files.filter((file) => file.startsWith('dist/'));
    const examples = readdirSync(join(WORKSPACE, 'packages', 'client', 'examples')).filter(
      (name) => !name.includes('.test.'),
    );
    expect(files.filter((file) => !file.startsWith('dist/'))).toEqual([
      'LICENSE',
      'README.md',
      ...['README', 'index', 'insight', 'stream'].map((name) => `api/${name}.md`),
      ...examples.map((name) => `examples/${name}`),
      'package.json',
    ]);
    const withoutEnding = modules.map((file) => file.replace(/\.(?:js|d\.ts)$/, ''));
    expect(modules).toEqual([...new Set(withoutEnding)].flatMap((module) => [`${module}.d.ts`, `${module}.js`]));
    expect(files.filter((file) => /\.(?:test|bench)\.|test-support/.test(file))).toEqual([]);
    expect(leaks(tried)).toEqual([]);
    expect(tried.tarballBytes).toBeLessThan(300_000);

    const declared = Object.keys(manifestOf(installed).dependencies ?? {});
    expect(declared.sort()).toEqual(['decimal.js', 'zod']);
    for (const file of modules) {
      const text = readFileSync(join(installed, file), 'utf8');
      for (const [, specifier = ''] of text.matchAll(/\b(?:from |import |import\()['"]([^'"\s]+)['"]/g)) {
        const isPacked = existsSync(resolve(installed, dirname(file), specifier));
        expect(isPacked || declared.includes(specifier), `${specifier} in ${file}`).toBe(true);
      }
    }
  });

  it('documents everything that it exports', async () => {
    const exported: string[] = [];
    for (const path of ['.', './insight']) {
      const entry = manifestOf(tried.installed).exports?.[path]?.default ?? '';
      exported.push(...Object.keys((await import(pathToFileURL(join(tried.installed, entry)).href)) as object));
    }
    expect(exported).toEqual(expect.arrayContaining(['follow', 'ownerLens', 'QueueLives', 'History', 'RuleWatch']));
    const documented = ['index', 'insight'].flatMap((name) => {
      const page = readFileSync(join(tried.installed, 'api', `${name}.md`), 'utf8').replaceAll('\\_', '_');
      return [...page.matchAll(/^### (\w+)/gm)].map(([, symbol]) => symbol);
    });
    expect(documented).toEqual(
      expect.arrayContaining([...exported, 'Follower', 'BookStatus', 'OrderLife', 'QueueLife']),
    );
  });

  it('gives a page what it imports and no more', async () => {
    const { metafile } = await build({
      absWorkingDir: tried.directory,
      stdin: { contents: "export { createClient, openOrders } from '@l4desk/client';", resolveDir: tried.directory },
      bundle: true,
      format: 'esm',
      metafile: true,
      write: false,
    });
    const carried = Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    );
    const kinds = carried.filter((path) => /\/dist\/(?:book|insight|client\/(?:info|follow))\//.test(path));
    expect(kinds).toEqual(['node_modules/@l4desk/client/dist/client/info/openOrders.js']);
  });

  it('type-checks in separate programs that follow a book and analyse it', async () => {
    const { directory, installed } = tried;
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(USER_TSCONFIG));
    writeFileSync(join(directory, 'typed.ts'), TYPED);
    for (const name of ['follow.ts', 'analysis.ts'])
      writeFileSync(join(directory, name), readFileSync(join(installed, 'examples', name)));
    const tsc = join(WORKSPACE, 'node_modules', '.bin', 'tsc');
    // Rejects with the compiler's output.
    await execute(tsc, ['-p', directory]);

    await using service = await ScriptedService.start({ coins: ['BTC', 'ETH'], chance: new Chance(8) });
    await using program = new Program(join(directory, 'built', 'follow.js'), {
      cwd: directory,
      env: { L4DESK_URL: service.url, L4DESK_KEY: 'l4k_key' },
    });
    for (const coin of ['BTC', 'ETH']) await program.printed(new RegExp(`^${coin} live`));
    for (let block = 0; block < 3; block += 1) service.block(['BTC']);
    await program.printed(/^3 blocks$/);
    expect((await program.ended).code).toBe(0);

    await using analysis = new Program(join(directory, 'built', 'analysis.js'), {
      cwd: directory,
      env: { L4DESK_URL: service.url, L4DESK_KEY: 'l4k_key', WALLET: wallet(1) },
    });
    await analysis.printed(/^\d+: \d+ orders$/);
    for (let block = 0; block < 3; block += 1) service.block(['BTC']);
    await analysis.printed(/^best bid 3 blocks ago: \d+, /);
    expect((await analysis.ended).code).toBe(0);
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkFiles } from './check-imports.ts';
import { importCircles } from './import-circles.ts';
import { IMPORT_TABLE, PARTS, PURE_PARTS } from './import-table.ts';
import { readFacts } from './source-file.ts';
import { folderOfPart, ROOT, readJson, workspaceFiles } from './workspace-files.ts';

/** Read once, because parsing every file takes seconds. */
const FILES = workspaceFiles();

describe('the workspace', () => {
  it('imports only what the table allows', () => {
    expect(FILES.length).toBeGreaterThan(0);
    expect(checkFiles(FILES)).toEqual([]);
  });

  it.each(PARTS)('reports a wrong import in %s', (part) => {
    const path = `${folderOfPart(part)}/src/planted.ts`;
    const text = `import { planted } from '@l4desk/${part === 'web' ? 'bff' : 'web'}';`;
    expect(checkFiles([{ path, text }])).toEqual([
      expect.objectContaining({ rule: IMPORT_TABLE[part].id, where: `${path}:1` }),
    ]);
  });

  it('has no import cycle, by type or by value', () => {
    expect(importCircles(FILES)).toEqual([]);
  });

  it.each(['feed', 'ledger', 'client'] as const)('the examples of %s import packages by their names', (part) => {
    const examples = FILES.filter(({ path }) => path.startsWith(`${folderOfPart(part)}/examples/`));
    const references = examples.flatMap((file) => readFacts(file).references.map(({ specifier }) => specifier));
    expect(references).toContain(`@l4desk/${part}`);
    expect(references.filter((specifier) => specifier === null || specifier.startsWith('.'))).toEqual([]);
  });

  it.each(PARTS)('%s declares no parts beyond those that the table allows', (part) => {
    const { dependencies = {} } = readJson(`${folderOfPart(part)}/package.json`) as { dependencies?: object };
    const { parts, types = [], within = {} } = IMPORT_TABLE[part];
    const allowed = new Set([...parts, ...types, ...Object.keys(within)].map((name) => `@l4desk/${name}`));
    const declared = Object.keys(dependencies).filter((name) => name.startsWith('@l4desk/'));
    expect(declared.filter((name) => !allowed.has(name))).toEqual([]);
  });
});

describe('pure parts', () => {
  it.each(PURE_PARTS)('%s compiles with the pure settings', (part) => {
    const settings = readJson(`${folderOfPart(part)}/tsconfig.src.json`);
    expect(settings).toMatchObject({ extends: '../config/tsconfig.pure.json', include: ['src'] });
    expect(settings).not.toHaveProperty('compilerOptions');
  });

  it('have no clock, socket, DOM or Node in the pure settings', () => {
    const missing = ['setTimeout', 'performance', 'fetch', 'WebSocket', 'document', 'console', 'process', 'Buffer'];
    expect(unknownNames(missing)).toEqual(missing);
    expect(unknownNames(['Map', 'BigInt', 'Uint8Array'])).toEqual([]);
  });
});

/** The names of `names` that do not type-check under tsconfig.pure.json. */
function unknownNames(names: readonly string[]): string[] {
  const directory = mkdtempSync(join(tmpdir(), 'l4desk-pure-'));
  try {
    const base = join(ROOT, 'packages', 'config', 'tsconfig.pure.json');
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ extends: base, files: ['names.ts'] }));
    writeFileSync(
      join(directory, 'names.ts'),
      names.map((name) => `export const of${name}: unknown = ${name};`).join('\n'),
    );
    const output = compile(directory);
    return names.filter((name) => output.includes(`Cannot find name '${name}'`));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function compile(directory: string): string {
  const compiler = createRequire(join(ROOT, 'package.json')).resolve('typescript/package.json');
  try {
    return execFileSync(process.execPath, [join(dirname(compiler), 'bin', 'tsc'), '-p', directory], {
      encoding: 'utf8',
    });
  } catch (error) {
    // The compiler found errors and printed them.
    return (error as { stdout: string }).stdout;
  }
}

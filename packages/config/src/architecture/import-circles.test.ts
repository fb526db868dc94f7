import { describe, expect, it } from 'vitest';
import { importCircles } from './import-circles.ts';

/** Files of a part by name, and the cycles among them. */
const circlesOf = (files: Readonly<Record<string, string>>) =>
  importCircles(Object.entries(files).map(([name, text]) => ({ path: `packages/book/src/${name}`, text }))).map(
    (circle) => circle.map((path) => path.slice('packages/book/src/'.length)).join(' → '),
  );

describe('finds an import cycle', () => {
  it.each([
    ['by value', "import { b } from './b.ts';", "import { a } from './a.ts';"],
    ['by type', "import type { B } from './b.ts';", "import type { A } from './a.ts';"],
    ['by value one way and by type the other', "import { b } from './b.ts';", "import { type A } from './a.ts';"],
    ['by exports', "export * from './b.ts';", "export type { A } from './a.ts';"],
    ['by an import type', "type B = import('./b.ts').B;", "import { a } from './a.ts';"],
    ['by an import on demand', "const b = await import('./b.ts');", "import { a } from './a.ts';"],
  ])('%s', (_, a, b) => {
    expect(circlesOf({ 'a.ts': a, 'b.ts': b })).toEqual(['a.ts → b.ts → a.ts']);
  });

  it('of three files in two folders, reached from a file outside it', () => {
    const files = {
      'index.ts': "export * from './sync/table.ts';",
      'sync/table.ts': "import { L4Book } from '../book.ts';",
      'book.ts': "import { side } from './sync/side.ts';",
      'sync/side.ts': "import type { Table } from './table.ts';",
    };
    expect(circlesOf(files)).toEqual(['sync/table.ts → book.ts → sync/side.ts → sync/table.ts']);
  });

  it('of a file with itself', () => {
    expect(circlesOf({ 'a.ts': "import { a } from './a.ts';" })).toEqual(['a.ts → a.ts']);
  });

  it('each of two, once', () => {
    const files = {
      'a.ts': "import { b } from './b.ts'; import { c } from './c.ts';",
      'b.ts': "import { a } from './a.ts';",
      'c.ts': "import { a } from './a.ts';",
    };
    expect(circlesOf(files)).toEqual(['a.ts → b.ts → a.ts', 'a.ts → c.ts → a.ts']);
  });
});

it('files imported by two others, and packages, form no cycle', () => {
  const files = {
    'a.ts': "import { b } from './b.ts'; import { c } from './c.ts'; import { z } from '@l4desk/protocol';",
    'b.ts': "import type { C } from './c.ts';",
    'c.ts': "import { d } from './d.ts'; import data from './levels.json';",
    'd.ts': '',
  };
  expect(circlesOf(files)).toEqual([]);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { checkRules } from './check-rules.mjs';

const roots = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** The problems of a tree whose page has the rules `A-1` and `A-2`, and whose only test is `source`. */
function problemsOf(source, page = '| A-1 | the first |\n| A-2 | the second |\n') {
  const root = mkdtempSync(join(tmpdir(), 'l4desk-rules-'));
  roots.push(root);
  for (const [path, text] of [
    ['docs/wire/a.md', page],
    ['packages/a/src/a.test.ts', source],
    ['packages/a/node_modules/b/b.test.ts', "it('[A-9] of a dependency', f);"],
  ]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkRules(root).problems;
}

it('passes when titles cite all rules, alone or together', () => {
  expect(problemsOf("it('[A-1] one', f);\nit.each(cases)(`[A-2, A-1] %s`, f);\nit('no rule', f);")).toEqual([]);
});

it('names a rule that no title cites', () => {
  expect(problemsOf("it('[A-1] one', f); // A-2")).toEqual(['no test cites A-2: the second']);
});

it('names a title that cites an unknown rule', () => {
  expect(problemsOf("it('[A-1, A-2, A-3] all', f);")).toEqual([
    'packages/a/src/a.test.ts: cites A-3, which is not in docs/wire',
  ]);
});

it('names a rule that is there twice, and a project without rules', () => {
  const twice = '| A-1 | the first |\n| A-1 | again |\n';
  expect(problemsOf("it('[A-1] one', f);", twice)).toEqual(['A-1 is a rule twice']);
  expect(problemsOf('', '')).toEqual(['docs/wire: no rules found']);
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkRules, report } from './check-rules.mjs';

const SCRIPT = join(import.meta.dirname, 'check-rules.mjs');

const roots = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** Creates a tree with the given files. */
function treeOf(files) {
  const root = mkdtempSync(join(tmpdir(), 'l4desk-rules-'));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** The exit status and the output of the command for a tree with the given files. */
function check(files) {
  const result = checkRules(treeOf(files));
  return { status: result.problems.length > 0 ? 1 : 0, output: report(result) };
}

/** RULES.md with the given rows, each `[id, state]`. */
function rules(...rows) {
  const table = rows.map(([id, state = '']) => `| ${id} | what ${id} says | §1 | ${state} |`);
  return ['# The rules', '', '| id | rule | source | state |', '|---|---|---|---|', ...table, ''].join('\n');
}

const RULES = 'packages/protocol/RULES.md';
const TEST = 'packages/book/src/sync.test.ts';

/** Checks a tree with the rules and one test file. */
const withTest = (source, path = TEST) => check({ [RULES]: rules(['A-1'], ['A-2']), [path]: source });

describe('the command', () => {
  it.each([
    ['0', "it('[A-1] one', f);"],
    ['1', "it('[A-2] two', f);"],
  ])('exits with %s and prints the report', (code, source) => {
    const files = { [RULES]: rules(['A-1']), [TEST]: source };
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, treeOf(files)], { encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([Number(code), check(files).output, '']);
  });

  it('passes when every rule is cited, and prints the totals', () => {
    const { status, output } = withTest("it('[A-1] one', f);\nit('[A-2] two', f);\nit('no rule', f);");
    expect(output).toBe('2 rules: 2 of 2 due are cited, by 2 titles in 1 files; 0 planned, 0 retired; 0 problems\n');
    expect(status).toBe(0);
  });

  it('fails on a rule that no test cites, and prints its text', () => {
    const { status, output } = withTest("it('[A-1] one', f);");
    expect(output).toContain('no test cites A-2: what A-2 says\n');
    expect(status).toBe(1);
  });

  it('fails on a test that cites an unknown rule, and names the line', () => {
    const { status, output } = withTest("it('[A-1, A-2] both', f);\n\nit('[A-3] three', f);");
    expect(output).toContain(`${TEST}:3: cites A-3, which is not in ${RULES}\n`);
    expect(status).toBe(1);
  });

  it('passes on planned and retired rules without a test, and lists the planned ones by capability', () => {
    const { status, output } = check({
      [RULES]: rules(
        ['A-1', 'planned: service'],
        ['A-2', 'planned: cluster'],
        ['B-1', 'planned: service'],
        ['B-2', 'retired'],
      ),
    });
    expect(output).toBe(
      'planned: service (2): A-1 B-1\nplanned: cluster (1): A-2\n' +
        '4 rules: 0 of 0 due are cited, by 0 titles in 0 files; 3 planned, 1 retired; 0 problems\n',
    );
    expect(status).toBe(0);
  });

  it('fails on a planned rule that is cited', () => {
    const { status, output } = check({ [RULES]: rules(['A-1', 'planned: service']), [TEST]: "it('[A-1] one', f);" });
    expect(output).toContain(`${TEST}:1: cites A-1, which is "planned: service": unmark it in ${RULES}\n`);
    expect(status).toBe(1);
  });

  it('fails on a retired rule that is cited', () => {
    const { status, output } = check({ [RULES]: rules(['A-1', 'retired']), [TEST]: "it('[A-1] one', f);" });
    expect(output).toContain(`${TEST}:1: cites A-1, which is retired\n`);
    expect(status).toBe(1);
  });

  it('fails on a duplicate id', () => {
    const { status, output } = check({ [RULES]: rules(['A-1'], ['A-1']), [TEST]: "it('[A-1] one', f);" });
    expect(output).toContain(`${RULES}:6: A-1 is there twice\n`);
    expect(status).toBe(1);
  });

  it('fails on an id out of order, but allows missing numbers, because topics have ranges', () => {
    const { status, output } = check({ [RULES]: rules(['A-3'], ['A-1']), [TEST]: "it('[A-1, A-3] both', f);" });
    expect(output).toContain(`${RULES}:6: A-1 should stand before A-3`);
    expect(status).toBe(1);
    expect(check({ [RULES]: rules(['A-1'], ['A-3']), [TEST]: "it('[A-1, A-3] both', f);" }).status).toBe(0);
  });

  it.each([
    ['an unknown state', '| A-1 | text | §1 | planned: soon |', 'A-1 has the unknown state "planned: soon"'],
    ['a missing cell', '| A-1 | text | |', 'A-1 needs the four cells'],
    ['an empty source', '| A-1 | text | | |', 'A-1 needs the four cells'],
    ['a cell too many', '| A-1 | this | that | §1 | |', 'A-1 needs the four cells'],
    ['an id of another form', '| a1 | text | §1 | |', '"a1" is no rule id'],
  ])('fails on a row with %s', (_, row, problem) => {
    const { status, output } = check({ [RULES]: `${rules()}${row}\n`, [TEST]: "it('[A-1] one', f);" });
    expect(output).toContain(`${RULES}:5: ${problem}`);
    expect(status).toBe(1);
  });

  it('fails on a list without rules', () => {
    expect(check({ [RULES]: '# The rules\n' })).toMatchObject({ status: 1 });
  });

  it.each([
    ['a range', "it('[A-1..2] both', f);", 'cannot read [A-1..2]'],
    ['another separator', "it('[A-1/A-2] both', f);", 'cannot read [A-1/A-2]'],
    ['an id in the middle of the title', "it('both [A-1]', f);", '[A-1] must stand at the beginning'],
  ])('fails on a citation that cannot be read: %s', (_, source, problem) => {
    const { status, output } = withTest(source);
    expect(output).toContain(`${TEST}:1: ${problem}`);
    expect(status).toBe(1);
  });
});

describe('the files it reads', () => {
  it.each([
    'packages/book/src/sync.test.ts',
    'packages/book/test/deep/er/sync.spec.ts',
    'apps/web/src/app.test.tsx',
    'e2e/journeys/start.spec.ts',
    'scripts/start.test.mjs',
  ])('reads %s', (path) => {
    expect(withTest("it('[A-1, A-2] both', f);", path).status).toBe(0);
  });

  it.each([
    'packages/book/src/sync.ts',
    'packages/book/node_modules/other/src/sync.test.ts',
    'apps/web/dist/app.test.mjs',
    'e2e/.cache/start.spec.ts',
    'docs/start.test.ts',
  ])('ignores %s', (path) => {
    expect(withTest("it('[A-1, A-2] both', f);", path).output).toContain('by 0 titles in 0 files');
  });
});

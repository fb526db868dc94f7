import { describe, expect, it } from 'vitest';
import { testTitles } from './test-titles.mjs';

const titles = (source) => testTitles(source).map(({ title }) => title);

describe('a title is the literal first argument of a test function', () => {
  it.each([
    ['single quotes', "it('one', f);"],
    ['double quotes', 'it("one", f);'],
    ['a template', 'it(`one`, f);'],
    ['a line of its own, after comments', "it(\n  // why\n  /* and */ 'one',\n  f,\n);"],
    ['test', "test('one', f);"],
    ['describe', "describe('one', () => {});"],
    ['a call inside a callback', "for (const c of cases) { it('one', f); }"],
    ['a table of cases', "it.each([[1, ')'], [2, '(']])('one', f);"],
    ['a typed table of cases', "it.each<[number, () => void]>(cases)('one', f);"],
    ['a table written as a template', 'it.each`a | b\n${1} | ${f({})}\n`("one", f);'],
    ['members in a chain', "describe.concurrent.each(cases)('one', f);"],
    ['a condition', "it.runIf(hasData())('one', f);"],
    ['a Playwright group', "test.describe('one', f);"],
  ])('%s', (_, source) => {
    expect(titles(source)).toEqual(['one']);
  });

  it('groups and tests are returned in order, with their lines', () => {
    const source = "describe('one', () => {\n  it('two', f);\n\n  it('three', f);\n});";
    expect(testTitles(source)).toEqual([
      { title: 'one', line: 1 },
      { title: 'two', line: 2 },
      { title: 'three', line: 4 },
    ]);
  });

  it('returns the text before the first expression of a template or a concatenation', () => {
    expect(titles('it(`one ${`a ${b}`} two`, f);')).toEqual(['one ']);
    expect(titles("it('one ' + two, f);")).toEqual(['one ']);
  });

  it('resolves escapes', () => {
    expect(titles("it('the book\\'s \\`best\\`', f);")).toEqual(["the book's `best`"]);
  });
});

describe('other code has no title', () => {
  it.each([
    ['a line comment', "// it('one', f);"],
    ['a block comment', "/* it('one', f); */"],
    ['a string', 'const s = "it(\'one\', f)";'],
    ['a template', "const s = `it('one', f)`;"],
    ['an argument that is no literal', 'it(title, f);'],
    ['another function', "step('one', f);"],
    ['a name that only ends like one', "submit('one', f);"],
    ['a method of another object', "pattern.test('one');"],
    ['a hook or step of Playwright', "test.step('one', f);\ntest.beforeEach('one', f);"],
    ['a skipped test', "it.skip('one', f);\nit.todo('one');\ntest.fixme('one', f);"],
    ['a test inside a skipped group', "describe.skip('group', () => { it('one', f); });"],
    ['a table of skipped cases', "it.skip.each(cases)('one', f);"],
    ['a name without a call', 'const title = it;'],
    ['a call that never closes', 'it.each(['],
  ])('%s', (_, source) => {
    expect(titles(source)).toEqual([]);
  });
});

describe('code before a test does not hide it', () => {
  it.each([
    ['a regular expression with quotes', 'const r = /[/\'"`]/.test(x);'],
    ['a regular expression after return', 'function f() { return /`/; }'],
    ['divisions', 'const r = a / b / (c) / d[0] / 2;'],
    ['an apostrophe in JSX text', 'const a = <p title="x">don\'t <br /> {b} </p>;'],
    ['an address in JSX text', 'const a = (\n  <p>\n    http://here\n  </p>\n);'],
    ['a template with braces', 'const s = `{ ${ { a: { b: `}` } }.a } {`;'],
    ['an escaped quote', "const s = 'a\\'b';"],
    ['a skipped test', "it.skip('two', () => { f(')'); });"],
    ['a comment with a quote', "// don't"],
  ])('%s', (_, source) => {
    expect(titles(`${source}\nit('one', f);`)).toEqual(['one']);
  });
});

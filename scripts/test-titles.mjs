// Extracts test titles from a source file: the literal first argument of `it`, `test` and `describe`.
import { parseSync } from 'oxc-parser';

const TEST_FUNCTIONS = new Set(['it', 'test', 'describe']);

/** Members that lead from a test function to another call with a title (vitest's and Playwright's). */
const TITLED_MEMBERS = new Set(
  'only concurrent sequential shuffle fails fail describe serial parallel each for skipIf runIf'.split(' '),
);

/** Members whose test does not run, so that its title and the titles inside it prove nothing. */
const SKIPPING_MEMBERS = new Set(['skip', 'todo', 'fixme']);

/** Members that are called once before the call with the title: `it.each(cases)('title', …)`. */
const CURRIED_MEMBERS = new Set(['each', 'for', 'skipIf', 'runIf']);

/**
 * The titles of the tests that run, with their line numbers. For a template or a concatenation, the text before its first
 * expression.
 *
 * @param {string} source
 * @param {string} path decides the dialect: `.tsx` may contain JSX
 * @returns {{ title: string, line: number }[]}
 */
export function testTitles(source, path = 'test.tsx') {
  const titles = [];
  const visit = (node) => {
    if (Array.isArray(node)) {
      for (const each of node) visit(each);
      return;
    }
    if (typeof node?.type !== 'string') return;
    const call = titledCall(node);
    if (call?.skipped) return;
    const title = call && leadingText(node.arguments[0]);
    if (title !== undefined) titles.push({ title, line: lineOf(source, node.arguments[0].start) });
    for (const value of Object.values(node)) if (typeof value === 'object') visit(value);
  };
  visit(parseSync(path, source).program);
  return titles;
}

/** If the node is the call of a test function with the title, returns whether that test is skipped. */
function titledCall({ type, callee }) {
  if (type !== 'CallExpression') return undefined;
  let skipped = false;
  let at = callee;
  // The curried call of a table comes first: `it.each(cases)`, or `it.each` before a template.
  if (at.type === 'CallExpression' || at.type === 'TaggedTemplateExpression') {
    at = at.type === 'CallExpression' ? at.callee : at.tag;
    if (!CURRIED_MEMBERS.has(at.property?.name)) return undefined;
  } else if (CURRIED_MEMBERS.has(at.property?.name)) {
    return undefined;
  }
  while (at.type === 'MemberExpression') {
    if (SKIPPING_MEMBERS.has(at.property.name)) skipped = true;
    else if (!TITLED_MEMBERS.has(at.property.name)) return undefined;
    at = at.object;
  }
  return at.type === 'Identifier' && TEST_FUNCTIONS.has(at.name) ? { skipped } : undefined;
}

/** The text at the start of an expression, or undefined if it is only known at run time. */
function leadingText(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral') return node.quasis[0].value.cooked;
  return node?.type === 'BinaryExpression' && node.operator === '+' ? leadingText(node.left) : undefined;
}

function lineOf(source, at) {
  return source.slice(0, at).split('\n').length;
}

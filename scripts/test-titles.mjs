// Reads the titles of tests out of a source file: the literal first argument of `it`, `test` and `describe`. It is a
// lexer, not a parser: enough to tell code from comments, strings, templates and regular expressions.

const TEST_FUNCTIONS = new Set(['it', 'test', 'describe']);

/** Members that lead from a test function to another call with a title (vitest's and Playwright's). */
const TITLED_MEMBERS = new Set(
  'only concurrent sequential shuffle fails fail describe serial parallel each for skipIf runIf'.split(' '),
);

/** Members whose test does not run: its title proves nothing, nor do those inside it. */
const SKIPPING_MEMBERS = new Set(['skip', 'todo', 'fixme']);

/** Members that are called once before the call that carries the title: `it.each(cases)('title', …)`. */
const CURRIED_MEMBERS = new Set(['each', 'for', 'skipIf', 'runIf']);

/** After these words a slash begins a regular expression. */
const OPERATOR_WORDS = new Set(
  'return typeof instanceof in of new delete void throw case do else yield await'.split(' '),
);

const CLOSERS = { '(': ')', '[': ']', '{': '}' };

const WORD_START = /[\p{ID_Start}$_]/u;
const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /\d[\w.]*/y;
const QUOTED = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;

/**
 * The titles of the tests that run, with the line each stands on. Of a template the text before its first
 * expression is given.
 *
 * @param {string} source
 * @returns {{ title: string, line: number }[]}
 */
export function testTitles(source) {
  const { tokens } = lex(source, 0, false);
  const titles = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const call = titledCall(tokens, at);
    if (call === undefined) continue;
    const argument = tokens[call.open + 1];
    if (call.skipped) {
      at = groupEnd(tokens, call.open) - 1;
    } else if (argument?.kind === 'text') {
      titles.push({ title: argument.text, line: lineOf(source, argument.start) });
    }
  }
  return titles;
}

/** Where the call that carries the title opens, when a test function stands at this token. */
function titledCall(tokens, start) {
  const first = tokens[start];
  if (first.kind !== 'word' || !TEST_FUNCTIONS.has(first.text) || isPunctuation(tokens[start - 1], '.'))
    return undefined;
  let at = start + 1;
  let skipped = false;
  while (isPunctuation(tokens[at], '.')) {
    const member = tokens[at + 1]?.text;
    if (SKIPPING_MEMBERS.has(member)) skipped = true;
    else if (!TITLED_MEMBERS.has(member)) return undefined;
    at += 2;
    if (CURRIED_MEMBERS.has(member)) {
      at = typeArgumentsEnd(tokens, at);
      at = tokens[at]?.kind === 'text' ? at + 1 : groupEnd(tokens, at);
    }
  }
  at = typeArgumentsEnd(tokens, at);
  return isPunctuation(tokens[at], '(') ? { open: at, skipped } : undefined;
}

/** The place after the bracketed group that opens at this token; the same place when none does. */
function groupEnd(tokens, open) {
  const expected = [];
  let at = open;
  do {
    const token = tokens[at];
    if (token === undefined) return at;
    if (token.kind === 'punctuation') {
      if (CLOSERS[token.text] !== undefined) expected.push(CLOSERS[token.text]);
      else if (token.text === expected.at(-1)) expected.pop();
    }
    at += 1;
  } while (expected.length > 0);
  return at;
}

/** The place after `<…>`, when type arguments stand at this token. */
function typeArgumentsEnd(tokens, start) {
  if (!isPunctuation(tokens[start], '<')) return start;
  let depth = 0;
  for (let at = start; at < tokens.length; at += 1) {
    if (isPunctuation(tokens[at], '<')) depth += 1;
    else if (isPunctuation(tokens[at], '>') && !isPunctuation(tokens[at - 1], '=')) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return start;
}

function isPunctuation(token, text) {
  return token?.kind === 'punctuation' && token.text === text;
}

/**
 * Tokens of the source from a place on. `inTemplate` ends at the brace that closes a template's expression.
 * A quote or slash that does not close on its line is taken as a character of its own: JSX text holds such ones.
 */
function lex(source, from, inTemplate) {
  const tokens = [];
  let at = from;
  let depth = 0;
  const take = (pattern) => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  while (at < source.length) {
    const char = source[at];
    const start = at;
    if (/\s/.test(char)) {
      at += 1;
      continue;
    }
    if (source.startsWith('//', at)) {
      at = endOr(source.indexOf('\n', at), source.length);
      continue;
    }
    if (source.startsWith('/*', at)) {
      at = endOr(source.indexOf('*/', at + 2), source.length - 2) + 2;
      continue;
    }
    if (char === '`') {
      const template = lexTemplate(source, at);
      tokens.push({ kind: 'text', text: template.head, start });
      at = template.end;
      continue;
    }
    const quoted = char === "'" || char === '"' ? take(QUOTED) : undefined;
    if (quoted !== undefined) {
      tokens.push({ kind: 'text', text: unescaped(quoted.slice(1, -1)), start });
      at += quoted.length;
      continue;
    }
    const regex = char === '/' && startsExpression(tokens.at(-1)) && source[at + 1] !== '>' ? take(REGEX) : undefined;
    if (regex !== undefined) {
      tokens.push({ kind: 'value', text: regex, start });
      at += regex.length;
      continue;
    }
    const word = WORD_START.test(char) ? take(WORD) : undefined;
    const number = word === undefined ? take(NUMBER) : undefined;
    if (word !== undefined || number !== undefined) {
      const text = word ?? number;
      tokens.push({ kind: word === undefined ? 'value' : 'word', text, start });
      at += text.length;
      continue;
    }
    if (inTemplate && char === '}' && depth === 0) return { tokens, end: at + 1 };
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    tokens.push({ kind: 'punctuation', text: char, start });
    at += 1;
  }
  return { tokens, end: at };
}

/** The text of a template before its first expression, and the place after the template. */
function lexTemplate(source, start) {
  let head;
  let at = start + 1;
  while (at < source.length && source[at] !== '`') {
    if (source[at] === '\\') {
      at += 2;
    } else if (source.startsWith('${', at)) {
      head ??= source.slice(start + 1, at);
      at = lex(source, at + 2, true).end;
    } else {
      at += 1;
    }
  }
  return { head: unescaped(head ?? source.slice(start + 1, at)), end: at + 1 };
}

/** Whether an expression may begin after this token: there a slash is a regular expression, not a division. */
function startsExpression(previous) {
  if (previous === undefined) return true;
  if (previous.kind === 'word') return OPERATOR_WORDS.has(previous.text);
  return previous.kind === 'punctuation' && !')]<'.includes(previous.text);
}

function unescaped(text) {
  return text.replace(/\\([\s\S])/g, '$1');
}

function endOr(found, otherwise) {
  return found === -1 ? otherwise : found;
}

function lineOf(source, at) {
  return source.slice(0, at).split('\n').length;
}

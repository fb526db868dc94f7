// Generates the API reference of a built package from its declarations: every exported name with its comment and its type.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** The reference as Markdown. `entries` are the export names with their declaration files, without `.d.ts`. */
export function apiReference(entries, name = '@l4desk/client') {
  const sections = entries.map(([path, file]) => {
    const symbols = [...exportsOf(`${file}.d.ts`)].sort(([a], [b]) => a.localeCompare(b, 'en'));
    return [`## ${join(name, path)}`, ...symbols.map(([symbol, declaration]) => sectionOf(symbol, declaration))].join(
      '\n\n',
    );
  });
  return [`# API of ${name}`, 'Made from the declarations of this version.', ...sections, ''].join('\n\n');
}

function sectionOf(symbol, { comment, code }) {
  return [`### ${symbol}`, ...(comment === '' ? [] : [comment]), `\`\`\`ts\n${code}\n\`\`\``].join('\n\n');
}

/** Every name that a declaration file exports, with its comment and its declaration. */
function exportsOf(file) {
  const text = readFileSync(file, 'utf8');
  const { program, comments } = parseSync(file, text);
  const local = new Map();
  for (const node of program.body) {
    const declared = node.declaration ?? node;
    const names = declared.declarations?.map(({ id }) => id.name) ?? [declared.id?.name];
    for (const symbol of names) if (symbol !== undefined) local.set(symbol, declarationAt(node, { text, comments }));
  }
  // A type inferred from a schema says little without the schema.
  for (const [symbol, declaration] of local) {
    const schema = local.get(/typeof (\w+)/.exec(declaration.code)?.[1]);
    if (schema !== undefined && schema !== declaration)
      local.set(symbol, { ...declaration, code: `${declaration.code}\n${schema.code}` });
  }
  const exported = new Map();
  for (const node of program.body) {
    const from = () => exportsOf(join(dirname(file), node.source.value.replace(/\.js$/, '.d.ts')));
    if (node.type === 'ExportAllDeclaration') for (const [symbol, found] of from()) exported.set(symbol, found);
    if (node.type !== 'ExportNamedDeclaration') continue;
    const known = node.source === null ? local : from();
    for (const { local: inside, exported: outside } of node.specifiers)
      exported.set(outside.name, known.get(inside.name));
    const { declarations, id } = node.declaration ?? {};
    for (const symbol of declarations?.map((one) => one.id.name) ?? (id ? [id.name] : []))
      exported.set(symbol, local.get(symbol));
  }
  return exported;
}

/** The text of a declaration, and of the comment right before it. */
function declarationAt({ start, end }, { text, comments }) {
  const before = comments.findLast((comment) => comment.end <= start);
  const isItsOwn = before?.value.startsWith('*') === true && text.slice(before.end, start).trim() === '';
  const comment = isItsOwn ? before.value.replaceAll(/^\s*\* ?/gm, '').trim() : '';
  return { comment, code: text.slice(start, end).replace(/^export (?:declare )?/, '') };
}

import { parseSync, Visitor } from 'oxc-parser';

/** A file of the workspace: its path from the repository root, with forward slashes, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** One reference to another module. */
export interface ModuleReference {
  /** The specifier as written, or null if it is computed. */
  readonly specifier: string | null;
  /** Removed by compilation: `import type`, or only `type` names. */
  readonly typeOnly: boolean;
  readonly line: number;
}

/** A place where text or a decimal becomes a floating-point number. */
interface FloatConversion {
  /** What is called: `parseFloat`, `Number`, `parseInt` or `+`. */
  readonly by: string;
  /** The name of the converted value, if it has one. */
  readonly of: string | null;
  readonly line: number;
}

/** The facts about a file that the architecture rules need. */
export interface FileFacts {
  readonly references: readonly ModuleReference[];
  readonly conversions: readonly FloatConversion[];
}

interface Node {
  readonly type: string;
  readonly start: number;
}

interface Specifier {
  readonly type: string;
  readonly importKind?: string | null;
  readonly exportKind?: string | null;
}

/** Facts already read, by file: several rules ask for the same ones. */
const known = new WeakMap<SourceFile, FileFacts>();

/** A file's imports, re-exports, worker and asset URLs, and float conversions. */
export function readFacts(file: SourceFile): FileFacts {
  const facts = known.get(file) ?? parseFacts(file);
  known.set(file, facts);
  return facts;
}

function parseFacts({ path, text }: SourceFile): FileFacts {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message ?? 'unknown error'}`);

  const references: ModuleReference[] = [];
  const conversions: FloatConversion[] = [];
  const lineOf = (node: Node) => text.slice(0, node.start).split('\n').length;
  const refer = (node: Node, specifier: string | null, typeOnly: boolean) =>
    references.push({ specifier, typeOnly, line: lineOf(node) });
  const convert = (node: Node, by: string, argument: unknown) =>
    conversions.push({ by, of: nameOf(argument), line: lineOf(node) });

  new Visitor({
    ImportDeclaration(node) {
      refer(node, node.source.value, node.importKind === 'type' || allTypes(node.specifiers, 'importKind'));
    },
    ExportAllDeclaration(node) {
      refer(node, node.source.value, node.exportKind === 'type');
    },
    ExportNamedDeclaration(node) {
      if (node.source === null) return;
      refer(node, node.source.value, node.exportKind === 'type' || allTypes(node.specifiers, 'exportKind'));
    },
    ImportExpression(node) {
      refer(node, literal(node.source), false);
    },
    TSImportType(node) {
      refer(node, literal(node.source), true);
    },
    NewExpression(node) {
      // new URL('./worker.ts', import.meta.url)
      if (nameOf(node.callee) !== 'URL' || node.arguments.length !== 2) return;
      const specifier = literal(node.arguments[0]);
      if (specifier?.startsWith('.')) refer(node, specifier, false);
    },
    CallExpression(node) {
      const callee = nameOf(node.callee);
      if (callee === 'require') refer(node, literal(node.arguments[0]), false);
      if (callee === 'parseFloat' || callee === 'parseInt' || callee === 'Number') {
        convert(node, callee, node.arguments[0]);
      }
    },
    UnaryExpression(node) {
      if (node.operator === '+') convert(node, '+', node.argument);
    },
  }).visit(program);
  return { references, conversions };
}

/** True if every named specifier is marked `type`; an import for its side effects has none and is a value. */
function allTypes(specifiers: readonly Specifier[], kind: 'importKind' | 'exportKind'): boolean {
  return specifiers.length > 0 && specifiers.every((specifier) => specifier[kind] === 'type');
}

function literal(node: unknown): string | null {
  return isNode(node) && node.type === 'Literal' && 'value' in node && typeof node.value === 'string'
    ? node.value
    : null;
}

/** The last name of an identifier or a member: `px` of `order.px`. */
function nameOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'Identifier' && 'name' in node && typeof node.name === 'string') return node.name;
  if (node.type === 'MemberExpression' && 'property' in node) return nameOf(node.property) ?? literal(node.property);
  if (node.type === 'ChainExpression' && 'expression' in node) return nameOf(node.expression);
  if (node.type === 'TSNonNullExpression' && 'expression' in node) return nameOf(node.expression);
  return null;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

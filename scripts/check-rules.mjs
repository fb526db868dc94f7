// Checks the rules of docs/wire/*.md against the titles of all tests: a title cites each rule, and each cited id is a rule.
//
//   node scripts/check-rules.mjs [root]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root as ownRoot } from './lib/workspace.mjs';

const PAGES = 'docs/wire';
const TEST_FOLDERS = ['packages', 'apps', 'e2e'];
const TEST_FILE = /\.(?:test|spec)\.(?:ts|tsx|mjs)$/;
const NOT_OURS = /^(?:node_modules|dist|\..*)$/;

const ID = '[A-Z][A-Z0-9]*-[1-9]\\d*';
const ROW = new RegExp(`^\\| (${ID}) \\| (.+) \\|$`, 'gm');
/** A text that begins with ids in brackets, which only titles of tests do. */
const CITATION = new RegExp(`['"\`]\\[(${ID}(?:,\\s*${ID})*)\\]`, 'g');

/** Checks one project tree. */
export function checkRules(root) {
  const problems = [];
  const rules = new Map();
  for (const page of readdirSync(join(root, PAGES)).filter((name) => name.endsWith('.md'))) {
    for (const [, id, rule] of readFileSync(join(root, PAGES, page), 'utf8').matchAll(ROW)) {
      if (rules.has(id)) problems.push(`${id} is a rule twice`);
      rules.set(id, { rule, citations: 0 });
    }
  }
  if (rules.size === 0) problems.push(`${PAGES}: no rules found`);
  for (const folder of TEST_FOLDERS) {
    for (const path of filesOf(root, folder).filter((name) => TEST_FILE.test(name))) {
      for (const [, ids] of readFileSync(join(root, path), 'utf8').matchAll(CITATION)) {
        for (const id of ids.split(/,\s*/)) {
          const rule = rules.get(id);
          if (rule === undefined) problems.push(`${path}: cites ${id}, which is not in ${PAGES}`);
          else rule.citations += 1;
        }
      }
    }
  }
  for (const [id, { rule, citations }] of rules) if (citations === 0) problems.push(`no test cites ${id}: ${rule}`);
  return { problems, text: `${[...problems, `${rules.size} rules, ${problems.length} problems`].join('\n')}\n` };
}

function filesOf(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return NOT_OURS.test(entry.name) ? [] : filesOf(root, path);
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { problems, text } = checkRules(process.argv[2] ?? ownRoot);
  process.stdout.write(text);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

// Checks packages/protocol/RULES.md against the titles of all tests: every rule that is not planned or retired is cited
// by a test, and every citation names a rule.
//
//   node scripts/check-rules.mjs [root]

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { testTitles } from './test-titles.mjs';

const RULES_PATH = 'packages/protocol/RULES.md';
const SCANNED_FOLDERS = ['packages', 'apps', 'e2e', 'scripts'];
const TEST_FILE = /\.(?:test|spec)\.(?:ts|tsx|mjs)$/;
const UNSCANNED = /^(?:node_modules|dist|\..*)$/;

const RULE_ID = /^[A-Z][A-Z0-9]*-[1-9]\d*$/;
const STATES = new Set(['', 'planned: service', 'planned: dashboard', 'planned: cluster', 'retired']);

/**
 * Reads the rule tables. A row whose first cell contains a number after a dash is a rule.
 *
 * @param {string} markdown
 */
export function readRules(markdown) {
  const rules = new Map();
  const problems = [];
  const lastOfGroup = new Map();
  for (const [index, line] of markdown.split('\n').entries()) {
    if (!line.startsWith('|')) continue;
    const cells = line
      .replace(/\|\s*$/, '')
      .split('|')
      .slice(1);
    const [id = '', rule = '', source = '', state = ''] = cells.map((cell) => cell.trim());
    if (id === 'id' || /^:?-+:?$/.test(id)) continue;
    const where = `${RULES_PATH}:${index + 1}`;
    if (!RULE_ID.test(id)) {
      problems.push(`${where}: "${id}" is no rule id`);
      continue;
    }
    if (cells.length !== 4 || rule === '' || source === '') {
      problems.push(`${where}: ${id} needs the four cells id, rule, source, state`);
    }
    if (!STATES.has(state)) problems.push(`${where}: ${id} has the unknown state "${state}"`);
    if (rules.has(id)) {
      problems.push(`${where}: ${id} is there twice`);
      continue;
    }
    const group = id.slice(0, id.lastIndexOf('-'));
    const number = Number(id.slice(group.length + 1));
    const last = lastOfGroup.get(group) ?? 0;
    if (number <= last) problems.push(`${where}: ${id} should stand before ${group}-${last}: ids are in order`);
    lastOfGroup.set(group, number);
    rules.set(id, { id, group, rule, state, citations: [] });
  }
  if (rules.size === 0) problems.push(`${RULES_PATH}: no rules found`);
  return { rules, problems };
}

/**
 * The rule ids that a title cites, and the problems of its citations.
 *
 * @param {string} title
 * @param {Set<string>} groups
 */
export function readCitation(title, groups) {
  const lead = /^(?:\[[^\]]*\]\s*)*/.exec(title)[0];
  const ids = [];
  const problems = [];
  for (const [bracket, inside] of lead.matchAll(/\[([^\]]*)\]/g)) {
    if (!/^\s*[A-Z][A-Z0-9]*-\d/.test(inside)) continue;
    for (const part of inside.split(',').map((id) => id.trim())) {
      if (RULE_ID.test(part)) ids.push(part);
      else problems.push(`cannot read ${bracket}: write [L4-1] or [L4-1, L4-2]`);
    }
  }
  for (const [bracket, group] of title.slice(lead.length).matchAll(/\[([A-Z][A-Z0-9]*)-\d[^\]]*\]/g)) {
    if (groups.has(group)) problems.push(`${bracket} must stand at the beginning of the title`);
  }
  return { ids, problems };
}

/**
 * Checks one project tree.
 *
 * @param {string} root
 */
export function checkRules(root) {
  const { rules, problems } = readRules(readFileSync(join(root, RULES_PATH), 'utf8'));
  const groups = new Set([...rules.values()].map((rule) => rule.group));
  const citingFiles = new Set();
  let citingTitles = 0;
  for (const file of testFiles(root)) {
    for (const { title, line } of testTitles(readFileSync(file, 'utf8'), file)) {
      const where = `${relative(root, file)}:${line}`;
      const citation = readCitation(title, groups);
      problems.push(...citation.problems.map((problem) => `${where}: ${problem}`));
      if (citation.ids.length > 0) {
        citingTitles += 1;
        citingFiles.add(file);
      }
      for (const id of citation.ids) {
        const rule = rules.get(id);
        if (rule === undefined) problems.push(`${where}: cites ${id}, which is not in ${RULES_PATH}`);
        else rule.citations.push(where);
      }
    }
  }
  for (const { id, rule, state, citations } of rules.values()) {
    if (state === '' && citations.length === 0) problems.push(`no test cites ${id}: ${rule}`);
    if (state.startsWith('planned') && citations.length > 0) {
      problems.push(`${citations[0]}: cites ${id}, which is "${state}": unmark it in ${RULES_PATH}`);
    }
    if (state === 'retired' && citations.length > 0) problems.push(`${citations[0]}: cites ${id}, which is retired`);
  }
  return { rules: [...rules.values()], problems, citingTitles, citingFiles: citingFiles.size };
}

function* testFiles(root) {
  for (const folder of SCANNED_FOLDERS) {
    if (existsSync(join(root, folder))) yield* testFilesIn(join(root, folder));
  }
}

function* testFilesIn(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (UNSCANNED.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* testFilesIn(path);
    else if (TEST_FILE.test(entry.name)) yield path;
  }
}

/** The output of the command: the planned rules by capability, the problems and the totals. */
export function report({ rules, problems, citingTitles, citingFiles }) {
  const lines = [];
  for (const state of [...STATES].filter((name) => name.startsWith('planned'))) {
    const ids = rules.filter((rule) => rule.state === state).map((rule) => rule.id);
    if (ids.length > 0) lines.push(`${state} (${ids.length}): ${ids.join(' ')}`);
  }
  lines.push(...problems);
  const due = rules.filter((rule) => rule.state === '');
  const held = due.filter((rule) => rule.citations.length > 0);
  const planned = rules.filter((rule) => rule.state.startsWith('planned')).length;
  lines.push(
    `${rules.length} rules: ${held.length} of ${due.length} due are cited, by ${citingTitles} titles in ${citingFiles} files; ` +
      `${planned} planned, ${rules.length - due.length - planned} retired; ${problems.length} problems`,
  );
  return `${lines.join('\n')}\n`;
}

if (process.argv[1] === import.meta.filename) {
  const root = process.argv[2] ?? join(import.meta.dirname, '..');
  const result = checkRules(root);
  process.stdout.write(report(result));
  process.exitCode = result.problems.length > 0 ? 1 : 0;
}

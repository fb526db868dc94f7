// `npm run audit`, a step of `npm test`: checks the production dependencies for known vulnerabilities. If the registry
// offers no audit or cannot be reached, nothing is checked: the command says so and exits with code 2. `npm test`
// continues and reports it at its end.
import { pathToFileURL } from 'node:url';
import { PNPM } from './install.mjs';
import { run } from './lib/run.mjs';
import { Failure, script } from './lib/workspace.mjs';

/** How long to wait for the registry, in ms. */
const TIMEOUT_MS = 30_000;

/** Severities that stop a release. */
const SERIOUS = new Set(['high', 'critical']);

/** Matches the output of pnpm after a failed connection. */
const NETWORK =
  /\b(?:E(?:CONN|NOTFOUND|TIMEDOUT|AI_AGAIN|PIPE)[A-Z]*|fetch|network|dns|timed? ?out|error sending request)\b/i;

/** Exit code if nothing was checked. */
const NOT_CHECKED = 2;

/** Interprets the output of an audit: whether anything was checked, and a sentence. Throws a Failure on a serious advisory. */
export function auditVerdict({ code, text }) {
  const report = reportIn(text);
  if (report !== undefined) {
    const advisories = Object.values(report.advisories ?? {});
    const serious = advisories.filter(({ severity }) => SERIOUS.has(severity));
    if (serious.length === 0)
      return { checked: true, text: `No high or critical advisory; ${advisories.length} of less weight.` };
    const lines = serious.map(
      ({ severity, module_name, title, url }) => `${severity}: ${module_name}: ${title} ${url}`,
    );
    throw new Failure(`${serious.length} serious advisories:\n${lines.join('\n')}`);
  }
  const status = Number(/responded with (\d{3})/.exec(text)?.[1]);
  if ([404, 405, 501].includes(status)) return notChecked(`the registry offers no audit (HTTP ${status})`);
  if (status === 429 || status >= 500) return notChecked(`the registry could not respond (HTTP ${status})`);
  if (code === 128 || NETWORK.test(text)) return notChecked('the registry could not be reached');
  throw new Failure(`pnpm audit ended with code ${code}:\n${text}`);
}

function notChecked(reason) {
  return { checked: false, text: `Not checked: ${reason}. Nothing is known about the dependencies.` };
}

/** The JSON report in the output, which may have warnings around it. */
function reportIn(text) {
  const json = /^\{[\s\S]*^\}/m.exec(text)?.[0] ?? /^\{.*\}$/m.exec(text)?.[0];
  return json === undefined ? undefined : JSON.parse(json);
}

/** Runs the audit and resolves with its verdict. Throws on a serious advisory. */
export async function audit() {
  const args = ['--yes', PNPM, 'audit', '--prod', '--json'];
  const outcome = await run('npx', args, { output: 'keep', env: { CI: '1' }, timeoutMs: TIMEOUT_MS });
  return auditVerdict(outcome);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  await script(
    async () => {
      const { checked, text } = await audit();
      process.stdout.write(`${text}\n`);
      if (!checked) process.exitCode = NOT_CHECKED;
    },
    { help: import.meta.filename },
  );

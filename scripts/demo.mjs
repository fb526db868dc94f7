// `npm run demo [-- [--headless] [page …]]`: runs guided tours of the dashboard in a visible browser, with the real
// service and the simulated exchange. Without a page, all of them run. `--headless` runs them as `npm test` does, without
// pauses.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBrowser } from './browser.mjs';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { run } from './lib/run.mjs';
import { Failure, root, script } from './lib/workspace.mjs';

const NO_DISPLAY = [
  'The tours open a browser window, and there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set).',
  '  npm run demo -- --headless    runs them without a window and without pauses',
  '  xvfb-run npm run demo         runs them on a virtual display',
].join('\n');

/** The pages that have a tour, from the file names. */
function tours() {
  return readdirSync(join(root, 'e2e', 'demos')).flatMap((file) => /^(\w+)\.spec\.ts$/.exec(file)?.[1] ?? []);
}

function hasDisplay({ DISPLAY, WAYLAND_DISPLAY } = process.env) {
  return process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY);
}

await script(
  async () => {
    const { values, positionals } = parseArgs({ options: { headless: { type: 'boolean' } }, allowPositionals: true });
    const unknown = positionals.find((page) => !tours().includes(page));
    if (unknown !== undefined) throw new Failure(`There is no tour "${unknown}". There are: ${tours().join(', ')}.`);
    if (!values.headless && !hasDisplay()) throw new Failure(NO_DISPLAY);
    await install();
    await build(['bff', 'venue', 'web']);
    const files = positionals.length === 0 ? ['demos/'] : positionals.map((page) => `demos/${page}.spec.ts`);
    const visible = values.headless ? [] : ['--headed', '--timeout=0'];
    const { code } = await run(
      join(root, 'e2e', 'node_modules', '.bin', 'playwright'),
      ['test', ...files, '--workers=1', '--reporter=list', ...visible],
      {
        cwd: join(root, 'e2e'),
        env: { CHROMIUM_PATH: await ensureBrowser(), ...(values.headless ? {} : { L4DESK_DEMO_PACE: '1' }) },
      },
    );
    if (code !== 0) throw new Failure('A tour did not reach its end; what it waited for stands above.');
  },
  { help: import.meta.filename },
);

// Turns this process into a built program: there is no child process to orphan, and signals and exit codes are the program's own.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from '../build.mjs';
import { install } from '../install.mjs';
import { root, script } from './workspace.mjs';

/** Installs and builds what is out of date, then runs `apps/<app>/dist/<entry>.js` in this process. */
export async function launch(app, entry, { needs = [app], quiet = false } = {}) {
  await script(async () => {
    await install({ quiet });
    await build(needs, { quiet });
    process.setSourceMapsEnabled(true);
    process.argv[1] = join(root, 'apps', app, 'dist', `${entry}.js`);
    await import(pathToFileURL(process.argv[1]).href);
  });
}

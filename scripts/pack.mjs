// `npm run pack [-- [--out <folder>] [package …]]`: builds the packages `l4desk` and `client`, or only the named ones.
//
// Each package is assembled in a folder of dist-packages/ and packed into a tarball next to it. Nothing is published:
// docs/releasing.md describes the remaining steps and how to try a package.
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { install } from './install.mjs';
import { run } from './lib/run.mjs';
import { Failure, root, script } from './lib/workspace.mjs';
import { assembleClient } from './pack/client.mjs';
import { assembleDesk } from './pack/l4desk.mjs';

const PACKAGES = { l4desk: assembleDesk, client: assembleClient };

await script(
  async () => {
    const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true });
    const names = positionals.length > 0 ? positionals : Object.keys(PACKAGES);
    const unknown = names.find((name) => PACKAGES[name] === undefined);
    if (unknown !== undefined)
      throw new Failure(`There is no package ${unknown}; there are ${Object.keys(PACKAGES).join(' and ')}.`);
    await install();
    const out = resolve(values.out ?? join(root, 'dist-packages'));
    for (const name of names) {
      const directory = join(out, name);
      rmSync(directory, { recursive: true, force: true });
      mkdirSync(directory, { recursive: true });
      await PACKAGES[name](directory);
      const { code } = await run('npm', ['pack', '--silent', directory, '--pack-destination', out], { cwd: out });
      if (code !== 0) throw new Failure(`npm pack ended with code ${code}.`);
    }
  },
  { help: import.meta.filename },
);

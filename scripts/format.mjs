// `npm run format [-- path …]`: formats the code and sorts its imports.
import { install } from './install.mjs';
import { run } from './lib/run.mjs';
import { bin, script } from './lib/workspace.mjs';

await script(async () => {
  await install();
  const paths = process.argv.slice(2);
  const { code } = await run(bin('biome'), ['check', '--write', ...(paths.length > 0 ? paths : ['.'])]);
  process.exitCode = code;
});

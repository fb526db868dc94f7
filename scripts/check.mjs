// `npm run check`: the static part of `npm test`, without building or running anything.
import { install } from './install.mjs';
import { runStep, staticChecks } from './lib/steps.mjs';
import { script } from './lib/workspace.mjs';

await script(async () => {
  await install();
  for (const step of staticChecks) await runStep(step);
});

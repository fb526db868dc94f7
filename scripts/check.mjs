// `npm run check`: the static part of `npm test`, without building or running anything.
import { install } from './install.mjs';
import { lint, runSideBySide, runStep, staticChecks } from './lib/steps.mjs';
import { script } from './lib/workspace.mjs';

await script(async () => {
  await install();
  await runStep(lint);
  await runSideBySide(staticChecks);
});

import { defineConfig } from '@playwright/test';
import { args, chromiumSandbox, executablePath, WINDOW } from './fixtures/chromium.ts';

/** A page lives for seconds here, so compiling optimized code costs more than that code saves: a twelfth of all work. */
const WITHOUT_OPTIMIZING_COMPILERS = '--js-flags=--no-turbofan --no-maglev';

// To run it alone: CHROMIUM_PATH=$(node ../scripts/browser.mjs) npx playwright test. HEADLESS_SHELL_PATH names the headless
// shell, for which Chromium itself is used otherwise. With `--trace=retain-on-failure`, a failure can be replayed; this costs
// too much to be always on.
export default defineConfig({
  testDir: '.',
  testMatch: /(?:journeys|faults|demos)\/[^/]+\.spec\.ts$/,
  fullyParallel: false,
  workers: 2,
  // A test that passes only on the second try has found a race.
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  reporter: 'list',
  // Upper limits for a loaded machine; tests wait for their expectations, never for these.
  timeout: 240_000,
  expect: { timeout: 60_000, toPass: { timeout: 60_000, intervals: [50] } },
  use: {
    ...WINDOW,
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      chromiumSandbox,
      args: [...args, WITHOUT_OPTIMIZING_COMPILERS],
    },
  },
});

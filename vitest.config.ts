import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * What all tests have in common; they lie beside the code. Files run one after the other in shared processes, which
 * halves the time of many small ones: a test leaves nothing behind.
 */
const tests = {
  isolate: false,
  // No retries: a test that passes the second time has found a race.
  retry: 0,
  // Generous ceilings for a loaded machine; a test waits on events, never on these.
  testTimeout: 180_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } },
  // A spy, a stub or a changed environment never reaches the next test, nor what the next file does before its first.
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
  setupFiles: [join(import.meta.dirname, 'packages/config/src/setup-tests.ts')],
};

export default defineConfig({
  test: {
    // Many tests wait for processes: one worker more than there are cores.
    maxWorkers: availableParallelism() + 1,
    // Two, and not one a part of the workspace: each would read the same packages anew, in processes of its own.
    projects: [
      { test: { ...tests, name: 'node', include: ['{apps,packages,scripts}/**/*.test.{ts,mjs}'] } },
      {
        test: {
          ...tests,
          name: 'components',
          include: ['{apps,packages}/**/*.test.tsx'],
          environment: 'happy-dom',
          setupFiles: [...tests.setupFiles, join(import.meta.dirname, 'apps/web/src/test-support/setup-components.ts')],
        },
      },
    ],
  },
});

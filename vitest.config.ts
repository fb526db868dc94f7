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
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // A spy or a changed environment never reaches the next test.
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
};

export default defineConfig({
  test: {
    // A test waits more than it computes: one worker a core, none kept free.
    maxWorkers: '100%',
    // Two, and not one a part of the workspace: each would read the same packages anew, in processes of its own.
    projects: [
      { test: { ...tests, name: 'node', include: ['{apps,packages,scripts}/**/*.test.{ts,mjs}'] } },
      {
        test: {
          ...tests,
          name: 'components',
          include: ['apps/web/**/*.test.tsx'],
          environment: 'happy-dom',
          setupFiles: [join(import.meta.dirname, 'apps/web/src/test-support/setup-components.ts')],
        },
      },
    ],
  },
});

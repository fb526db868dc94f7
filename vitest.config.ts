import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { componentTestProject, testProject } from './packages/config/src/vitest.ts';

export default defineConfig({
  test: {
    // A test waits more than it computes: one worker a core, none kept free.
    maxWorkers: '100%',
    projects: [
      testProject('scripts'),
      testProject('packages/config'),
      testProject('packages/protocol'),
      testProject('packages/decimal'),
      testProject('packages/book'),
      testProject('packages/client'),
      testProject('packages/testkit'),
      testProject('apps/venue'),
      testProject('apps/bff'),
      testProject('apps/web', { name: 'web', ending: 'ts' }),
      componentTestProject('apps/web', {
        name: 'web-components',
        ending: 'tsx',
        setup: join(import.meta.dirname, 'apps/web/src/test-support/setup-components.ts'),
      }),
    ],
  },
});

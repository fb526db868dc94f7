import { readFileSync, realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What all tests have in common; they lie beside the code. Files run one after the other in shared processes, which
 * halves the time of many small ones: a test leaves nothing behind.
 */
const tests = {
  isolate: false,
  // No retries: a test that passes the second time has found a race.
  retry: 0,
  // Ceilings many times what a slow and loaded machine takes, and longer than those inside a test, which say what did not come.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 300_000 } },
  // A spy, a stub or a changed environment never reaches the next test, nor what the next file does before its first.
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
  setupFiles: [join(import.meta.dirname, 'packages/config/src/setup-tests.ts')],
};

/** In the copy of the tree that `npm run soak -- mutants` plants faults in, the packages are linked from outside of it. */
const server = { fs: { allow: [import.meta.dirname, realpathSync(join(import.meta.dirname, 'node_modules'))] } };

/** After how many other files one comes that mostly waits for programs it started. */
const SPREAD = 5;

/**
 * Files of one environment follow one another: a process continues to the next file only where project and environment are
 * the same, and a new one reads every module again. Those that mostly wait are spread over the run: the processors are busy
 * meanwhile, and none is left alone at the end.
 */
class Spread extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const hasDom = ({ project, moduleId }: TestSpecification) =>
      project.name === 'components' || readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment ');
    const isWaiting = ({ moduleId }: TestSpecification) =>
      /\/packages\/testkit\/|\/(?:main|crash)\.test/.test(moduleId);
    const others = sorted.filter((file) => !hasDom(file));
    const withDom = sorted.filter(hasDom).sort((a, b) => a.project.name.localeCompare(b.project.name));
    const waiting = others.filter(isWaiting);
    const busy = others.filter((file) => !isWaiting(file));
    return [
      ...withDom,
      ...busy.flatMap((file, index) => (index % SPREAD === 0 ? [...waiting.splice(0, 1), file] : [file])),
      ...waiting,
    ];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: Spread },
    // Many tests wait for processes: one worker more than there are cores.
    maxWorkers: availableParallelism() + 1,
    // Two, and not one a part of the workspace: each would read the same packages again, in processes of its own.
    projects: [
      { server, test: { ...tests, name: 'node', include: ['{apps,packages,scripts}/**/*.test.{ts,mjs}'] } },
      {
        server,
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

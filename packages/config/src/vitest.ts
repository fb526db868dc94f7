/** The shared test preset: what every workspace part's vitest project has in common. */

/** Where a part's tests run: plain Node, or Node with a simulated DOM. */
export type TestEnvironment = 'node' | 'happy-dom';

/** The vitest project of one part of the workspace; tests lie beside the code as `*.test.ts(x)`. */
export function testProject(directory: string, environment: TestEnvironment = 'node') {
  return {
    test: {
      name: directory.slice(directory.lastIndexOf('/') + 1),
      root: directory,
      include: ['**/*.test.{ts,tsx,mjs}'],
      environment,
      // No retries: a test that passes the second time has found a race.
      retry: 0,
      // Generous ceilings for a loaded machine; a test waits on events, never on these.
      testTimeout: 30_000,
      hookTimeout: 60_000,
      // A spy or a changed environment never reaches the next test.
      restoreMocks: true,
      unstubEnvs: true,
      unstubGlobals: true,
    },
  };
}

/** The shared test preset: what every workspace part's vitest project has in common. */

/** What sets the files of a project apart, where a part has several projects. */
export interface TestFiles {
  readonly name: string;
  /** What stands behind `.test.` in their names. */
  readonly ending: string;
}

/**
 * The vitest project of one part of the workspace; tests lie beside the code as `*.test.ts(x)`. Its files run one after
 * the other in shared processes, which halves the time of many small ones: a test leaves nothing behind.
 */
export function testProject(directory: string, files?: TestFiles) {
  return {
    test: {
      name: files?.name ?? directory.slice(directory.lastIndexOf('/') + 1),
      root: directory,
      include: [`**/*.test.${files?.ending ?? '{ts,tsx,mjs}'}`],
      isolate: false,
      // No retries: a test that passes the second time has found a race.
      retry: 0,
      // Generous ceilings for a loaded machine; a test waits on events, never on these.
      testTimeout: 30_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 20_000 } },
      // A spy or a changed environment never reaches the next test.
      restoreMocks: true,
      unstubEnvs: true,
      unstubGlobals: true,
    },
  };
}

/** The same for files that render components: in a simulated DOM, and `setup` runs before each of them. */
export function componentTestProject(directory: string, { setup, ...files }: TestFiles & { readonly setup: string }) {
  const { test } = testProject(directory, files);
  return { test: { ...test, environment: 'happy-dom', setupFiles: [setup] } };
}

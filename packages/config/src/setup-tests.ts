// Runs before every test file: the files share a process, and stubs of one file must not affect what the next one does before
// its first test. vitest restores spies itself.
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

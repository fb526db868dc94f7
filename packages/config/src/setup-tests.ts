// Runs before every file of tests: they share a process, and what a file stubs must not reach what the next one does
// before its first test. Spies are restored by vitest itself.
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

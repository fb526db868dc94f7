// Runs before every file of tests: they share a process, and a file leaves nothing behind for what the next one does
// before its first test.
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

import fs, { readdirSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { temporaryDirectory } from '@l4desk/testkit';
import { expect, it, vi } from 'vitest';
import { RecordingFile } from './recording-file.ts';

/** Runs an action while nothing can be written to a file, as on a full disk. */
function onFullDisk(act: () => void): void {
  const write = vi.spyOn(fs, 'writeSync').mockImplementation(() => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' });
  });
  syncBuiltinESMExports();
  try {
    act();
  } finally {
    write.mockRestore();
    syncBuiltinESMExports();
  }
}

it('a file whose first bytes cannot be written is not left behind', async () => {
  await using folder = await temporaryDirectory();
  const path = join(folder.path, 'full.l4rec');
  onFullDisk(() => expect(() => new RecordingFile(path)).toThrow('no space left on device'));
  expect(readdirSync(folder.path)).toEqual([]);
  // The same name can be used once there is space again.
  using file = new RecordingFile(path);
  expect(file.size).toBeGreaterThan(0);
});

import fs, { readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { temporaryDirectory } from '@l4desk/testkit';
import { expect, it, vi } from 'vitest';
import { headerFrame } from '../format/documents.ts';
import { RecordingFile } from './recording-file.ts';

type Write = (fd: number, bytes: Uint8Array, offset: number, length: number) => number;

/** Runs an action while the system writes to files like this. */
function withWrites(writeSync: Write, act: () => void): void {
  const write = vi.spyOn(fs, 'writeSync').mockImplementation(writeSync as typeof fs.writeSync);
  syncBuiltinESMExports();
  try {
    act();
  } finally {
    write.mockRestore();
    syncBuiltinESMExports();
  }
}

/** Nothing can be written, as on a full disk. */
const onFullDisk: Write = () => {
  throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' });
};

it('a file whose first bytes cannot be written is not left behind', async () => {
  await using folder = await temporaryDirectory();
  const path = join(folder.path, 'full.l4rec');
  withWrites(onFullDisk, () => expect(() => new RecordingFile(path)).toThrow('no space left on device'));
  expect(readdirSync(folder.path)).toEqual([]);
  // The same name can be used once there is space again.
  using file = new RecordingFile(path);
  expect(file.size).toBeGreaterThan(0);
});

it('a frame of which the system takes only a part at a time is whole in the file', async () => {
  await using folder = await temporaryDirectory();
  const header = {
    coin: 'BTC',
    source: 'x',
    epoch: 'e',
    pxDecimals: 1,
    szDecimals: 5,
    statuses: 'book',
    createdAt: 1,
  } as const;
  const written = (name: string) => {
    const path = join(folder.path, name);
    using file = new RecordingFile(path);
    file.write(headerFrame(header, 7));
    return readFileSync(path);
  };
  const { writeSync } = fs;
  let inParts = Buffer.alloc(0);
  withWrites(
    (fd, bytes, offset, length) => writeSync(fd, bytes, offset, Math.min(length, 5)),
    () => (inParts = written('parts.l4rec')),
  );
  expect(inParts).toEqual(written('whole.l4rec'));
});

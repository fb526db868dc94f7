import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@l4desk/testkit';
import { expect, it } from 'vitest';
import { makeDirectory } from './make-directory.ts';

it('creates a directory and its missing parents for their owner only, and leaves an existing one as it is', async () => {
  await using directory = await temporaryDirectory();
  const parent = join(directory.path, 'a');
  const path = join(parent, 'b', 'c');
  makeDirectory(path);
  makeDirectory(path);
  for (const made of [parent, path]) expect(statSync(made).mode & 0o777).toBe(0o700);
});

it('throws the system’s error if the directory cannot be created', async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, 'file');
  writeFileSync(file, '');
  expect(() => makeDirectory(join(file, 'data'))).toThrow('ENOTDIR');
  expect(() => makeDirectory(file)).toThrow('EEXIST');
  const nowhere = join(directory.path, 'link');
  symlinkSync(join(directory.path, 'missing'), nowhere);
  expect(() => makeDirectory(join(nowhere, 'data'))).toThrow('ENOENT');
  expect(() => makeDirectory(nowhere)).toThrow('ENOENT');
});

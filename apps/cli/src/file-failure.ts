import { CliFailure, EXIT } from './outcome.ts';

/** Turns a file system error into a CliFailure; returns other errors unchanged. */
export function fileFailure(path: string, error: unknown): unknown {
  const code = error instanceof Error && 'syscall' in error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? codeFailure(path, code) : error;
}

/** Why a file cannot be used, by the code of the system's error. */
export function codeFailure(path: string, code: string): CliFailure {
  if (code === 'ENOENT') return new CliFailure(`${path}: no such file or folder.`, EXIT.usage);
  if (code === 'EISDIR') return new CliFailure(`${path} is a folder, not a file.`, EXIT.usage);
  if (code === 'EEXIST') return new CliFailure(`${path} exists already. Nothing is overwritten.`, EXIT.usage);
  if (code === 'ENOSPC') return new CliFailure(`${path}: the disk is full.`);
  return new CliFailure(`${path}: ${code}.`);
}

import { z } from '@l4desk/protocol';
import { bookAt, type RecordingEnd, RecordingError, type RecordingReader } from '@l4desk/recording';
import { DuckDbMissing, QueryFailed } from '@l4desk/recording/export';
import { openRecordingFile } from '@l4desk/recording/node';
import type { ChosenBook } from './chosen-book.ts';
import type { CliContext } from './context.ts';
import { argument, CliFailure, EXIT, grouped } from './outcome.ts';

/** Parses a height or an oid argument. */
export const heightArgument = argument(
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number from 0')
    .transform(Number),
);

/** Opens a recording, runs `act` and closes it. Problems of the recording become a CliFailure. */
export async function withRecording<T>(path: string, act: (recording: RecordingReader) => Promise<T>): Promise<T> {
  try {
    using file = await openRecordingFile(path);
    return await act(file.recording);
  } catch (error) {
    if (error instanceof RecordingError) throw new CliFailure(`${path}: ${error.message}`, EXIT.failed, error.code);
    if (error instanceof DuckDbMissing || error instanceof QueryFailed) throw new CliFailure(error.message);
    throw fileFailure(path, error);
  }
}

/**
 * Opens a recording like `withRecording`, for a question about its book. That its end is missing is noted beside the answer,
 * because the answer may depend on it (REC-3).
 */
export async function askRecording<T>(
  { note }: CliContext,
  path: string,
  act: (recording: RecordingReader) => Promise<T>,
): Promise<T> {
  return withRecording(path, async (recording) => {
    const { end } = recording;
    if (end.kind !== 'complete') note(`${path} is ${endText(end)}.`);
    return act(recording);
  });
}

/** Whether a recording has its end, and where else the readable part ends. */
export function endText(end: RecordingEnd): string {
  if (end.kind === 'complete') return 'complete';
  const rest = end.unreadableBytes === 0 ? '' : `; ${grouped(end.unreadableBytes)} bytes behind it are unreadable`;
  return `cut off or still being written: readable up to byte ${grouped(end.bytes)}${rest}`;
}

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

/** The book of a recording at a height, or at its end. */
export async function recordedBook(
  context: CliContext,
  path: string,
  { at, coin }: { readonly at: number | undefined; readonly coin: string | undefined },
): Promise<ChosenBook> {
  return askRecording(context, path, async (recording) => {
    const { header } = recording;
    if (coin !== undefined && coin !== header.coin) {
      throw new CliFailure(`${path} is a recording of ${header.coin}, not of ${coin}.`, EXIT.usage);
    }
    const { book, position } = await bookAt(recording, at);
    const { height, epoch, seq } = position;
    // The header knows the sizes at the start; an order that came later may have more decimals.
    const szDecimals = Math.max(header.szDecimals, book.cursor('B').szScale);
    return {
      position: { coin: header.coin, height, epoch, seq },
      book,
      szDecimals: async () => szDecimals,
      isLotKnown: false,
    };
  });
}

import { z } from '@l4desk/protocol';
import { bookAt, type RecordingEnd, RecordingError, type RecordingReader } from '@l4desk/recording';
import { DuckDbMissing, QueryFailed } from '@l4desk/recording/export';
import { openRecordingFile } from '@l4desk/recording/node';
import type { ChosenBook } from './chosen-book.ts';
import type { CliContext } from './context.ts';
import { fileFailure } from './file-failure.ts';
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
 * because the answer may depend on it.
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

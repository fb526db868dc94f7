import { ByteReader, ByteWriter } from './bytes.ts';
import { FRAME_KIND, type RawFrame } from './frame.ts';
import { RecordingError } from './recording-error.ts';
import type { RecordingGap, RecordingHeader } from './types.ts';

/** The frames whose content is one JSON document: the header and the gaps. */

export function headerFrame(header: RecordingHeader, height: number): RawFrame {
  return { kind: FRAME_KIND.header, from: height, to: height, bytes: jsonBytes(header) };
}

export function gapFrame(gap: RecordingGap): RawFrame {
  return { kind: FRAME_KIND.gap, from: gap.after, to: gap.before ?? gap.after, bytes: jsonBytes(gap) };
}

/** Throws RecordingError `not_a_recording`. */
export function readHeader(bytes: Uint8Array): RecordingHeader {
  const { coin, source, epoch, pxDecimals, szDecimals, statuses, createdAt } = readJson(bytes);
  if (
    typeof coin === 'string' &&
    typeof source === 'string' &&
    typeof epoch === 'string' &&
    typeof pxDecimals === 'number' &&
    typeof szDecimals === 'number' &&
    (statuses === 'book' || statuses === 'all') &&
    typeof createdAt === 'number'
  ) {
    return { coin, source, epoch, pxDecimals, szDecimals, statuses, createdAt };
  }
  throw new RecordingError('not_a_recording', 'The header of the recording lacks a field or is of a newer version.');
}

/** Throws RecordingError `damaged`. */
export function readGap(bytes: Uint8Array): RecordingGap {
  const { after, before, reason } = readJson(bytes);
  if (typeof after === 'number' && (before === null || typeof before === 'number') && typeof reason === 'string') {
    return { after, before, reason };
  }
  throw new RecordingError('damaged', 'An entry of the list of gaps lacks a field.');
}

function jsonBytes(document: object): Uint8Array {
  const writer = new ByteWriter();
  writer.text(JSON.stringify(document));
  return writer.written.slice();
}

function readJson(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  return JSON.parse(new ByteReader(bytes).text());
}

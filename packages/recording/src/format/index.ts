/** The .l4rec format without the book: everything a simulator or another program needs to read and write recordings. */
export { gapFrame, headerFrame } from './documents.ts';
export {
  FILE_MAGIC,
  FRAME_HEADER_BYTES,
  FRAME_KIND,
  packFrame,
  packTrailer,
  type RawFrame,
  readFrameHead,
} from './frame.ts';
export { type FrameEntry, writeIndex } from './frame-index.ts';
export { type Deflate, packRecording } from './pack-recording.ts';
export {
  type Inflate,
  openRecording,
  type RecordingEnd,
  type RecordingEvent,
  type RecordingReader,
  type RecordingSource,
} from './reader.ts';
export { RecordingError, type RecordingErrorCode } from './recording-error.ts';
export { type FrameContent, SegmentWriter } from './segment-writer.ts';
export type { Keyframe, RecordedBlock, RecordedPosition, RecordingGap, RecordingHeader } from './types.ts';

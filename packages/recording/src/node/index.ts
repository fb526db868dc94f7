/** Recordings in files. */
export { openRecordingFile, RecordingFile, type RecordingOfFile } from './recording-file.ts';

/**
 * Records L4 books, verifies recordings and returns the book at any recorded height. `@l4desk/recording/node` reads and writes
 * files.
 */
export * from './format/index.ts';
export { HeightWentBack, RECORDER_DEFAULTS, Recorder, type RecorderSettings } from './replay/recorder.ts';
export { bookAt, describeGap, type RecordedBook, snapshotAt } from './replay/time-travel.ts';
export { type ReplayReport, replayRecording } from './replay/verification.ts';

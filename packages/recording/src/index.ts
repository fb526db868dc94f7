/** Recordings of L4 books: recorded, verified, and asked for any moment. Files are read and written by `@l4desk/recording/node`. */
export * from './format/index.ts';
export { HeightWentBack, RECORDER_DEFAULTS, Recorder, type RecorderSettings } from './replay/recorder.ts';
export { bookAt, describeGap, type RecordedBook, snapshotAt } from './replay/time-travel.ts';
export { type ReplayReport, replayRecording } from './replay/verification.ts';

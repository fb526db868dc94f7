/** The recorder of a service: writes the books of its feed to files, in a thread of its own. */
export type { Recordings, RecordingsHealth, RecordingsSettings } from './api.ts';
export { startRecordings } from './recordings.ts';

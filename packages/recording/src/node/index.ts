/** Recordings in files, and their export. */
export { type ExportedTable, exportCsv } from './export/csv.ts';
export {
  DuckDbMissing,
  exportParquet,
  openQueries,
  type QueryCell,
  QueryFailed,
  type QueryResult,
  queryRecording,
  type RecordingQueries,
} from './export/duckdb.ts';
export { exportHftbacktest } from './export/hftbacktest.ts';
export { openRecordingFile, RecordingFile, type RecordingOfFile } from './recording-file.ts';

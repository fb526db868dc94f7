/** Recordings as tables and events. An entry of its own: who only records is not to bundle a database. */
export { type ExportedTable, exportCsv } from './csv.ts';
export {
  DuckDbMissing,
  exportParquet,
  openQueries,
  type QueryCell,
  QueryFailed,
  type QueryResult,
  queryRecording,
  type RecordingQueries,
} from './duckdb.ts';
export { exportHftbacktest } from './hftbacktest.ts';

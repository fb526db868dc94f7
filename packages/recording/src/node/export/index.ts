/**
 * Exports recordings as tables and events. A separate entry point, so that programs that only record do not bundle a database.
 */
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

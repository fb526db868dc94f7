/** Real PostgreSQL servers for tests. */
export { POSTGRES_PASSWORD, PostgresServer } from './postgres-server.ts';
export { postgresDatabase } from './shared-server.ts';

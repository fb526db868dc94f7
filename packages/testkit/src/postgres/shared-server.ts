import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../until.ts';
import { createDatabase, PostgresServer } from './postgres-server.ts';

/** The URL of a new, empty database on the one server of this test run, which ends with the test runner. */
export async function postgresDatabase(): Promise<string> {
  return createDatabase(await sharedPort());
}

async function sharedPort(): Promise<number> {
  const runner = process.ppid;
  const place = join(tmpdir(), `l4desk-postgres-${process.getuid?.() ?? 0}-${runner}`);
  const response = join(place, 'response.json');
  try {
    mkdirSync(place);
  } catch {
    const { port, problem } = await until('the PostgreSQL server of this test run', () => readResponse(response));
    if (port === undefined) throw new Error(problem);
    return port;
  }
  const report = (found: Found) => {
    writeFileSync(`${response}.new`, JSON.stringify(found));
    renameSync(`${response}.new`, response);
  };
  try {
    const { port } = await PostgresServer.start(place, runner);
    report({ port });
    return port;
  } catch (error) {
    report({ problem: `PostgreSQL did not start: ${String(error)}` });
    throw error;
  }
}

interface Found {
  readonly port?: number;
  readonly problem?: string;
}

function readResponse(path: string): Found | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Found;
  } catch {
    return undefined;
  }
}

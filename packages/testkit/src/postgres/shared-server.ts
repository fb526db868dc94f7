import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../until.ts';
import { createDatabase, PostgresServer } from './postgres-server.ts';

/**
 * The URL of a new, empty PostgreSQL database on the one server of this test run. The first file that asks starts it; it
 * ends with the test runner, whose workers all have the same parent.
 */
export async function postgresDatabase(): Promise<string> {
  return createDatabase(await sharedPort());
}

async function sharedPort(): Promise<number> {
  const runner = process.ppid;
  const place = join(tmpdir(), `l4desk-postgres-${process.getuid?.() ?? 0}-${runner}`);
  const answer = join(place, 'answer.json');
  try {
    mkdirSync(place);
  } catch {
    const { port, problem } = await until('the PostgreSQL server of this test run', () => readAnswer(answer));
    if (port === undefined) throw new Error(problem);
    return port;
  }
  const tell = (found: Answer) => {
    writeFileSync(`${answer}.new`, JSON.stringify(found));
    renameSync(`${answer}.new`, answer);
  };
  try {
    const { port } = await PostgresServer.start(place, runner);
    tell({ port });
    return port;
  } catch (error) {
    tell({ problem: `PostgreSQL did not start: ${String(error)}` });
    throw error;
  }
}

interface Answer {
  readonly port?: number;
  readonly problem?: string;
}

function readAnswer(path: string): Answer | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Answer;
  } catch {
    return undefined;
  }
}

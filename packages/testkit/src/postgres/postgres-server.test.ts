import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../until.ts';
import { PostgresServer } from './postgres-server.ts';

it('a test server ends with the process it was started for, and leaves nothing behind', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'l4desk-postgres-'));
  chmodSync(directory, 0o755);
  const owner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const server = await PostgresServer.start(directory, owner.pid);
  expect(await server.createDatabase()).toContain(`:${server.port}/`);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  await until('the directory is gone', () => !existsSync(directory));
  const socket = createConnection(server.port, '127.0.0.1');
  await expect(once(socket, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

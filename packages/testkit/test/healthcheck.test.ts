import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WORKSPACE } from './test-support/try-package.ts';

const script = join(WORKSPACE, 'deploy', 'healthcheck.mjs');

async function codeOf(env: Readonly<Record<string, string>>): Promise<number | null> {
  const [code] = await once(execFile(process.execPath, [script], { env }), 'exit');
  return code as number | null;
}

it.each([
  ['127.0.0.2', '127.0.0.2'],
  ['0.0.0.0', '0.0.0.0'],
  ['127.0.0.1', undefined],
  ['127.0.0.1', ''],
])('the health check of a service on %s asks it there, with HOST %j', async (address, HOST) => {
  let status = 200;
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/healthz' ? status : 404;
    response.end();
  });
  try {
    await once(server.listen(0, address), 'listening');
    const env = { PORT: String((server.address() as AddressInfo).port), ...(HOST === undefined ? {} : { HOST }) };
    expect(await codeOf(env)).toBe(0);
    status = 503;
    expect(await codeOf(env)).toBe(1);
  } finally {
    server.close();
  }
});

it('the health check fails where nothing listens', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  expect(await codeOf({ PORT: String(port) })).toBe(1);
});

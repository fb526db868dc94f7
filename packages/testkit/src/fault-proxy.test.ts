import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FaultProxy } from './fault-proxy.ts';

let server: Server;
let proxy: FaultProxy;
const arrivals: Socket[] = [];

beforeEach(async () => {
  arrivals.length = 0;
  // Echoes what it receives.
  server = createServer((socket) => {
    arrivals.push(socket);
    socket.on('error', () => socket.destroy());
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await FaultProxy.start((server.address() as AddressInfo).port);
});
afterEach(async () => {
  await proxy[Symbol.asyncDispose]();
  server.close();
});

async function dial(): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function heard(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString();
}

/** Unlike `once`, does not reject if the socket ends with an error. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
  });
}

describe('the fault proxy', () => {
  it('forwards bytes both ways', async () => {
    const socket = await dial();
    socket.write('hello');
    expect(await heard(socket)).toBe('hello');
    socket.end();
    await closed(socket);
    expect(proxy.connections).toBe(0);
  });

  it('cuts both ends', async () => {
    const socket = await dial();
    socket.write('hello');
    await heard(socket);
    const ends = Promise.all([socket, ...arrivals].map(closed));
    proxy.cut();
    await ends;
    expect(proxy.connections).toBe(0);
  });

  it('holds everything back while stalled, and loses nothing', async () => {
    const first = await dial();
    first.write('a');
    await heard(first);
    proxy.stall();
    first.write('b');
    const second = await dial();
    second.write('c');
    const late: string[] = [];
    first.on('data', (data: Buffer) => late.push(data.toString()));
    second.on('data', (data: Buffer) => late.push(data.toString()));
    // A third connection that bypasses the proxy shows that the server itself responds and has had its turn.
    const direct = connect((server.address() as AddressInfo).port, '127.0.0.1');
    direct.write('x');
    expect(await heard(direct)).toBe('x');
    direct.destroy();
    expect(late).toEqual([]);
    const responses = Promise.all([once(first, 'data'), once(second, 'data')]);
    proxy.resume();
    await responses;
    expect(late.toSorted()).toEqual(['b', 'c']);
  });

  it('refuses new connections and keeps existing ones', async () => {
    const old = await dial();
    old.write('a');
    await heard(old);
    proxy.refuse();
    const refused = connect(proxy.port, '127.0.0.1');
    refused.on('error', () => {});
    await closed(refused);
    old.write('b');
    expect(await heard(old)).toBe('b');
    proxy.accept();
    const next = await dial();
    next.write('c');
    expect(await heard(next)).toBe('c');
  });

  it('forwards bytes late and in order', async () => {
    proxy.delay(5);
    const socket = await dial();
    let text = '';
    socket.on('data', (data: Buffer) => {
      text += data.toString();
    });
    for (const part of ['one ', 'two ', 'three']) socket.write(part);
    while (text.length < 'one two three'.length) await once(socket, 'data');
    expect(text).toBe('one two three');
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { announceService } from '@l4desk/runtime/node';
import { Chance, ScriptedService, until } from '@l4desk/testkit';
import { startTestService } from '@l4desk/testkit/service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunningCommand } from './test-support/command.ts';

let service: ScriptedService;
beforeEach(async () => {
  service = await ScriptedService.start({ coins: ['BTC', 'ETH'], chance: new Chance(3) });
});
afterEach(() => service[Symbol.asyncDispose]());

function verify(...words: readonly string[]): RunningCommand {
  const environment = { L4DESK_URL: service.url, L4DESK_KEY: 'l4k_secret' };
  return new RunningCommand(['verify', ...words], { environment });
}

const withoutBestBid = (snapshot: ReturnType<ScriptedService['snapshot']>) => ({
  ...snapshot,
  levels: [snapshot.levels[0].slice(1), snapshot.levels[1]],
});

describe('verify', () => {
  it('exits with 0 if the followed books equal fresh snapshots', async () => {
    const command = verify('BTC', 'ETH', '--seconds', '0', '--json');
    expect(await command.code).toBe(0);
    const orders = service.book('BTC').levels().flat().length;
    expect(JSON.parse(command.out)).toEqual([
      { coin: 'BTC', verdict: 'equal', height: service.height, seq: 0, gaps: 0, orders },
      expect.objectContaining({ coin: 'ETH', verdict: 'equal' }),
    ]);
    expect(command.err).toBe('');
    expect(service.snapshotRequests).toHaveLength(4);
  });

  it('code 1: names the order that differs', async () => {
    service.snapshotScript.push(
      (snapshot, response) => response.end(JSON.stringify(snapshot)),
      (snapshot, response) => response.end(JSON.stringify(withoutBestBid(snapshot))),
    );
    const command = verify('BTC', '--seconds', '0');
    expect(await command.code).toBe(1);
    const [best] = service.book('BTC').levels()[0];
    expect(command.out).toMatch(/^BTC {2}DIFFERENT at block \d+, seq 0: /);
    expect(command.out).toContain(String(best?.oid));
    expect(command.err).toBe('Different: BTC.\n');
    service.snapshotScript.push(
      (snapshot, response) => response.end(JSON.stringify(snapshot)),
      (snapshot, response) => response.end(JSON.stringify(withoutBestBid(snapshot))),
    );
    // The verdict is the document: no second one follows it.
    const forPrograms = verify('BTC', '--seconds', '0', '--json');
    expect(await forPrograms.code).toBe(1);
    expect(JSON.parse(forPrograms.out)).toMatchObject([{ coin: 'BTC', verdict: 'different' }]);
  });

  it('code 3: a comparison that did not take place is no equality', async () => {
    service.snapshotScript.push(
      (snapshot, response) => response.end(JSON.stringify(snapshot)),
      (_, response) => response.writeHead(502).end('<html>'),
    );
    const command = verify('BTC', '--seconds', '0');
    expect(await command.code).toBe(3);
    expect(command.out).toMatch(/^BTC {2}not compared: /);
  });

  it('follows for the given time and ends when interrupted', async () => {
    const command = verify('BTC', '--seconds', '600');
    await service.sees(() => service.snapshotRequests.length === 1);
    command.interrupt();
    expect(await command.code).toBe(3);
    expect(command.err).toBe('Interrupted.\n');
    await service.sees(() => service.connections === 0);
  });
});

describe('verify of a running service', () => {
  it('without coins uses those that the service has joined; address and key may be in .env', async () => {
    await using rig = await startTestService();
    const { api } = await rig.account('team');
    const envFilePath = join(rig.directory, '.env');
    writeFileSync(envFilePath, `PORT=${rig.port}\nL4DESK_KEY=${api}\n`);
    const none = new RunningCommand(['verify', '--seconds', '0'], { envFilePath });
    expect(await none.code).toBe(3);
    expect(none.err).toBe('The service has not joined any coin: name the coins to verify.\n');
    rig.feed.makeLive('BTC');
    rig.feed.makeLive('xyz:GOLD');
    const command = new RunningCommand(['verify', '--seconds', '0', '--json'], { envFilePath });
    expect(await command.code).toBe(0);
    expect(JSON.parse(command.out)).toMatchObject([
      { coin: 'BTC', verdict: 'equal', orders: 0 },
      { coin: 'xyz:GOLD', verdict: 'equal' },
    ]);
    expect(command.out).not.toContain(api);
  });

  it.each<[string, (port: number) => string, boolean]>([
    ['with a port of its own choice', () => 'PORT=0', true],
    ['without a port', () => 'PORT=', true],
    ['with its port', (port) => `PORT=${port}`, true],
    ['with its port, though it left no note', (port) => `PORT=${port}`, false],
  ])('finds the service with the same settings: %s', async (_, port, isNoted) => {
    await using rig = await startTestService();
    const { api } = await rig.account('team');
    const withdraw = announceService(rig.directory, { host: '127.0.0.1', port: rig.port });
    if (!isNoted) withdraw();
    rig.feed.makeLive('BTC');
    await until('the coins are known', () => rig.logs.some((line) => line.includes('list of coins loaded')));
    const envFilePath = join(rig.directory, '.env');
    writeFileSync(envFilePath, `DATA_DIR=${rig.directory}\n${port(rig.port)}\nL4DESK_KEY=${api}\n`);
    const command = new RunningCommand(['verify', '--seconds', '0', '--json'], { envFilePath });
    expect([await command.code, command.err]).toEqual([0, '']);
    expect(JSON.parse(command.out)).toMatchObject([{ coin: 'BTC', verdict: 'equal' }]);
    withdraw();
  });

  it('does not use a service on another port, and says so if there is none', async () => {
    await using rig = await startTestService();
    const withdraw = announceService(rig.directory, { host: '127.0.0.1', port: rig.port });
    const environment = { DATA_DIR: rig.directory, PORT: '9', L4DESK_KEY: 'l4k_secret' };
    const other = new RunningCommand(['tail', 'BTC'], { environment });
    expect(await other.code).toBe(3);
    expect(other.err).toContain('The service at http://127.0.0.1:9 cannot be reached');
    withdraw();
    const none = new RunningCommand(['tail', 'BTC'], { environment: { ...environment, PORT: '0' } });
    expect(await none.code).toBe(3);
    expect(none.err).toBe(
      `No service is running on the data directory ${rig.directory}. Start one with npm start, or pass --url or L4DESK_URL.\n`,
    );
  });

  it('requires coins if the service does not report which ones it has joined', async () => {
    const environment = { L4DESK_URL: 'http://127.0.0.1:9', L4DESK_KEY: 'l4k_secret' };
    const command = new RunningCommand(['verify'], { environment });
    expect(await command.code).toBe(3);
    expect(command.err).toContain('name the coins to verify');
  });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startVenue } from './server.ts';
import { L4Client, type UpdatesData } from './test-support/l4-client.ts';

const SMALL = { coins: ['BTC', 'kPEPE'], size: 0.01, statusRate: 0.1, startTime: 1_778_002_752_957, pace: 0 } as const;

/** The messages of the first blocks of both coins, as a client receives them. */
async function firstBlocks(
  blocks: number,
  run: 'stepped one by one' | 'stepped at once' | 'paced',
): Promise<readonly UpdatesData[]> {
  await using venue = await startVenue(SMALL);
  await using client = await L4Client.open(venue.l4Url);
  const { height } = await client.subscribe('BTC');
  await client.subscribe('kPEPE');
  if (run === 'paced') {
    venue.setPace(30);
    await client.until(() => (client.heights('BTC').at(-1) ?? 0) >= height + blocks, 'the last block');
    venue.setPace(0);
  } else if (run === 'stepped at once') await venue.step(blocks);
  else for (let i = 0; i < blocks; i += 1) await venue.step(1);
  await client.settled();
  return client.updates().filter((updates) => updates.height <= height + blocks);
}

describe('a venue', () => {
  it('makes the same blocks from the same seed, stepped or paced', async () => {
    const expected = await firstBlocks(60, 'stepped at once');
    expect(expected.length).toBeGreaterThan(60);
    expect(await firstBlocks(60, 'stepped one by one')).toEqual(expected);
    expect(await firstBlocks(60, 'paced')).toEqual(expected);
  });

  it('takes free ports, and closes them and its connections when disposed of', async () => {
    const venue = await startVenue(SMALL);
    const client = await L4Client.open(venue.l4Url);
    await venue[Symbol.asyncDispose]();
    await client.until(() => client.isClosed, 'the end of the connection');
    await expect(fetch(`${venue.controlUrl}/state`)).rejects.toThrow('fetch failed');
    await expect(fetch(venue.infoUrl, { method: 'POST' })).rejects.toThrow('fetch failed');
  });

  it('may take a free control port instead of one in use, also if several start at once', async () => {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const { port: controlPort } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const start = () => startVenue({ ...SMALL, controlPort, controlFallback: true });
    const venues = await Promise.all([start(), start(), start()]);
    const urls = venues.map(({ controlUrl }) => controlUrl);
    expect(urls).toContain(`http://127.0.0.1:${controlPort}`);
    expect(new Set(urls).size).toBe(3);
    for (const url of urls) expect((await fetch(`${url}/state`)).status).toBe(200);
    for (const venue of venues) await venue[Symbol.asyncDispose]();
  });
});

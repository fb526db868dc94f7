import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { exampleWallets } from './venue-process.ts';

const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A control port that sends the same response to every request. */
async function control(reply: unknown): Promise<string> {
  const server = createServer((_, response) => response.end(JSON.stringify(reply)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const entry = (role: string, number: number) => ({
  address: `0x${number.toString(16).padStart(40, '0')}`,
  name: `${role} ${number}`,
  role,
  history: 5,
});

it('returns a few wallets of each role, with only the required fields', async () => {
  const all = ['spot', 'maker'].flatMap((role, at) => Array.from({ length: 40 }, (_, n) => entry(role, at * 100 + n)));
  const { wallets } = await exampleWallets(await control(all));
  expect(wallets.filter(({ role }) => role === 'spot')).toHaveLength(12);
  expect(wallets.filter(({ role }) => role === 'maker').map(({ name }) => name)).toEqual([
    'maker 100',
    'maker 101',
    'maker 102',
  ]);
  expect(wallets[0]).toEqual({ address: `0x${'0'.repeat(40)}`, name: 'spot 0', role: 'spot' });
});

it.each([[{ error: 'no' }], [[{ address: 'x' }]]])(
  'rejects an invalid response (%j) with upstream_error',
  async (response) => {
    await expect(exampleWallets(await control(response))).rejects.toMatchObject({ code: 'upstream_error' });
  },
);

it('rejects with upstream_error if the control port is gone', async () => {
  const url = await control([]);
  for (const end of ends.splice(0)) end();
  await expect(exampleWallets(url)).rejects.toMatchObject({ code: 'upstream_error', status: 502 });
});

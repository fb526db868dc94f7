import { Chance } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import { readSnapshotFile } from './snapshot-reader.ts';
import { FakeChain } from './test-support/node-rig.ts';

const chain = new FakeChain(['BTC', 'ETH', 'xyz:GOLD', 'SOL'], new Chance(45));
const text = chain.snapshot();

async function read(file: string, wanted: readonly string[], pieceBytes: number) {
  const bytes = Buffer.from(file);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const found = [];
  for await (const levels of readSnapshotFile(pieces(), new Set(wanted))) found.push(levels);
  return found;
}

describe('a snapshot file', () => {
  test.each([1, 2, 7, 64, 1_000, 1 << 20])(
    '[NODE-7, L4-74] in pieces of %i bytes yields only the wanted coins, an empty book for one that it does not list',
    async (pieceBytes) => {
      const found = await read(text, ['SOL', 'BTC', 'DOGE'], pieceBytes);
      expect(found).toEqual([
        ...['BTC', 'SOL'].map((coin) => ({ coin, height: 500, levels: chain.books.get(coin)?.levels() })),
        { coin: 'DOGE', height: 500, levels: [[], []] },
      ]);
    },
  );

  test('[NODE-7] may have coins without orders, a final line end, or no coins at all', async () => {
    const empty = '[7,[["A",[[],[]]],["B",[[],[]]]]]\n';
    const wanted = ['A', 'B'];
    expect(await read(empty, wanted, 5)).toEqual(wanted.map((coin) => ({ coin, height: 7, levels: [[], []] })));
    expect(await read('[7,[]]', wanted, 5)).toEqual(wanted.map((coin) => ({ coin, height: 7, levels: [[], []] })));
  });

  test('[NODE-7] is rejected if it is cut off or not a snapshot, and never yields half a book', async () => {
    for (let cut = 0; cut < text.length; cut += 997)
      await expect(read(text.slice(0, cut), ['SOL'], 4_096)).rejects.toThrow();
    await expect(read(text.slice(0, -1), ['SOL'], 4_096)).rejects.toThrow();
    await expect(read('{"height":7}', ['SOL'], 4_096)).rejects.toThrow('cut off');
    await expect(read('{"a":7}'.repeat(20), ['SOL'], 4_096)).rejects.toThrow('height');
    await expect(read('[7,[[[["0x"]]]]]', ['SOL'], 4_096)).rejects.toThrow();
  });
});

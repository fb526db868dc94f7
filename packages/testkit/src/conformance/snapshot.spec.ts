import { beforeAll, describe, expect, it } from 'vitest';
import { amount } from '../spec-client/spec-book.ts';
import { checkSnapshot } from '../spec-client/wire-checks.ts';
import { StreamProbe } from '../stream-probe.ts';
import { askInfo, type ConformanceTarget } from './target.ts';

let target: ConformanceTarget;

async function snapshotOf(coin: string) {
  const { status, json } = await askInfo(target, { type: 'l4BookSnapshot', coin });
  const problems: string[] = [];
  const snapshot = checkSnapshot(json, coin, (problem) => problems.push(problem));
  expect({ status, problems }).toEqual({ status: 200, problems: [] });
  if (snapshot === undefined) throw new Error(`no snapshot of ${coin}`);
  return { snapshot, json: json as Record<string, unknown> };
}

/** Declares the tests. Call it inside a describe block; `opened` returns the target once it is open. */
export function snapshotSuite(opened: () => ConformanceTarget): void {
  beforeAll(() => {
    target = opened();
  });

  describe('l4BookSnapshot', () => {
    it('[SNAP-1, SNAP-2, SNAP-5, SNAP-7, SNAP-10, INFO-2, DEC-1, DEC-4] returns one object with every field of the specification, and no other', async () => {
      const { json, snapshot } = await snapshotOf(target.coins[0]);
      expect(Object.keys(json).toSorted()).toEqual(['coin', 'epoch', 'height', 'levels', 'seq', 'time']);
      expect(snapshot.levels[0].length).toBeGreaterThan(0);
      expect(snapshot.levels[1].length).toBeGreaterThan(0);
    });

    it('[SNAP-8, SNAP-9, SNAP-10] lists single orders, best price first, grouped by price, no order twice', async () => {
      const { levels } = (await snapshotOf(target.coins[0])).snapshot;
      for (const [index, sign] of [-1n, 1n].entries()) {
        const prices = (levels[index] ?? []).map(({ limitPx }) => amount(limitPx));
        expect(prices.every((price, index) => index === 0 || sign * (price - (prices[index - 1] ?? 0n)) >= 0n)).toBe(
          true,
        );
        // Fewer prices than orders, so they are not aggregated.
        expect(new Set(prices).size).toBeLessThan(prices.length);
      }
      const oids = levels.flat().map(({ oid }) => oid);
      expect(new Set(oids).size).toBe(oids.length);
      expect(amount(levels[0][0]?.limitPx ?? '0')).toBeLessThan(amount(levels[1][0]?.limitPx ?? '0'));
    });

    it('[SNAP-10] shows a plain limit order without a trigger', async () => {
      const { levels } = (await snapshotOf(target.coins[0])).snapshot;
      const plain = (levels.flat() as unknown as Record<string, unknown>[]).filter(
        ({ orderType }) => orderType === 'Limit',
      );
      expect(plain.length).toBeGreaterThan(0);
      for (const order of plain)
        expect(order).toMatchObject({ isTrigger: false, triggerCondition: 'N/A', triggerPx: '0.0' });
    });

    it.each([
      ['an unknown coin', 'NOPE', 'unknown_coin'],
      ['the empty coin', '', 'invalid_request'],
      ['a spot coin by number', '@107', 'unsupported_coin'],
      ['a spot coin by name', 'PURR/USDC', 'unsupported_coin'],
      ['an outcome', '#12', 'unsupported_coin'],
    ])('[SNAP-14, SNAP-15] rejects %s', async (_, coin, error) => {
      const { status, json } = await askInfo(target, { type: 'l4BookSnapshot', coin });
      expect({ status, json }).toMatchObject({ status: 400, json: { error, code: 400, path: 'coin' } });
    });

    it('[SNAP-19, SNAP-5, SNAP-6] is never older than the last block published before the request', async () => {
      const [coin] = target.coins;
      await using probe = await StreamProbe.open(`${target.streamUrl}?key=${target.apiKey}`);
      await probe.ask({ method: 'subscribe', subscription: { type: 'l4BookUpdates', coin } });
      for (let round = 0; round < 10; round += 1) {
        const { data } = await probe.next(({ channel }) => channel === 'l4BookUpdates');
        const { Updates } = data as { Updates: { block_height: number; epoch: string; book_diffs: { seq: number }[] } };
        const { snapshot } = await snapshotOf(coin);
        expect(snapshot.height).toBeGreaterThanOrEqual(Updates.block_height);
        expect(snapshot.epoch).toBe(Updates.epoch);
        expect(snapshot.seq).toBeGreaterThanOrEqual(Updates.book_diffs[0]?.seq ?? 0);
      }
    });

    it('[INFO-27] has no version marker', async () => {
      const { headers, json } = await askInfo(target, { type: 'l4BookSnapshot', coin: target.coins[0] });
      const names = [...headers.keys(), ...Object.keys(json as object)];
      expect(names.filter((name) => /version|powered/i.test(name))).toEqual([]);
    });
  });
}

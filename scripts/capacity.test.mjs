import { expect, it } from 'vitest';
import { STANDARD, sized } from './capacity.mjs';

it('more viewers need more gateways, and a slower network saturates before the CPU', () => {
  const at = (viewers, gbit) => sized(viewers, 'compressed', { ...STANDARD, gbit });
  expect(at(1_000_000, 10).gateways).toBeGreaterThan(9 * at(100_000, 10).gateways);
  expect([at(10_000, 10).first, at(10_000, 1).first]).toEqual(['fan-out CPU', 'network']);
  expect(sized(10_000, 'plain', { ...STANDARD, coins: 100 }).first).toBe('feed thread');
});

it('gateways use up the connections of PostgreSQL, and no number of viewers needs more than 40 commits a second per gateway', () => {
  const at = (maxConnections) => sized(100_000, 'compressed', { ...STANDARD, maxConnections });
  expect([at(100).connections, at(100).first, at(111).first]).toEqual([108, 'PostgreSQL connections', 'fan-out CPU']);
  expect(at(100).commitsPerSecond / at(100).gateways).toBeGreaterThan(39);
  expect(at(100).commitsPerSecond / at(100).gateways).toBeLessThan(40);
  expect(sized(60, 'plain', STANDARD).commitsPerSecond).toBeCloseTo(1, 1);
});

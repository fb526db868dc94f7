import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MEASURED, measuredTable, STANDARD, sized, table } from './capacity.mjs';
import { root } from './lib/workspace.mjs';

const documented = (name) => readFileSync(join(root, 'docs', name), 'utf8');

it('docs/capacity.md contains the tables of scripts/capacity.mjs: the measured figures and the results', () => {
  expect(documented('capacity.md')).toContain(table(STANDARD));
  expect(documented('capacity.md')).toContain(measuredTable());
});

it('uses the figures of docs/performance.md', () => {
  const { compressedDeliveryUs, plainDeliveryUs, clientKb } = MEASURED;
  const performance = documented('performance.md');
  expect(performance).toContain(`2 KB | ${compressedDeliveryUs.value} µs CPU a delivery`);
  expect(performance).toContain(`20 KB | ${plainDeliveryUs.value} µs CPU a delivery`);
  expect(performance).toContain(`client (RSS) | ${clientKb.value} KB`);
});

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

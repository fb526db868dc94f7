import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { STANDARD, sized, table } from './capacity.mjs';
import { root } from './lib/workspace.mjs';

it('[CL-15] docs/capacity.md has the table that scripts/capacity.mjs computes', () => {
  expect(readFileSync(join(root, 'docs', 'capacity.md'), 'utf8')).toContain(table(STANDARD));
});

it('[CL-15] more viewers need more gateways, a narrower network saturates before the processor', () => {
  const at = (viewers, gbit) => sized(viewers, 'compressed', { ...STANDARD, gbit });
  expect(at(1_000_000, 10).gateways).toBeGreaterThan(9 * at(100_000, 10).gateways);
  expect([at(10_000, 10).first, at(10_000, 1).first]).toEqual(['fan-out CPU', 'network']);
  expect(sized(10_000, 'plain', { ...STANDARD, coins: 100 }).first).toBe('feed thread');
});

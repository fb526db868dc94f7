// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { Workspace } from '../../../state/workspaces.ts';
import { isWorkspace } from './current-workspace.ts';

const now: Omit<Workspace, 'name'> = {
  coin: 'BTC',
  search: { tick: '1', flow: '0' },
  radarCoins: ['BTC', 'ETH'],
  windows: [{ href: '/book/BTC?pop=tape', left: 0, top: 0, width: 640, height: 900 }],
};

it.each([
  ['its coin', { coin: 'ETH' }],
  ['what its address says', { search: { tick: '1', flow: '0', n: '0' } }],
  ["the radar's coins", { radarCoins: ['BTC', 'SOL'] }],
  ['that the radar has coins of its own', { radarCoins: [] }],
  ['its windows', { windows: [] }],
])('a page that differs from a workspace in %s can be saved as it', (_, change) => {
  const kept = { name: 'Scalp', ...now };
  expect(isWorkspace(kept, now)).toBe(true);
  expect(isWorkspace(kept, { ...now, ...change })).toBe(false);
});

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../engine/random.ts';
import { WalletRegistry } from './wallet.ts';

describe('the wallets', () => {
  const registry = new WalletRegistry(seededRandom('w'), 1);

  it('are at least 300 named agents and a crowd of thousands, each with its own address', () => {
    const agents = registry.all.filter(({ role }) => role !== 'crowd');
    expect(agents.length).toBeGreaterThanOrEqual(300);
    expect(registry.of('crowd').length).toBeGreaterThan(5_000);
    expect(new Set(registry.all.map(({ address }) => address)).size).toBe(registry.all.length);
    expect(new Set(registry.all.map(({ name }) => name)).size).toBe(registry.all.length);
    expect(registry.all.every(({ address }) => /^0x[0-9a-f]{40}$/.test(address))).toBe(true);
  });

  it('are the same for the same seed; a smaller market has a smaller crowd and the same agents', () => {
    expect(new WalletRegistry(seededRandom('w'), 1).all).toEqual(registry.all);
    const small = new WalletRegistry(seededRandom('w'), 0.1);
    expect(small.of('maker')).toEqual(registry.of('maker'));
    expect(small.of('crowd')).toEqual(registry.of('crowd').slice(0, 600));
  });
});

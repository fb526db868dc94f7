import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Subscription } from './client-message.ts';
import { SubscriptionSet } from './subscription-set.ts';

function subscription(key: string, coins: readonly string[], statuses: 'all' | 'book' = 'all'): Subscription {
  return { key, text: key, coins, statuses, status: false, upstream: false, checksum: false, executions: false };
}

describe('the subscriptions of one connection', () => {
  test('[L4-32, L4-33] that overlap give each coin once, with the fuller form of statuses', () => {
    const set = new SubscriptionSet();
    set.add(subscription('a', ['BTC'], 'book'));
    set.add(subscription('b', ['BTC', 'ETH'], 'all'));
    expect([...set.coins]).toEqual(['BTC', 'ETH']);
    expect([...set.effective()]).toEqual([
      ['BTC', 'all'],
      ['ETH', 'all'],
    ]);
    expect(set.remove('b')?.key).toBe('b');
    expect([...set.coins]).toEqual(['BTC']);
    expect([...set.effective()]).toEqual([['BTC', 'book']]);
  });

  test('[WS-6] are narrowed by removing one and adding a smaller one', () => {
    const set = new SubscriptionSet();
    set.add(subscription('wide', ['BTC', 'ETH']));
    expect(set.remove('narrow')).toBeUndefined();
    expect(set.remove('wide')?.key).toBe('wide');
    set.add(subscription('narrow', ['ETH']));
    expect([...set.effective().keys()]).toEqual(['ETH']);
  });

  test('[WS-25] count distinct coins across all of them', () => {
    const set = new SubscriptionSet();
    set.add(subscription('a', ['BTC', 'ETH']));
    expect(set.coinsWith(['ETH', 'SOL'])).toBe(3);
  });

  test('[L4-32] have the combined effect of those that remain, after any history', () => {
    const coin = fc.constantFrom('BTC', 'ETH', 'SOL');
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      coins: fc.uniqueArray(coin, { minLength: 1 }),
      statuses: fc.constantFrom('all' as const, 'book' as const),
      status: fc.boolean(),
      upstream: fc.boolean(),
      checksum: fc.boolean(),
      executions: fc.boolean(),
      text: fc.constant(''),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const set = new SubscriptionSet();
        const kept = new Map<string, Subscription>();
        for (const next of steps) {
          if (set.has(next.key)) {
            set.remove(next.key);
            kept.delete(next.key);
          } else {
            set.add(next);
            kept.set(next.key, next);
          }
        }
        const expected = new Map<string, string>();
        for (const name of ['BTC', 'ETH', 'SOL']) {
          const naming = [...kept.values()].filter(({ coins }) => coins.some((coin) => coin === name));
          if (naming.length === 0) continue;
          const form = [naming.some(({ statuses }) => statuses === 'all') ? 'all' : 'book'];
          if (naming.some(({ checksum }) => checksum)) form.push('checksum');
          if (naming.some(({ executions }) => executions)) form.push('executed');
          expected.set(name, form.join('+'));
        }
        expect(new Map(set.effective())).toEqual(expected);
        expect(set.size).toBe(kept.size);
        for (const name of ['BTC', 'ETH', 'SOL']) {
          const naming = [...kept.values()].filter(({ coins }) => coins.includes(name));
          expect(set.naming(name)).toEqual(naming);
          expect(set.wantsUpstream).toBe([...kept.values()].some(({ upstream }) => upstream));
          expect(set.wantsStatus(name)).toBe(naming.some(({ status }) => status));
        }
      }),
    );
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, l4BookUpdatesSubscription } from './subscription.ts';

describe('canonicalJson', () => {
  it('[WS-9] ignores key order', () => {
    expect(canonicalJson({ type: 'l4BookUpdates', coin: 'BTC' })).toBe(
      canonicalJson({ coin: 'BTC', type: 'l4BookUpdates' }),
    );
  });

  it('[WS-9] distinguishes every field and the order of an array', () => {
    const base = { type: 'l4BookUpdates', coin: ['BTC', 'ETH'] };
    expect(canonicalJson(base)).not.toBe(canonicalJson({ ...base, extra: null }));
    expect(canonicalJson(base)).not.toBe(canonicalJson({ ...base, coin: ['ETH', 'BTC'] }));
    expect(canonicalJson({ coin: ['BTC'] })).not.toBe(canonicalJson({ coin: 'BTC' }));
  });

  it('[WS-9] returns equal texts only for deeply equal values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });
});

it('[WS-25] l4BookUpdatesSubscription accepts up to 64 coins in an array', () => {
  const coins = (count: number) => Array.from({ length: count }, (_, index) => `COIN${index}`);
  expect(l4BookUpdatesSubscription.safeParse({ type: 'l4BookUpdates', coin: coins(64) }).success).toBe(true);
  expect(l4BookUpdatesSubscription.safeParse({ type: 'l4BookUpdates', coin: coins(65) }).success).toBe(false);
  expect(l4BookUpdatesSubscription.safeParse({ type: 'l4BookUpdates', coin: [] }).success).toBe(false);
});

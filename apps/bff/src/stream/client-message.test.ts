import { canonicalJson } from '@l4desk/protocol';
import { describe, expect, test } from 'vitest';
import type { CoinUniverse } from '../exchange/universe.ts';
import { readClientMessage, type SubscriptionBody } from './client-message.ts';
import { bodyKey, checkSubscription } from './subscription.ts';

const universe: CoinUniverse = {
  isLoaded: true,
  classify(coin) {
    if (coin.startsWith('@') || coin.includes('/') || coin.startsWith('#')) return 'unsupported';
    if (coin === 'SOON') return 'not-loaded';
    return ['BTC', 'ETH', 'SOL', 'xyz:GOLD'].includes(coin) || /^C\d+$/.test(coin) ? 'served' : 'unknown';
  },
};

function body(subscription: unknown): SubscriptionBody {
  const request = readClientMessage(JSON.stringify({ method: 'subscribe', subscription }));
  if (request.kind !== 'subscribe') throw new Error(`read as ${request.kind}`);
  return request.body;
}

const check = (subscription: unknown) => checkSubscription(body(subscription), universe, 64);

test.each([
  '',
  'BTC',
  '[]',
  'null',
  '{"method":"subscribe"}',
  '{"method":"subscribe","subscription":null}',
  '{"method":"subscribe","subscription":"BTC"}',
  '{"method":"subscribe","subscription":["BTC"]}',
  '{"method":"trade","subscription":{}}',
  '{"subscription":{}}',
  '{"method":"ping"',
])('[WS-16] a client message that is not a request is garbage: %s', (text) => {
  expect(readClientMessage(text)).toEqual({ kind: 'garbage' });
});

describe('a subscription', () => {
  test.each([{ cursor: '985148182:1778002753024' }, { cursor: null }, { fromHeight: 985_148_182, note: [{}] }])(
    '[L4-15, WS-9] may contain fields that are ignored: %j',
    (more) => {
      const subscription = { type: 'l4BookUpdates', coin: 'BTC', ...more };
      const plain = check({ type: 'l4BookUpdates', coin: 'BTC' });
      const own = { key: canonicalJson(subscription), text: JSON.stringify(subscription) };
      expect(check(subscription)).toEqual({ ...plain, ...own });
    },
  );

  test('[WS-9] is not identical to one that differs in a field named __proto__', () => {
    const key = (more: string) => {
      const request = readClientMessage(
        `{"method":"subscribe","subscription":{"type":"l4BookUpdates","coin":"BTC"${more}}}`,
      );
      return 'body' in request ? bodyKey(request.body) : request.kind;
    };
    const one = key(',"__proto__":{"a":1}');
    expect(one).not.toBe(key(''));
    expect(one).not.toBe(key(',"__proto__":{"a":2}'));
    expect(one).toBe(key(', "__proto__" : { "a" : 1 }'));
    expect(key(',"note":{"__proto__":1}')).not.toBe(key(',"note":{}'));
  });

  test('[WS-15] is refused with a reason without braces, whatever the coin name is', () => {
    expect(check({ type: 'l4BookUpdates', coin: '{"a":1}' })).toEqual({ reason: 'unknown coin "?\\"a\\":1?"' });
  });

  test('[WS-15] is refused without being traversed if it is nested too deeply', () => {
    const depth = 20_000;
    const text = `{"method":"subscribe","subscription":{"type":"l4BookUpdates","coin":"BTC","x":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    const request = readClientMessage(text);
    if (request.kind !== 'subscribe') throw new Error(`read as ${request.kind}`);
    expect(checkSubscription(request.body, universe, 64)).toEqual({ reason: 'nested too deeply' });
  });
});

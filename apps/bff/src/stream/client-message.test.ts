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

  const l4 = (coin: unknown, more: object = {}) => ({ type: 'l4BookUpdates', coin, ...more });
  const NO_TYPE = 'type must be l4BookUpdates, l2Book, bbo, trades, allMids';
  const NO_COIN = 'coin must be a coin name';
  const NO_COINS = 'coin must be a coin name or a list of coin names';

  test.each([
    ['another type', { type: 'candle', coin: 'BTC' }, NO_TYPE],
    ['no type', { coin: 'BTC' }, NO_TYPE],
    ['a channel of an unknown coin', { type: 'bbo', coin: 'NOPE' }, 'unknown coin "NOPE"'],
    ['a channel without a coin', { type: 'trades' }, NO_COIN],
    ['a channel of a coin without a name', { type: 'bbo', coin: '' }, NO_COIN],
    ['a channel of a coin with a long name', { type: 'l2Book', coin: 'x'.repeat(65) }, NO_COIN],
    ['mantissa without nSigFigs', { type: 'l2Book', coin: 'BTC', mantissa: 5 }, 'mantissa is for nSigFigs 5 only'],
    ['no coin', { type: 'l4BookUpdates' }, 'coin is missing'],
    ['a number as coin', l4(7), NO_COINS],
    ['a coin in a list that is not a name', l4(['BTC', null]), NO_COINS],
    ['an empty name', l4(''), NO_COINS],
    ['an empty list', l4([]), 'the list of coins is empty'],
    ['65 coins', l4(Array.from({ length: 65 }, (_, at) => `C${at}`)), 'more than 64 coins in one subscription'],
    ['a repeated coin', l4(['ETH', 'BTC', 'ETH']), 'coin "ETH" is repeated'],
    ['an unknown coin', l4(['BTC', 'NOPE']), 'unknown coin "NOPE"'],
    ['a spot coin', l4('@107'), 'coin "@107" is not a perp'],
    ['a spot pair', l4('PURR/USDC'), 'coin "PURR/USDC" is not a perp'],
    ['an outcome', l4(['BTC', '#12']), 'coin "#12" is not a perp'],
    ['a coin before the list is loaded', l4('SOON'), 'the list of coins is not loaded yet, try again shortly'],
    ['another status than true or false', l4('BTC', { status: 'yes' }), 'status must be true or false'],
    ['another checksum', l4('BTC', { checksum: 'yes' }), 'checksum must be true or false'],
    ['other executions', l4('BTC', { executions: 1 }), 'executions must be true or false'],
    ['another form of statuses', l4('BTC', { statuses: 'none' }), 'statuses must be all or book'],
  ])('[WS-2, WS-4, WS-19, WS-21, WS-25, L4-31] with %s is refused', (_, subscription, reason) => {
    expect(check(subscription)).toEqual({ reason });
  });

  test('[INFO-22] may have options that are null, which count as absent', () => {
    const options = ['statuses', 'status', 'upstream', 'checksum', 'executions', 'resume'];
    const withNulls = check(l4('BTC', Object.fromEntries(options.map((name) => [name, null]))));
    expect(withNulls).toEqual({ ...check(l4('BTC')), key: expect.any(String), text: expect.any(String) });
    expect(check(l4(null))).toEqual({ reason: NO_COINS });
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

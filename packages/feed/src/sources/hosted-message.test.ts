import { diff, order, orderStatus } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readHostedMessage } from './hosted-message.ts';

const EPOCH = '0b0f3c1e-7f43-4d6e-9a6b-2f1f6f0c9d11';

const entry = (coin: string, more: object = {}) => ({
  coin,
  seq: 8,
  prev_seq: 7,
  order_statuses: [orderStatus(order({ coin }))],
  book_diffs: [{ ...diff.remove({ coin }), coin }],
  ...more,
});

const updates = (book_diffs: readonly unknown[], more: object = {}) => ({
  channel: 'l4BookUpdates',
  data: { Updates: { time: 5, block_height: 7, epoch: EPOCH, cursor: '7:5', book_diffs, ...more } },
});

const read = (value: unknown) => readHostedMessage(JSON.stringify(value));

describe('a message of a hosted service', () => {
  test('[L4-17, L4-30] is read coin by coin if it is a batch, keeping its diffs and every field of its statuses', () => {
    const strange = {
      order_statuses: [{ ...orderStatus(order({ coin: 'ETH' })), venue: { note: [1.5, null] } }],
      book_diffs: [{ ...diff.insert('1.0', { coin: 'ETH' }), hint: 'new' }],
    };
    const message = read(updates([entry('BTC'), entry('ETH', strange)]));
    if (message.kind !== 'batch') throw new Error(message.kind);
    expect(message).toMatchObject({ epoch: EPOCH, height: 7 });
    expect(message.entries.map(({ batch: { coin, prevSeq, seq, height } }) => [coin, prevSeq, seq, height])).toEqual([
      ['BTC', 7, 8, 7],
      ['ETH', 7, 8, 7],
    ]);
    const eth = message.entries[1];
    expect(eth?.diffs).toEqual(strange.book_diffs);
    expect(eth?.batch.statuses).toEqual(strange.order_statuses);
  });

  test('is classified as an acknowledgement, a status, an error or something else', () => {
    const subscription = { type: 'l4BookUpdates', coin: 'BTC' };
    const data = { method: 'subscribe', subscription };
    expect(read({ channel: 'subscriptionResponse', data })).toEqual({
      kind: 'acknowledged',
      method: 'subscribe',
      subscription,
    });
    const status = { coin: 'BTC', state: 'stale', since: 1, upstreamAgeMs: null, reason: 'audit' };
    expect(read({ channel: 'l4BookStatus', data: status })).toEqual({ kind: 'bookStatus', status });
    expect(read({ channel: 'error', data: 'no' })).toEqual({ kind: 'error', message: 'no' });
    const odd = { channel: 'subscriptionResponse', data: { method: 'other', subscription } };
    for (const other of [{ channel: 'pong' }, odd, { channel: 'welcome', data: 1 }, { channel: 'error', data: {} }, {}])
      expect(read(other)).toEqual({ kind: 'other' });
    expect(readHostedMessage('Websocket connection established.')).toEqual({ kind: 'other' });
  });

  test.each([
    ['no JSON', '{"channel":', []],
    ['no object', '[]', []],
    ['a batch without a height', JSON.stringify(updates([entry('BTC')], { block_height: null })), ['BTC']],
    [
      'a diff without a side',
      JSON.stringify(updates([entry('BTC', { book_diffs: [{ oid: 1 }] }), entry('ETH')])),
      ['BTC', 'ETH'],
    ],
    ['a sequence that stands still', JSON.stringify(updates([entry('BTC', { seq: 7 })])), ['BTC']],
    [
      'a state that no book has',
      JSON.stringify({ channel: 'l4BookStatus', data: { coin: 'BTC', state: 'odd' } }),
      ['BTC'],
    ],
    ['no state', JSON.stringify({ channel: 'l4BookStatus', data: [] }), []],
    ['no batch', JSON.stringify({ channel: 'l4BookUpdates', data: null }), []],
  ])('[UP-15] with %s is malformed and names its coins', (_, text, coins) => {
    expect(readHostedMessage(text)).toMatchObject({ kind: 'malformed', coins });
  });

  test('[UP-15] is read or malformed, and never throws, for any JSON', () => {
    const channel = fc.constantFrom('l4BookUpdates', 'l4BookStatus', 'subscriptionResponse', 'error', 'pong');
    fc.assert(
      fc.property(channel, fc.jsonValue(), fc.jsonValue(), (name, data, Updates) => {
        for (const value of [{ channel: name, data }, { channel: name, data: { Updates } }, data])
          expect(read(value)).toHaveProperty('kind');
      }),
    );
  });
});

import { diff, order, orderStatus } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readServerMessage } from './server-message.ts';

const readAll = () => true;
const read = (value: unknown) => readServerMessage(JSON.stringify(value), readAll);

const updates = (book_diffs: readonly unknown[], order_statuses: readonly unknown[] = []) => ({
  channel: 'l4Book',
  data: { Updates: { time: 1, height: 7, order_statuses, book_diffs } },
});

describe('an upstream message', () => {
  test('[UP-13] is an acknowledgement, a snapshot, or a block that keeps each diff as received', () => {
    const subscription = { type: 'l4Book', coin: 'BTC' };
    expect(read({ channel: 'subscriptionResponse', data: { method: 'subscribe', subscription } })).toEqual({
      kind: 'acknowledged',
      method: 'subscribe',
      coin: 'BTC',
    });
    const snapshot = { coin: 'BTC', time: 1, height: 7, levels: [[order()], []] };
    expect(read({ channel: 'l4Book', data: { Snapshot: snapshot } })).toMatchObject({ kind: 'snapshot', height: 7 });
    const wire = { ...diff.insert('1.0', { insertBefore: 3 }), future: [1] };
    const message = read(updates([wire], [orderStatus(order())]));
    expect(message).toMatchObject({ kind: 'block', block: { coin: 'BTC', height: 7, diffs: [wire] } });
  });

  test('[UP-13] of a channel that nobody subscribed to is ignored', () => {
    expect(read({ channel: 'pong' })).toEqual({ kind: 'other' });
    expect(read({ channel: 'trades', data: [] })).toEqual({ kind: 'other' });
  });

  test('[UP-13] may be a snapshot without a time, as a hosted order-level server documents it', () => {
    const snapshot = { coin: 'BTC', height: 854_890_775, levels: [[order({ limitPx: '90057' })], []] };
    expect(read({ channel: 'l4Book', data: { Snapshot: snapshot } })).toMatchObject({
      height: 854_890_775,
      time: null,
    });
  });

  test.each(['Websocket connection established.', '', 'ping'])('[UP-13] may be plain text: %j', (text) => {
    expect(readServerMessage(text, readAll)).toEqual({ kind: 'other' });
  });

  test('[UP-15] that is not JSON is malformed and names no coins', () => {
    expect(readServerMessage('{"channel":', readAll)).toEqual({
      kind: 'malformed',
      coins: [],
      problem: 'message is not JSON',
    });
  });

  test.each([
    ['a broken price', updates([{ ...diff.remove(), px: '1e5' }]), ['BTC']],
    ['a diff of another coin', updates([diff.remove(), diff.remove({ coin: 'ETH' })]), ['BTC', 'ETH']],
    ['a status of another coin', updates([diff.remove()], [orderStatus(order({ coin: 'SOL' }))]), ['BTC', 'SOL']],
    [
      'a snapshot with one side',
      { channel: 'l4Book', data: { Snapshot: { coin: 'ETH', time: 1, height: 1, levels: [[]] } } },
      ['ETH'],
    ],
    ['no channel', { data: {} }, []],
    ['no object', 7, []],
  ])('[UP-15] with %s is malformed and names its coins', (_, value, coins) => {
    expect(read(value)).toMatchObject({ kind: 'malformed', coins });
  });

  test('[UP-15] of any kind is read or malformed, and never throws', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.jsonValue().map((data) => JSON.stringify({ channel: 'l4Book', data })),
      fc.jsonValue().map((data) => JSON.stringify({ channel: 'l4Book', data: { Updates: data } })),
      fc.array(fc.jsonValue()).map((list) => JSON.stringify(updates(list))),
    );
    fc.assert(
      fc.property(anything, (text) => {
        expect(readServerMessage(text, readAll)).toHaveProperty('kind');
      }),
    );
  });
});

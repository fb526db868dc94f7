import { nodeRecording } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import { eventsOf, isQuiet, readLine } from './node-line.ts';

const TIME = '2026-05-05T17:39:13.024084407';

function line(events: readonly unknown[], head: object = {}) {
  const text = JSON.stringify({ local_time: TIME, block_time: TIME, block_number: 7, ...head, events });
  const read = readLine(Buffer.from(text));
  if (read === null) throw new Error('no line');
  return read;
}

const diff = (coin: string, more: object = {}) => ({
  user: '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5',
  oid: 1,
  coin,
  side: 'A',
  px: '1.0',
  raw_book_diff: 'remove',
  ...more,
});
/** The owner comes last. */
const { user, ...swapped } = { ...diff('BTC') };
Object.assign(swapped, { user });
const coins = (events: ReadonlyMap<string, readonly unknown[]>) => [...events].map(([coin, of]) => [coin, of.length]);

describe('a line of a node', () => {
  test('[NODE-6] yields only the events of the followed coins, in order', () => {
    const events = [
      diff('ETH'),
      diff('BTC', { oid: 2 }),
      diff('BTC', { oid: 3 }),
      diff('xyz:GOLD'),
      diff('BTC', { oid: 4 }),
    ];
    const read = line(events);
    expect(read).toMatchObject({ height: 7, time: Date.parse('2026-05-05T17:39:13.024Z') });
    expect(eventsOf(read, 'diffs', new Set(['BTC', 'SOL'])).get('BTC')).toEqual([events[1], events[2], events[4]]);
    expect(coins(eventsOf(read, 'diffs', new Set(['ETH', 'xyz:GOLD'])))).toEqual([
      ['ETH', 1],
      ['xyz:GOLD', 1],
    ]);
    expect(isQuiet(line([]))).toBe(true);
    expect(eventsOf(line([]), 'diffs', new Set(['BTC'])).size).toBe(0);
  });

  test.each<[string, readonly unknown[], object]>([
    ['fields in another order', [diff('ETH'), swapped, diff('ETH')], {}],
    ['a second coin inside an event', [diff('ETH', { hint: { coin: 'SOL' } }), diff('BTC')], {}],
    ['a mark inside a text', [diff('ETH', { note: '},{"user":"","coin":"BTC"' }), diff('BTC')], {}],
    ['an event of another kind before one', [{ kind: 'note', coin: 'ETH' }, diff('BTC')], {}],
    ['a head of another form', [diff('ETH'), diff('BTC')], { extra: 1 }],
  ])('[NODE-6] with %s still yields the events', (_, events, head) => {
    expect(coins(eventsOf(line(events, head), 'diffs', new Set(['BTC'])))).toEqual([['BTC', 1]]);
  });

  test('[NODE-6] is rejected if it contains something else', () => {
    expect(() => eventsOf(line([{ user: 'x' }, 7]), 'diffs', new Set(['BTC']))).toThrow('events');
    expect(readLine(Buffer.from('{"block_number":7}'))).toBeNull();
    expect(readLine(Buffer.from('null'))).toBeNull();
    const at = (time: string) =>
      readLine(Buffer.from(`{"local_time":"","block_time":"${time}","block_number":7,"events":[]}`));
    expect([at('2026-13-45T17:00:00'), at('2026-05-05T17:00:00')?.height]).toEqual([null, 7]);
  });

  const recordings = [nodeRecording('by_block')].filter((recording) => recording !== undefined);
  test.each(recordings)(
    '[NODE-6] from the recording yields every event (skipped without the recording)',
    (recording) => {
      for (const stream of ['diffs', 'statuses', 'fills'] as const) {
        for (const text of recording[stream]) {
          const read = readLine(Buffer.from(text));
          const { events } = JSON.parse(text);
          expect(read === null ? null : (eventsOf(read, stream, new Set(['BTC'])).get('BTC') ?? [])).toEqual(events);
        }
      }
    },
  );
});

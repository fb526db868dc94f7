import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WireFormatError } from '../wire-format-error.ts';
import type { OrderStatus } from './batch.ts';
import { type Batch, decodeUpdates, type ReadCoinBatch } from './decode.ts';
import { UnreadStatuses } from './unread-statuses.ts';
import { readUpdatesText } from './updates-text.ts';

const USER = '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5';

/** Pieces of text that look like the places where the reader cuts. */
const MARKS = [
  ']',
  '[',
  '}',
  '{',
  ',',
  '"',
  '\\',
  '\\"',
  '],"book_diffs":[',
  '],"book_diffs":[]',
  '],"book_diffs":[]}',
  '],"other":[',
  '],"order_statuses":[',
  ']},{"coin":"BTC","seq":9,"prev_seq":8,"order_statuses":[',
  '],"seq":5,"x":[',
  ']}]}}}',
  ' ',
  '\n',
  '\u0001',
  'null',
  '0',
  'e9',
  '-',
  '.5',
  '{"x":[1',
  '{"x":[{"y":[]',
];

const nasty = fc.oneof(fc.constantFrom('open', 'N/A', ...MARKS), fc.string({ unit: 'binary', maxLength: 12 }));
const oid = fc.integer({ min: 0, max: 2 ** 46 });
const amount = fc.constantFrom('1.0', '0.0', '81307.5', '12', '0.00001', '007');
const side = fc.constantFrom('B', 'A');

function status(coin: string): fc.Arbitrary<unknown> {
  const order = fc.record({
    user: fc.constant(null),
    coin: fc.constant(coin),
    side,
    limitPx: amount,
    sz: amount,
    oid,
    timestamp: oid,
    triggerCondition: nasty,
    isTrigger: fc.boolean(),
    triggerPx: amount,
    isPositionTpsl: fc.boolean(),
    reduceOnly: fc.boolean(),
    orderType: nasty,
    tif: fc.option(nasty),
    cloid: fc.option(nasty),
  });
  const other = fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    fc.record({ children: fc.array(order, { maxLength: 1 }) }),
    fc.record({
      [MARKS[8] as string]: nasty,
      order_statuses: fc.array(nasty, { maxLength: 2 }),
      book_diffs: fc.constant([]),
    }),
    fc.record({ more: fc.jsonValue({ maxDepth: 2 }) }),
  );
  return fc.tuple(order, other, nasty).map(([named, more, word]) => ({
    time: '2026-05-05T17:39:13.024084407',
    user: USER,
    status: word,
    order: { ...named, ...more },
  }));
}

function diff(coin: string): fc.Arbitrary<unknown> {
  const raw = fc.oneof(
    fc.constant('remove'),
    fc.record({ new: fc.record({ sz: amount }) }),
    fc.record({ new: fc.record({ sz: amount, insertBefore: oid }) }),
    fc.record({ update: fc.record({ origSz: amount, newSz: amount }) }),
  );
  return fc.record({
    user: fc.constant(USER),
    oid,
    side,
    px: amount,
    coin: fc.constant(coin),
    raw_book_diff: raw,
  });
}

/** Created once, because compiling the pattern takes longer than generating the rest of an entry. */
const checksum = fc.option(fc.stringMatching(/^[0-9a-f]{16}$/), { nil: undefined });

const executed = fc.option(fc.array(fc.record({ oid, sz: amount }), { maxLength: 3 }), { nil: undefined });

const entry = fc.constantFrom('BTC', 'xyz:GOLD', 'kPEPE').chain((coin) =>
  fc.record({
    coin: fc.constant(coin),
    seq: fc.integer({ min: 8, max: 1e9 }),
    prev_seq: fc.integer({ min: 0, max: 7 }),
    order_statuses: fc.array(status(coin), { maxLength: 3 }),
    book_diffs: fc.array(diff(coin), { maxLength: 4 }),
    checksum,
    executed,
  }),
);

const message = fc
  .record({
    time: fc.constant(1_778_002_753_024),
    block_height: oid,
    epoch: fc.constant('5f2d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2a'),
    cursor: fc.constant('1:2'),
    book_diffs: fc.array(entry, { minLength: 1, maxLength: 3 }),
  })
  .map((Updates) => ({ channel: 'l4BookUpdates', data: { Updates } }));

/** A text with pieces inserted, removed or replaced: at brackets and quotes as likely as elsewhere. */
const mutated = fc
  .tuple(
    message,
    fc.array(
      fc.record({ at: fc.nat(), mark: fc.boolean(), cut: fc.nat({ max: 12 }), put: fc.constantFrom('', ...MARKS) }),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
  )
  .map(([value, edits]) => {
    let text = JSON.stringify(value);
    for (const { at, mark, cut, put } of edits) {
      const places = mark ? [...text.matchAll(/[[\]{}",]/g)].map(({ index }) => index) : [];
      const place = mark ? (places[at % Math.max(1, places.length)] ?? 0) : at % (text.length + 1);
      text = text.slice(0, place) + put + text.slice(place + cut);
    }
    return text;
  });

function fully(text: string): Batch<ReadCoinBatch> | undefined {
  try {
    const value = JSON.parse(text);
    return value.channel === 'l4BookUpdates' ? decodeUpdates(value.data.Updates) : undefined;
  } catch {
    return undefined;
  }
}

/** The same block with its statuses read; undefined if they cannot be read. */
function read({ coins, ...block }: Batch): Batch<ReadCoinBatch> | undefined {
  const whole: ReadCoinBatch[] = [];
  for (const coin of coins) {
    let statuses: readonly OrderStatus[];
    try {
      statuses = coin.statuses instanceof UnreadStatuses ? coin.statuses.read() : coin.statuses;
    } catch (error) {
      if (error instanceof WireFormatError) return undefined;
      throw error;
    }
    whole.push({ ...coin, statuses });
  }
  return { ...block, coins: whole };
}

function textOf(entries: unknown, more: object = {}): string {
  const Updates = { time: 1, block_height: 2, epoch: 'e', cursor: '2:1', book_diffs: entries, ...more };
  return JSON.stringify({ channel: 'l4BookUpdates', data: { Updates } });
}

const PLAIN_STATUS = {
  time: '2026-05-05T17:39:13.024084407',
  user: USER,
  status: 'open',
  order: {
    user: null,
    coin: 'BTC',
    side: 'B',
    limitPx: '1.0',
    sz: '1.0',
    oid: 1,
    timestamp: 1,
    triggerCondition: 'N/A',
    isTrigger: false,
    triggerPx: '0.0',
    isPositionTpsl: false,
    reduceOnly: false,
    orderType: 'Limit',
    tif: 'Gtc',
    cloid: null,
  },
};
const PLAIN_DIFF = { user: USER, oid: 1, side: 'B', px: '1.0', coin: 'BTC', raw_book_diff: { new: { sz: '1.0' } } };
const PLAIN_ENTRY = {
  coin: 'BTC',
  seq: 2,
  prev_seq: 1,
  order_statuses: [PLAIN_STATUS],
  book_diffs: [PLAIN_DIFF, { ...PLAIN_DIFF, raw_book_diff: 'remove' }],
};

describe('an Updates message read from its text', () => {
  it('equals the result of the full reader once the statuses are read', () => {
    fc.assert(
      fc.property(message, (value) => {
        const text = JSON.stringify(value);
        const quick = readUpdatesText(text);
        expect(quick === undefined ? fully(text) : read(quick)).toEqual(fully(text));
      }),
      { numRuns: 300 },
    );
  });

  it('accepts no mutated text that the full reader rejects, and reads accepted ones the same', () => {
    fc.assert(
      fc.property(mutated, (text) => {
        const quick = readUpdatesText(text);
        expect(quick === undefined ? fully(text) : read(quick)).toEqual(fully(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('accepts what the service writes: any number of coins, insertBefore, no statuses, no diffs', () => {
    const before = { ...PLAIN_DIFF, raw_book_diff: { new: { sz: '1.0', insertBefore: 7 } } };
    const resized = { ...PLAIN_DIFF, raw_book_diff: { update: { origSz: '1.0', newSz: '0.5' } } };
    for (const entries of [
      [PLAIN_ENTRY],
      [PLAIN_ENTRY, { ...PLAIN_ENTRY, seq: 9 }],
      [{ ...PLAIN_ENTRY, book_diffs: [before, resized] }],
      [{ ...PLAIN_ENTRY, order_statuses: [] }],
      [{ ...PLAIN_ENTRY, book_diffs: [] }],
    ]) {
      const text = textOf(entries);
      const quick = readUpdatesText(text);
      expect(quick && read(quick)).toEqual(fully(text));
      expect(quick).toBeDefined();
    }
  });

  const nested = { x: [1], book_diffs: [2] };
  it.each([
    [
      'a bracket in a string of a status',
      textOf([{ ...PLAIN_ENTRY, order_statuses: [{ ...PLAIN_STATUS, status: ']' }] }]),
    ],
    ['an array inside a status', textOf([{ ...PLAIN_ENTRY, order_statuses: [{ ...PLAIN_STATUS, nested }] }])],
    ['a field it does not know', textOf([PLAIN_ENTRY], { more: 1 })],
    ['a field of a diff it does not know', textOf([{ ...PLAIN_ENTRY, book_diffs: [{ ...PLAIN_DIFF, more: 1 }] }])],
    ['another order of fields', textOf([Object.fromEntries(Object.entries(PLAIN_ENTRY).toReversed())])],
    ['white space', JSON.stringify(JSON.parse(textOf([PLAIN_ENTRY])), null, 1)],
    ['an escape', textOf([PLAIN_ENTRY]).replace('"remove"', '"\\u0072emove"')],
    ['a diff of another coin', textOf([PLAIN_ENTRY]).replace('"coin":"BTC","raw', '"coin":"ETH","raw')],
    ['seq at prev_seq', textOf([{ ...PLAIN_ENTRY, prev_seq: 2 }])],
    ['a number past 15 digits', textOf([PLAIN_ENTRY]).replace('"seq":2', '"seq":2000000000000000')],
    ['a field twice', textOf([PLAIN_ENTRY]).replace('],"book_diffs"', '],"order_statuses":[],"book_diffs"')],
    ['no entries', textOf([])],
    ['something behind the end', `${textOf([PLAIN_ENTRY])} `],
    ['another message', '{"channel":"pong"}'],
  ])('leaves %s to the full reader', (_, text) => {
    expect(readUpdatesText(text)).toBeUndefined();
  });

  it('throws the same error for an invalid status whenever the statuses are read', () => {
    const text = textOf([{ ...PLAIN_ENTRY, order_statuses: [PLAIN_STATUS, { ...PLAIN_STATUS, user: 'nobody' }] }]);
    const statuses = readUpdatesText(text)?.coins[0]?.statuses as UnreadStatuses;
    const said = 'Updates.book_diffs[0].order_statuses[1].user: must be a wallet address';
    expect(() => decodeUpdates(JSON.parse(text).data.Updates)).toThrow(said);
    expect(() => statuses.read()).toThrow(said);
    expect(() => statuses.read()).toThrow(said);
  });

  it('throws when statuses are read that are not JSON', () => {
    const text = textOf([PLAIN_ENTRY]).replace('"status":"open"', '"status":open');
    const statuses = readUpdatesText(text)?.coins[0]?.statuses as UnreadStatuses;
    expect(() => statuses.read()).toThrow('Updates.book_diffs[0].order_statuses: must be JSON');
  });
});

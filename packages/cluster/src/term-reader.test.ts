import { type CoinTrades, NO_HEALTH, type PublishedBlock } from '@l4desk/feed/core';
import { afterEach, expect, test } from 'vitest';
import { type ClusterMessage, encodeMessage } from './frame.ts';
import { TermReader } from './term-reader.ts';

const TERM = '00000000-0000-4000-8000-000000000001';

const told: unknown[] = [];

afterEach(() => {
  told.length = 0;
});

function reading() {
  const reader = new TermReader({
    message: (message) => told.push(message),
    term: () => told.push('term'),
    missed: (detail) => told.push(detail),
  });
  let index = 0;
  const take = (bytes: Uint8Array) => {
    reader.take({ term: TERM, index, part: 0, parts: 1, bytes });
    index += 1;
  };
  return { reader, take };
}

const text = (json: string) => ({ plain: Buffer.from(json), deflated: null });

const BLOCK: PublishedBlock = {
  epoch: 'e',
  height: 10,
  time: 20,
  receivedAt: 30,
  entries: [
    { coin: 'BTC', seq: 2, prevSeq: 1, checksum: 'c', executed: '[]', all: text('{"a":1}'), book: text('{"a":2}') },
    { coin: 'ETH', seq: 5, prevSeq: 4, checksum: undefined, executed: undefined, all: null, book: text('{"a":3}') },
  ],
};

const TRADES: CoinTrades = {
  coin: 'BTC',
  height: 10,
  time: 20,
  trades: [{ coin: 'BTC', side: 'B', px: '1.50', sz: '2.0', hash: '0x0', time: 20, tid: 3, users: ['0x1', '0x2'] }],
};

/** A message with this JSON, and no texts. */
function encoded(json: string): Uint8Array {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(Buffer.byteLength(json));
  return Buffer.concat([head, Buffer.from(json)]);
}

test('reads every kind of message as it was written', () => {
  const { take } = reading();
  const status = { state: 'stale', reason: 'disconnected', generation: 1 } as const;
  const { upstreamConnected, upstreamProblem, upstreamAgeMs, epoch, executions } = NO_HEALTH;
  const health = {
    upstreamConnected,
    upstreamProblem,
    upstreamAgeMs,
    epoch,
    executions,
    executionsProblem: 'no fills',
    warnings: ['no fills'],
  };
  const messages: readonly ClusterMessage[] = [
    { kind: 'term' },
    { kind: 'block', block: BLOCK },
    { kind: 'status', coin: 'BTC', status },
    { kind: 'trades', trades: TRADES },
    { kind: 'trades', trades: { ...TRADES, trades: [], missing: 'a line was skipped' } },
    { kind: 'health', health, statuses: { BTC: status }, allCarried: ['BTC'] },
  ];
  for (const message of messages) take(encodeMessage(message));
  expect(told).toEqual(['term', ...messages]);
});

test.each([
  ['no JSON', encoded('{"kind":'), 'message: must be JSON'],
  ['no bytes', new Uint8Array(), 'message: is cut off'],
  ['an unknown kind', encoded('{"kind":"other"}'), 'message.kind: '],
  ['a block without entries', encoded(JSON.stringify({ kind: 'block', block: {} })), 'message.block.epoch: '],
  ['a block without its texts', encodeMessage({ kind: 'block', block: BLOCK }).slice(0, -1), 'message: is cut off'],
  [
    'an unknown state',
    encoded('{"kind":"status","coin":"BTC","status":{"state":"good","reason":null,"generation":0}}'),
    'message.status.state: ',
  ],
])('counts a message that cannot be read as missed, and reads on: %s', (_, bytes, problem) => {
  const { reader, take } = reading();
  take(bytes);
  take(encodeMessage({ kind: 'term' }));
  expect(told).toEqual([
    'term',
    expect.stringContaining(`message 0 of the term cannot be read: ${problem}`),
    { kind: 'term' },
  ]);
  expect(reader.gaps).toBe(1);
});

test('reads the messages of a sequencer of another version: unknown reasons and fields', () => {
  const { take } = reading();
  const status = { state: 'rebuilding', reason: 'something-later', generation: 0 };
  take(encoded(JSON.stringify({ kind: 'status', coin: 'BTC', status })));
  const health = { ...NO_HEALTH, somethingLater: 1 };
  take(encoded(JSON.stringify({ kind: 'health', health, statuses: {}, allCarried: [] })));
  expect(told.slice(1)).toMatchObject([
    { kind: 'status', status: { ...status, reason: 'disconnected' } },
    { kind: 'health', health: { epoch: NO_HEALTH.epoch } },
  ]);
});

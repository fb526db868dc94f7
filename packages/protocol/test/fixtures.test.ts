import { describe, expect, it } from 'vitest';
import {
  clientMessage,
  decodeL4BookSnapshot,
  decodeUpdates,
  errorBody,
  INFO_KINDS,
  type InfoKind,
  readUpdatesText,
  serverMessage,
  UnreadStatuses,
  usage,
  WireFormatError,
  type z,
} from '../src/index.ts';
import { decodeL4BookMessage } from '../src/upstream/index.ts';
import { type Fixture, loadFixtures } from './load-fixtures.ts';
import { UPSTREAM_RESPONSES } from './upstream-responses.ts';

type Reader = (value: unknown) => unknown;

function titled(kind: 'valid' | 'invalid'): (readonly [name: string, fixture: Fixture])[] {
  return loadFixtures(kind).map((fixture) => [fixture.name, fixture]);
}

/** Every reader of a wire shape in this package, by the name that fixtures use: all must agree. */
const READERS: Record<string, readonly Reader[]> = {
  ...Object.fromEntries(Object.entries(INFO_KINDS).map(([kind, { response }]) => [kind, [reader(response)]])),
  ...Object.fromEntries([...UPSTREAM_RESPONSES].map(([kind, schema]) => [`upstream.${kind}`, [reader(schema)]])),
  l4BookSnapshot: [reader(INFO_KINDS.l4BookSnapshot.response), (value) => decodeL4BookSnapshot(value, 'BTC')],
  infoRequest: [(value) => INFO_KINDS[(value as { type: InfoKind }).type].request.parse(value)],
  usage: [reader(usage)],
  serverMessage: [reader(serverMessage), decodeServerMessage],
  clientMessage: [reader(clientMessage)],
  errorBody: [reader(errorBody)],
  l4BookMessage: [decodeL4BookMessage],
};

function reader(schema: z.ZodType): Reader {
  return (value) => schema.parse(value);
}

function decodeServerMessage(value: unknown): unknown {
  const message = value as { channel: string; data: { Updates: unknown } };
  return message.channel === 'l4BookUpdates' ? decodeUpdates(message.data.Updates) : message;
}

function readersOf(fixture: Fixture): readonly Reader[] {
  const readers = READERS[fixture.schema];
  if (readers === undefined) throw new Error(`no reader for ${fixture.schema}`);
  return readers;
}

describe('fixtures', () => {
  it.each(titled('valid'))('[INFO-3] accepts %s', (_name, fixture) => {
    for (const read of readersOf(fixture)) expect(() => read(fixture.value)).not.toThrow();
  });

  it.each(titled('invalid'))('[UP-15, DEC-5] rejects %s', (_name, fixture) => {
    for (const read of readersOf(fixture)) expect(() => read(fixture.value)).toThrow();
  });

  it('[L4-13, L4-17, L4-20, L4-22] reads a batch of the specification to the last field', () => {
    const message = fixture('updates') as { data: { Updates: unknown } };
    const batch = decodeUpdates(message.data.Updates);
    expect(batch).toMatchObject({ height: 985148182, time: 1778002753024 });
    expect(batch.coins).toHaveLength(1);
    expect(batch.coins[0]).toMatchObject({ coin: 'BTC', seq: 42, prevSeq: 41 });
    expect(batch.coins[0]?.statuses[0]).toMatchObject({ status: 'open', order: { oid: 412036451270, user: null } });
  });

  it('[L4-23, L4-28] converts the three descriptors to insert, resize and remove', () => {
    const message = fixture('updates') as { data: { Updates: unknown } };
    expect(decodeUpdates(message.data.Updates).coins[0]?.changes).toEqual([
      expect.objectContaining({ kind: 'resize', side: 'A', px: '81308.0', origSz: '0.1804', newSz: '0.18007' }),
      expect.objectContaining({ kind: 'insert', sz: '0.61488', insertBefore: null }),
      expect.objectContaining({ kind: 'insert', sz: '1.5', insertBefore: 412036451270 }),
      expect.objectContaining({ kind: 'remove', side: 'B', oid: 412036265829 }),
    ]);
  });

  it('[L4-28] treats an insertBefore of null as the back of the queue', () => {
    const message = withDiff({ raw_book_diff: { new: { sz: '1.5', insertBefore: null } } });
    const [change] = decodeUpdates(message.data.Updates).coins[0]?.changes ?? [];
    expect(change).toMatchObject({ kind: 'insert', sz: '1.5', insertBefore: null });
    expect(serverMessage.safeParse(message).success).toBe(true);
  });

  it.each<[field: string, diff: object]>([
    ['px', { px: '-81308.0' }],
    ['raw_book_diff.new.sz', { raw_book_diff: { new: { sz: '-1.5' } } }],
    ['raw_book_diff.update.origSz', { raw_book_diff: { update: { origSz: '-0.5', newSz: '0.5' } } }],
    ['raw_book_diff.update.newSz', { raw_book_diff: { update: { origSz: '0.5', newSz: '-0.0' } } }],
  ])('[DEC-5, UP-15] rejects a diff whose %s is negative', (field, diff) => {
    const message = withDiff(diff);
    const upstream = structuredClone(fixture('upstream-updates')) as { data: { Updates: { book_diffs: object[] } } };
    Object.assign(upstream.data.Updates.book_diffs[0] ?? {}, diff);
    expect(() => decodeUpdates(message.data.Updates)).toThrow(
      new WireFormatError(`Updates.book_diffs[0].book_diffs[0].${field}`, 'must not be negative'),
    );
    expect(serverMessage.safeParse(message).success).toBe(false);
    expect(() => decodeL4BookMessage(upstream)).toThrow(
      new WireFormatError(`data.Updates.book_diffs[0].${field}`, 'must not be negative'),
    );
  });

  it('[UP-14] reads an upstream diff without a side with side null', () => {
    const message = decodeL4BookMessage(fixture('upstream-updates'));
    expect(message.kind).toBe('block');
    expect(message.kind === 'block' && message.changes.every((change) => change.side === null)).toBe(true);
  });

  it.each(Object.keys(firstStatus().order))(
    '[SNAP-10, L4-20, UP-15] rejects a status whose order has no %s, or one of another type',
    (field) => {
      for (const wrong of [undefined, 0.5]) {
        const { data } = withStatus(({ order }) => ({ order: { ...order, [field]: wrong } }));
        expect(() => decodeUpdates(data.Updates)).toThrow(`Updates.book_diffs[0].order_statuses[0].order.${field}`);
        expect(serverMessage.safeParse({ channel: 'l4BookUpdates', data }).success).toBe(false);
      }
    },
  );

  it.each([null, 'Gtc', 'FrontendMarket', 'something later'])(
    '[SNAP-21] accepts a status whose order has tif %j in every reader of the stream',
    (tif) => {
      const message = {
        channel: 'l4BookUpdates',
        data: withStatus(({ order }) => ({ order: { ...order, tif } })).data,
      };
      expect(serverMessage.safeParse(message).error).toBeUndefined();
      const statuses = readUpdatesText(JSON.stringify(message))?.coins[0]?.statuses;
      if (!(statuses instanceof UnreadStatuses)) throw new Error('no statuses');
      for (const read of [decodeUpdates(message.data.Updates).coins[0]?.statuses, statuses.read()])
        expect(read?.[0]?.order.tif).toBe(tif);
    },
  );

  it.each<[string, unknown]>([
    ['user', undefined],
    ['status', undefined],
    ['time', undefined],
    ['time', 1_778_002_752_000],
    ['time', '2026-05-05T17:39:12.123456789Z'],
    ['time', '2026-05-05 17:39:12'],
    ['time', '2026-05-05T17:39:12.1234567890'],
  ])('[L4-20, UP-15] rejects a status whose %s is %s', (field, wrong) => {
    const { data } = withStatus(() => ({ [field]: wrong }));
    expect(() => decodeUpdates(data.Updates)).toThrow(`Updates.book_diffs[0].order_statuses[0].${field}`);
    expect(serverMessage.safeParse({ channel: 'l4BookUpdates', data }).success).toBe(false);
  });

  it.each(['2026-05-05T17:39:12.123456789', '2026-05-05T17:39:12.1', '2026-05-05T17:39:12'])(
    '[L4-20] accepts a status of %s',
    (time) => {
      const { data } = withStatus(() => ({ time }));
      expect(decodeUpdates(data.Updates).coins[0]?.statuses[0]?.time).toBe(time);
      expect(serverMessage.safeParse({ channel: 'l4BookUpdates', data }).success).toBe(true);
    },
  );

  it('[UP-15] names the field of a rejected message', () => {
    const message = fixture('updates') as { data: { Updates: { book_diffs: { book_diffs: { px: unknown }[] }[] } } };
    const diff = message.data.Updates.book_diffs[0]?.book_diffs[2];
    if (diff !== undefined) diff.px = 7;
    expect(() => decodeUpdates(message.data.Updates)).toThrow(
      new WireFormatError('Updates.book_diffs[0].book_diffs[2].px', 'must be a decimal string'),
    );
  });
});

type Status = { readonly order: object };

type StatusMessage = { readonly data: { readonly Updates: { book_diffs: { order_statuses: Status[] }[] } } };

function firstStatus(message = fixture('updates') as StatusMessage): Status {
  const status = message.data.Updates.book_diffs[0]?.order_statuses[0];
  if (status === undefined) throw new Error('the fixture has no status');
  return status;
}

/** A batch of the specification whose first status has other fields. */
function withStatus(change: (status: Status) => object): StatusMessage {
  const message = structuredClone(fixture('updates')) as StatusMessage;
  const status = firstStatus(message);
  Object.assign(status, change(status));
  return message;
}

/** A batch of the specification whose first diff has other fields. */
function withDiff(fields: object): { readonly channel: string; readonly data: { readonly Updates: unknown } } {
  const message = structuredClone(fixture('updates')) as {
    channel: string;
    data: { Updates: { book_diffs: { book_diffs: object[] }[] } };
  };
  const diff = message.data.Updates.book_diffs[0]?.book_diffs[0];
  if (diff === undefined) throw new Error('the fixture has no diff');
  Object.assign(diff, fields);
  return message;
}

function fixture(name: string): unknown {
  const found = loadFixtures('valid').find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no fixture ${name}`);
  return found.value;
}

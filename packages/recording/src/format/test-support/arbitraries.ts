import type { Address, BookChange, BookLevels, DecimalString, L4Order, OrderStatus } from '@l4desk/protocol';
import * as fc from 'fast-check';
import type { RecordedBlock } from '../types.ts';

/** Unusual amounts besides common ones. */
const amount = fc.oneof(
  fc.constantFrom(
    '0',
    '0.0',
    '1',
    '81307.0',
    '0.00001',
    '000.10',
    '1.',
    '9007199254740993',
    '123456789012345678901.25',
  ),
  fc.tuple(fc.nat(1_000_000), fc.nat(99_999)).map(([whole, rest]) => `${whole}.${rest}`),
  fc.nat().map(String),
) as fc.Arbitrary<DecimalString>;

const address = fc.oneof(
  fc.constantFrom('0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5', '0x5EAAC7C475B1FAD85701F02C4E9E796A53F94BD5'),
  fc.nat(9).map((digit) => `0x${String(digit).repeat(40)}`),
) as fc.Arbitrary<Address>;

/** Texts of any characters, including lone surrogates. */
const text = fc.string({ unit: 'binary' });
const anyText = fc.oneof(text, fc.constantFrom('\ud800', 'a\udfff', '😀 é', ''));

const cloid = fc.oneof(
  fc.constant(null),
  fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((value) => `0x${value.toString(16).padStart(32, '0')}`),
  fc.constantFrom('0xABCDEF00000000000000000000000001', '0x1', 'mine', '\udc00'),
);

const oid = fc.oneof(fc.nat(30), fc.integer({ min: 412_036_000_000, max: 412_036_451_270 }));
const side = fc.constantFrom('B' as const, 'A' as const);
const millis = fc.oneof(fc.integer({ min: 1_778_002_752_000, max: 1_778_002_753_000 }), fc.nat());
/** Round-tripped through JSON, which has no negative zero. */
const extras = fc
  .option(fc.dictionary(fc.constantFrom('children', 'origSz', 'hash', 'é'), fc.jsonValue()), { nil: {} })
  .map((fields): object => JSON.parse(JSON.stringify(fields)));

const order = (coin: string, user: fc.Arbitrary<Address | null>): fc.Arbitrary<L4Order> =>
  fc
    .tuple(
      fc.record({
        user,
        coin: fc.constant(coin),
        side,
        limitPx: amount,
        sz: amount,
        oid,
        timestamp: millis,
        triggerCondition: fc.oneof(fc.constantFrom('N/A', 'Triggered'), anyText),
        isTrigger: fc.boolean(),
        triggerPx: amount,
        isPositionTpsl: fc.boolean(),
        reduceOnly: fc.boolean(),
        orderType: fc.oneof(fc.constant('Limit'), anyText),
        tif: fc.oneof(fc.constant('Gtc'), fc.constant(null), anyText),
        cloid,
      }),
      extras,
    )
    .map(([fields, more]) => ({ ...fields, ...more }));

const status = (coin: string): fc.Arbitrary<OrderStatus> =>
  fc
    .tuple(
      fc.record({
        time: fc.constantFrom('2026-05-05T17:39:13.024084407', '2026-05-05T17:39:12.957', '1970-01-01T00:00:00.0'),
        user: address,
        status: fc.oneof(fc.constantFrom('open', 'canceled', 'neverHeardOf'), anyText),
        order: order(coin, fc.oneof(fc.constant(null), address)),
      }),
      fc.constantFrom({}, { hash: null }, { hash: '0x12', builder: { b: [1, 'é'] } }),
    )
    .map(([fields, more]) => ({ ...fields, ...more }));

const change: fc.Arbitrary<BookChange> = fc.oneof(
  fc.record({
    kind: fc.constant('insert' as const),
    oid,
    user: address,
    side,
    px: amount,
    sz: amount,
    insertBefore: fc.oneof(fc.constant(null), oid),
  }),
  fc.record({
    kind: fc.constant('resize' as const),
    oid,
    user: address,
    side,
    px: amount,
    origSz: amount,
    newSz: amount,
  }),
  fc.record({ kind: fc.constant('remove' as const), oid, user: address, side, px: amount }),
);

/** A checksum in the form the book prints. */
export const checksum = fc
  .bigInt({ min: 0n, max: 2n ** 128n - 1n })
  .map((value) => value.toString(16).padStart(32, '0'));

/** Blocks of ascending height. Their contents need not be consistent. */
export const blocks = (coin: string): fc.Arbitrary<readonly RecordedBlock[]> =>
  fc
    .array(
      fc.record({
        step: fc.integer({ min: 1, max: 1_000 }),
        time: millis,
        seqStep: fc.integer({ min: 1, max: 3 }),
        // Includes statuses of other coins, which must be preserved too.
        statuses: fc.array(fc.oneof(status(coin), status('ETH')), { maxLength: 6 }),
        changes: fc.array(change, { maxLength: 12 }),
        checksum: fc.option(checksum, { nil: undefined }),
      }),
      { maxLength: 8 },
    )
    .map((list) => {
      let [height, seq] = [1_000, 5];
      return list.map(({ step, time, seqStep, statuses, changes, checksum: sum }) => {
        height += step;
        const prevSeq = seq;
        seq += seqStep;
        const block = { height, time, seq, prevSeq, changes, statuses };
        return sum === undefined ? block : { ...block, checksum: sum };
      });
    });

/** Two lists of orders. They need not form a book. */
export const levels = (coin: string): fc.Arbitrary<BookLevels> => {
  const list = (letter: 'B' | 'A') =>
    fc.array(
      order(coin, fc.oneof(fc.constant(null), address)).map((item) => ({ ...item, side: letter })),
      { maxLength: 10 },
    );
  return fc.tuple(list('B'), list('A'));
};

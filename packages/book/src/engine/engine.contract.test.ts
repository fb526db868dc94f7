import { formatUnits } from '@l4desk/decimal';
import type { Address, BookChange, DecimalString } from '@l4desk/protocol';
import { order, orderStatus, wallet } from '@l4desk/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { LadderWindow } from '../ladder-window.ts';
import { ask, bid, insert, remove, resize, smallLevels } from '../test-support/changes.ts';
import { appendAll, applyTo, BLOCK_TIME, ENGINES } from '../test-support/engine-book.ts';
import { BlockDetails } from './details.ts';
import type { Engine } from './engine.ts';

/** All that a cursor reads of a side, with amounts as decimals. */
function readByCursor(engine: Engine, side: 'B' | 'A') {
  const cursor = engine.cursor(side);
  const { pxScale, szScale } = cursor;
  const levels: unknown[] = [];
  while (cursor.nextLevel()) {
    const { px, levelSz, levelOrders } = cursor;
    const orders: unknown[] = [];
    while (cursor.nextOrder()) {
      const { oid, user, sz, pxText, szText } = cursor;
      orders.push([oid, user, formatUnits(sz, szScale), pxText, szText]);
    }
    levels.push({ px: formatUnits(px, pxScale), sz: formatUnits(levelSz, szScale), count: levelOrders, orders });
  }
  return levels;
}

function sideText(engine: Engine, side: 'B' | 'A'): string {
  return Buffer.concat([...engine.sideJson(side)]).toString('latin1');
}

describe.each(ENGINES)('%s', (_name, create) => {
  let engine: Engine;
  const oids = (side: 'B' | 'A') => [...engine.orders(side)].map(({ oid }) => oid);
  const apply = (...changes: readonly BookChange[]) => applyTo(engine, changes);

  beforeEach(() => {
    engine = create();
    appendAll(engine, smallLevels());
  });

  describe('a copy', () => {
    const everything = (one: Engine) => ({
      bids: readByCursor(one, 'B'),
      asks: readByCursor(one, 'A'),
      orders: [...one.orders('B'), ...one.orders('A')],
      totals: [one.total('B'), one.total('A')],
      counts: [one.orderCount, one.levelCount('B'), one.levelCount('A')],
      checksums: [one.checksum(), one.rollingChecksum()],
    });

    it('equals the book, with texts, cloids and fields that fit no array', () => {
      const odd = { ...bid(900, '099.0', '007.50', { cloid: 'mine' }), builder: 'x' };
      engine = create();
      appendAll(engine, [[...smallLevels()[0], odd], []]);
      const copy = engine.copy();
      expect(everything(copy)).toEqual(everything(engine));
      expect(copy.order(900)).toEqual(engine.order(900));
      expect(copy.order(900)).toMatchObject({ limitPx: '099.0', sz: '007.50', cloid: 'mine', builder: 'x' });
    });

    it('and the book keep owners apart that came later, also those that are no lower-case addresses', () => {
      const [loud, other] = [`0x${'AB'.repeat(20)}`, `0x${'CD'.repeat(20)}`] as [Address, Address];
      const copy = engine.copy();
      applyTo(copy, [insert(20, '1.0', { user: loud })]);
      apply(insert(21, '1.0', { user: other }), insert(22, '1.0', { user: loud }));
      expect([copy.order(20)?.user, engine.order(21)?.user, engine.order(22)?.user]).toEqual([loud, other, loud]);
    });
  });

  describe('queues', () => {
    it('[L4-28] accepts an insertBefore that names an order of the same block', () => {
      expect(apply(insert(8, '1.0', { px: '98.0' }), insert(9, '1.0', { px: '98.0', before: 8 }))).toEqual([]);
      expect(oids('B')).toEqual([1, 2, 3, 4, 9, 8]);
    });

    it('[BOOK-8] keeps the place in the queue on a resize, up or down', () => {
      expect(apply(resize(2, '2.0', '0.5'), resize(1, '1.0', '9.0'))).toEqual([]);
      expect(oids('B')).toEqual([1, 2, 3, 4]);
      expect([...engine.orders('B')].map(({ sz }) => sz)).toEqual(['9.0', '0.5', '3.0', '4.0']);
      expect(engine.best('B')).toEqual({ px: '100.0', sz: '12.5', count: 3 });
    });

    it('[BOOK-9] treats a modify as a new oid at the back under the same cloid', () => {
      const cloid = '0x0000000000000000000000000000cccc';
      const change = insert(20, '1.0');
      const status = orderStatus(order({ oid: 20, cloid }));
      expect(applyTo(engine, [remove(1), change], [status])).toEqual([]);
      expect(oids('B')).toEqual([2, 3, 20, 4]);
      expect(engine.order(20)?.cloid).toBe(cloid);
    });

    it('[BOOK-5] accepts an order that is inserted and removed in one block', () => {
      expect(apply(insert(9, '1.0', { px: '99.0' }), remove(9, { px: '99.0' }))).toEqual([]);
      expect(oids('B')).toEqual([1, 2, 3, 4]);
      expect(engine.levelCount('B')).toBe(2);
    });

    it('[BOOK-5] accepts an oid again after it has left, at the back', () => {
      expect(apply(remove(1), insert(1, '5.0'))).toEqual([]);
      expect(oids('B')).toEqual([2, 3, 1, 4]);
    });

    it('[BOOK-7] keeps an order resized to zero resting until it is removed, and removes it once', () => {
      expect(apply(resize(1, '1.0', '0.0'))).toEqual([]);
      expect(oids('B')).toEqual([1, 2, 3, 4]);
      expect(engine.order(1)?.sz).toBe('0.0');
      expect(engine.best('B')).toEqual({ px: '100.0', sz: '5', count: 3 });
      expect(apply(remove(1))).toEqual([]);
      expect(oids('B')).toEqual([2, 3, 4]);
      expect(apply(resize(2, '2.0', '0.0'), remove(2))).toEqual([]);
      expect(oids('B')).toEqual([3, 4]);
    });
  });

  describe('findings', () => {
    /** What a change reports and does, and what is expected of one that is a finding and changes nothing. */
    const effectOf = (change: BookChange) => {
      const before = engine.checksum();
      return { findings: apply(change), isSame: engine.checksum() === before, bids: oids('B') };
    };
    const only = (finding: object) => ({ findings: [finding], isSame: true, bids: [1, 2, 3, 4] });
    const FINE = '1.000000000000000000000001';

    it.each<[title: string, change: BookChange, finding: object]>([
      ['[BOOK-10] resize of an unknown oid', resize(99, '1', '2'), { kind: 'unknown-oid', change: 'resize', oid: 99 }],
      ['[BOOK-10] removal of an unknown oid', remove(99), { kind: 'unknown-oid', change: 'remove', oid: 99 }],
      [
        '[BOOK-11] resize from another size',
        resize(1, '1.5', '2'),
        { kind: 'size-mismatch', oid: 1, said: '1.5', resting: '1.0' },
      ],
      [
        '[BOOK-11] resize from a size finer than any',
        resize(1, FINE, '2'),
        { kind: 'size-mismatch', oid: 1, said: FINE, resting: '1.0' },
      ],
      ['[BOOK-13] insert of a resting oid', insert(1, '1.0'), { kind: 'duplicate-oid', oid: 1 }],
      ['[BOOK-13] insert of an oid that rests on the other side', insert(5, '1.0'), { kind: 'duplicate-oid', oid: 5 }],
      [
        'resize on the other side',
        resize(1, '1', '2', { side: 'A' }),
        { kind: 'side-mismatch', oid: 1, said: 'A', resting: 'B' },
      ],
      [
        'removal on the other side',
        remove(5, { side: 'B', px: '101.0' }),
        { kind: 'side-mismatch', oid: 5, said: 'B', resting: 'A' },
      ],
      [
        'resize at another price',
        resize(1, '1', '2', { px: '100.5' }),
        { kind: 'price-mismatch', oid: 1, said: '100.5', resting: '100.0' },
      ],
      [
        'removal at a price finer than any',
        remove(1, { px: `100${FINE.slice(1)}` as DecimalString }),
        { kind: 'price-mismatch', oid: 1, said: `100${FINE.slice(1)}`, resting: '100.0' },
      ],
      ['insert of size zero', insert(9, '0.00'), { kind: 'empty-insert', oid: 9 }],
    ])('%s is a finding and changes nothing', (_title, change, finding) => {
      expect(effectOf(change)).toEqual(only(finding));
    });

    it.each<[where: string, before: number, place: Parameters<typeof insert>[2]]>([
      ['that does not rest', 98, {}],
      ['at another price', 4, {}],
      ['at a price where nothing rests', 4, { px: '98.0' }],
      ['on the other side', 5, {}],
      ['that bids, for an ask at its price, where no ask rests', 1, { side: 'A' }],
      ['that asks, for a bid at its price, where no bid rests', 6, { px: '101.0' }],
    ])('[BOOK-14] insertBefore of an oid %s is a finding and changes nothing', (_where, before, place) => {
      const finding = { kind: 'unknown-neighbour', oid: 9, insertBefore: before };
      expect(effectOf(insert(9, '1.0', { ...place, before }))).toEqual(only(finding));
    });

    it.each<[field: string, text: string, change: BookChange]>([
      ['sz', '-1.0', insert(9, '-1.0')],
      ['sz', '1e5', insert(9, '1e5')],
      ['px', '-0', insert(9, '1', { px: '-0' })],
      ['px', '0x10', insert(9, '1', { px: '0x10' })],
      ['origSz', 'Infinity', resize(1, 'Infinity' as DecimalString, '1')],
      ['newSz', '-2.0', resize(1, '1', '-2.0')],
      ['px', '', remove(1, { px: '' as DecimalString })],
    ])(
      '[DEC-5] %s "%s", which is no plain decimal from zero, is a finding and changes nothing',
      (field, text, change) => {
        expect(effectOf(change)).toEqual(only({ kind: 'bad-amount', oid: change.oid, field, text }));
      },
    );

    const bids = [remove(1), remove(2), resize(3, '3.0', '0.0')];
    const asks = { side: 'A', px: '101.0' } as const;
    it.each<[title: string, emptied: readonly BookChange[], first: BookChange, second: BookChange]>([
      [
        'an ask in front of a bid',
        bids,
        insert(8, '1.0', { side: 'A', px: '100.0' }),
        insert(9, '1.0', { side: 'A', px: '100.0', before: 3 }),
      ],
      [
        'a bid in front of an ask',
        [remove(5, asks), resize(6, '0.25', '0.0', asks)],
        insert(8, '1.0', { px: '101.0' }),
        insert(9, '1.0', { px: '101.0', before: 6 }),
      ],
    ])('[BOOK-40] refuses %s of the same price, at which both sides have orders', (_title, emptied, first, second) => {
      // The emptied level does not count as crossed, so the neighbour is the only thing that is wrong.
      expect(apply(...emptied, first)).toEqual([]);
      const neighbour = second.kind === 'insert' ? second.insertBefore : null;
      expect(apply(second)).toEqual([{ kind: 'unknown-neighbour', oid: 9, insertBefore: neighbour }]);
      expect([oids('B').includes(9), oids('A').includes(9), engine.order(9)]).toEqual([false, false, undefined]);
    });

    it('[BOOK-40] refuses an oid that rests on the other side', () => {
      expect(apply(insert(5, '1.0', { px: '99.0' }))).toEqual([{ kind: 'duplicate-oid', oid: 5 }]);
      expect(apply(insert(1, '1.0', { side: 'A', px: '103.0' }))).toEqual([{ kind: 'duplicate-oid', oid: 1 }]);
      expect([oids('B'), oids('A')]).toEqual([
        [1, 2, 3, 4],
        [5, 6, 7],
      ]);
    });

    it('[BOOK-40] refuses a change that names the other side of a price at which both sides have orders', () => {
      const ask = { side: 'A', px: '100.0' } as const;
      expect(apply(...bids, insert(8, '1.0', ask))).toEqual([]);
      expect(apply(remove(3, ask), resize(8, '1.0', '2.0'), remove(8))).toMatchObject([
        { kind: 'side-mismatch', oid: 3, said: 'A', resting: 'B' },
        { kind: 'side-mismatch', oid: 8, said: 'B', resting: 'A' },
        { kind: 'side-mismatch', oid: 8, said: 'B', resting: 'A' },
      ]);
      expect([engine.order(3)?.sz, engine.order(8)?.sz]).toEqual(['0.0', '1.0']);
    });

    it('[BOOK-12] reports a book that is crossed at the end of a block, and does not undo it', () => {
      expect(apply(insert(9, '1.0', { px: '101.5' }))).toEqual([{ kind: 'crossed', bid: '101.5', ask: '101.0' }]);
      expect(engine.best('B')?.px).toBe('101.5');
    });

    it('[BOOK-12] reports a bid at the price of an ask as crossed', () => {
      expect(apply(insert(9, '1.0', { px: '101.00' }))).toEqual([{ kind: 'crossed', bid: '101.00', ask: '101.0' }]);
    });

    it('[BOOK-12] accepts a book that is crossed only within a block', () => {
      const asks = { side: 'A', px: '101.0' } as const;
      expect(apply(insert(9, '1.0', { px: '101.5' }), remove(5, asks), remove(6, asks))).toEqual([]);
    });

    it('[BOOK-12, BOOK-7] does not count fully filled levels as crossed', () => {
      const asks = { side: 'A', px: '101.0' } as const;
      expect(
        apply(resize(5, '0.5', '0.0', asks), resize(6, '0.25', '0', asks), insert(9, '1', { px: '101.0' })),
      ).toEqual([]);
      expect(apply(insert(10, '1.0', { side: 'A', px: '101.0' }))).toEqual([
        { kind: 'crossed', bid: '101.0', ask: '101.0' },
      ]);
    });
  });

  describe('a snapshot', () => {
    it.each([
      ['[BOOK-13] an oid twice', [bid(1, '9', '1'), bid(1, '9', '1')], { kind: 'duplicate-oid', oid: 1 }],
      ['a better price behind a worse one', [bid(1, '9', '1'), bid(2, '10', '1')], { kind: 'misplaced', oid: 2 }],
      ['an ask among the bids', [bid(1, '9', '1'), ask(2, '9', '1')], { kind: 'misplaced', oid: 2 }],
      ['[DEC-5] a bad price', [bid(2, '-9', '1')], { kind: 'bad-amount', oid: 2, field: 'px' }],
      ['[DEC-5] a bad size', [bid(2, '9', '1.')], { kind: 'bad-amount', oid: 2, field: 'sz' }],
    ])('%s is a finding', (_title, bids, finding) => {
      expect(appendAll(create(), [bids, []])).toEqual([expect.objectContaining(finding)]);
    });

    it('[BOOK-7] may hold an order of size zero', () => {
      expect(appendAll(create(), [[bid(1, '9', '0.0')], []])).toEqual([]);
    });
  });

  describe('details', () => {
    const detail = { timestamp: 7, reduceOnly: true, tif: 'Alo', orderType: 'Limit', cloid: `0x${'0f'.repeat(16)}` };

    it('[BOOK-6] gives an order without a status documented defaults and the time of the block', () => {
      expect(apply(insert(9, '1.50', { px: '99.0', user: wallet(3) }))).toEqual([]);
      expect(engine.order(9)).toEqual({
        user: wallet(3),
        coin: 'BTC',
        side: 'B',
        limitPx: '99.0',
        sz: '1.50',
        oid: 9,
        timestamp: BLOCK_TIME,
        triggerCondition: 'N/A',
        isTrigger: false,
        triggerPx: '0.0',
        isPositionTpsl: false,
        reduceOnly: false,
        orderType: 'Limit',
        tif: null,
        cloid: null,
      });
    });

    it('[BOOK-2, BOOK-3] takes everything but owner, price and size from a status', () => {
      const status = orderStatus(order({ oid: 9, sz: '8.0', limitPx: '77.0', ...detail }));
      expect(applyTo(engine, [insert(9, '1.5')], [status])).toEqual([]);
      expect(engine.order(9)).toEqual(order({ oid: 9, sz: '1.5', limitPx: '100.0', ...detail }));
    });

    it('[BOOK-2] uses the last of several statuses that fits', () => {
      const named = (fields: object) => orderStatus(order({ oid: 9, ...fields }));
      const statuses = [
        named({ tif: 'Ioc' }),
        named({ ...detail, tif: 'Alo' }),
        named({ side: 'A', tif: 'Gtc' }),
        named({ user: wallet(2), tif: 'Gtc' }),
        named({ orderType: undefined, tif: 'Gtc' }),
        orderStatus(order({ oid: 10, tif: 'Gtc' })),
      ];
      applyTo(engine, [insert(9, '1.0')], statuses);
      expect(engine.order(9)).toEqual(order({ oid: 9, ...detail }));
    });

    it('[BOOK-2] ignores a status of an order that is not new', () => {
      const sum = engine.checksum();
      const status = orderStatus(order({ oid: 1, sz: '9.0', tif: 'Alo' }));
      expect(applyTo(engine, [resize(2, '2.0', '2.0')], [status])).toEqual([]);
      expect(engine.checksum()).toBe(sum);
      expect(engine.order(1)?.tif).toBe('Gtc');
    });

    it('[BOOK-4] rests a triggered order at the price of the diff, and shows it as triggered', () => {
      const waiting = { isTrigger: true, triggerCondition: 'Price below 99', triggerPx: '99.0', tif: null } as const;
      const status = orderStatus(order({ oid: 9, limitPx: '95.0', orderType: 'Stop Market', ...waiting }), 'triggered');
      applyTo(engine, [insert(9, '1.0', { px: '98.0' })], [status]);
      expect(engine.order(9)).toMatchObject({
        limitPx: '98.0',
        orderType: 'Stop Market',
        triggerCondition: 'Triggered',
        isTrigger: false,
        triggerPx: '0.0',
        timestamp: BLOCK_TIME,
        tif: 'Gtc',
      });
    });

    it('[SNAP-10] passes on fields that the specification does not name, after the named ones', () => {
      const extra = { children: [], origSz: '5.0', __proto__: { odd: true } };
      const named = order({ oid: 9, ...extra });
      applyTo(engine, [insert(9, '1.0')], [orderStatus(named)]);
      expect(engine.order(9)).toEqual({ ...order({ oid: 9 }), children: [], origSz: '5.0' });
      expect(Object.keys(engine.order(9) ?? {})).toEqual([...Object.keys(order()), 'children', 'origSz']);
      apply(resize(9, '1.0', '2.0'));
      expect(engine.order(9)).toMatchObject({ sz: '2.0', origSz: '5.0' });
      apply(remove(9), insert(10, '1.0'));
      expect(engine.order(10)).not.toHaveProperty('origSz');
    });

    it('[SNAP-10] treats a field named __proto__ like any other', () => {
      const text = JSON.stringify(order({ oid: 9 })).replace('}', ',"__proto__":{"odd":true}}');
      const fresh = create();
      appendAll(fresh, [[JSON.parse(text)], []]);
      expect(JSON.stringify(fresh.order(9))).toBe(text);
      expect(Object.getPrototypeOf(fresh.order(9))).toBe(Object.prototype);
    });
  });

  describe('texts', () => {
    it.each<DecimalString>(['1', '1.0', '1.50', '0.00001', '100000.000000', '007.50', '00', '0.0', '3.00000000000000'])(
      '[BOOK-18, DEC-3] returns size %s as received',
      (sz) => {
        const fresh = create();
        appendAll(fresh, [[bid(1, '9', '1.12345'), bid(2, '9', sz), bid(3, '9', '1')], []]);
        expect(fresh.order(2)?.sz).toBe(sz);
        expect(applyTo(fresh, [resize(2, sz, '5.00', { px: '9' })])).toEqual([]);
        expect(fresh.order(2)?.sz).toBe('5.00');
        expect(applyTo(fresh, [resize(2, '5', sz, { px: '9' })])).toEqual([]);
        expect(fresh.order(2)?.sz).toBe(sz);
      },
    );

    it('[BOOK-18, DEC-3] keeps the price text of each order of a level; the level shows that of its front', () => {
      const fresh = create();
      appendAll(fresh, [[bid(1, '81307.0', '1'), bid(2, '81307', '1'), bid(3, '81307.00', '1')], []]);
      expect(fresh.levelCount('B')).toBe(1);
      expect([...fresh.orders('B')].map(({ limitPx }) => limitPx)).toEqual(['81307.0', '81307', '81307.00']);
      expect(applyTo(fresh, [remove(1, { px: '81307.000' })])).toEqual([]);
      expect(fresh.best('B')?.px).toBe('81307');
      expect(fresh.rows('B', { limit: 1 })[0]?.px).toBe('81307');
      expect(fresh.place(3)?.px).toBe('81307');
      expect(applyTo(fresh, [remove(2, { px: '81307.0' }), insert(4, '1', { px: '81307.0' })])).toEqual([]);
      expect(fresh.order(4)?.limitPx).toBe('81307.0');
      expect(fresh.best('B')?.px).toBe('81307.00');
    });

    it.each(['0xABCDEF00000000000000000000000000', '0x12', 'x'.repeat(34), '0x0000000000000000000000000000000é', ''])(
      '[BOOK-18] keeps a client order id of another form: %s',
      (cloid) => {
        const fresh = create();
        appendAll(fresh, [[bid(1, '9', '1', { cloid })], []]);
        expect(fresh.order(1)?.cloid).toBe(cloid);
        expect(JSON.parse(sideText(fresh, 'B'))).toEqual(fresh.order(1));
        applyTo(fresh, [remove(1, { px: '9' }), insert(2, '1', { px: '9' })]);
        expect(fresh.order(2)?.cloid).toBeNull();
      },
    );

    it('[BOOK-18] keeps a client order id of the usual form to the last digit', () => {
      const cloid = '0x0e814d2ad8819d09b6716fe45d38bfd2';
      const fresh = create();
      appendAll(fresh, [[bid(1, '9', '1', { cloid }), bid(2, '9', '1', { cloid: `0x${'f'.repeat(32)}` })], []]);
      expect([...fresh.orders('B')].map((item) => item.cloid)).toEqual([cloid, `0x${'f'.repeat(32)}`]);
    });

    it('[BOOK-17, BOOK-18] changes no existing text when a finer decimal arrives', () => {
      apply(insert(9, '0.0000001', { px: '99.99999' }));
      expect([...engine.orders('B')].map(({ limitPx, sz }) => [limitPx, sz])).toEqual([
        ['100.0', '1.0'],
        ['100.0', '2.0'],
        ['100.0', '3.0'],
        ['99.99999', '0.0000001'],
        ['99.5', '4.0'],
      ]);
      expect(engine.total('B')).toBe('10.0000001');
      expect(engine.best('A')).toEqual({ px: '101.0', sz: '0.75', count: 2 });
      expect(apply(resize(1, '1.0', '1.00000001'))).toEqual([]);
      expect(engine.best('B')).toEqual({ px: '100.0', sz: '6.00000001', count: 3 });
    });
  });

  describe('rows', () => {
    it.each<[string, BookChange, readonly number[]]>([
      ['a resize', resize(1, '1.0', '0.0000000125'), [0.0000000125, 2, 3]],
      ['a new order', insert(9, '0.0000000125', { before: 1 }), [0.0000000125, 1, 2]],
    ])('[BOOK-17] use units as fine as the finest size in a window, also after %s', (_, change, lane) => {
      expect(apply(change)).toEqual([]);
      const window = new LadderWindow(1, 3);
      engine.fill(window, 'B', {});
      const unit = 10 ** window.szScale;
      const units = Array.from(window.laneSz, (size) => size);
      expect(units.every(Number.isInteger)).toBe(true);
      expect(units.map((size) => size / unit)).toEqual(lane);
      expect(Number.isInteger(window.sz[0])).toBe(true);
    });

    it('have their sizes as numbers in a window, and no row past the last one', () => {
      const window = new LadderWindow(3, 2);
      engine.fill(window, 'B', {});
      const inCoins = (units: Float64Array) =>
        Array.from(units.slice(0, window.rowCount), (n) => n / 10 ** window.szScale);
      expect([inCoins(window.sz), inCoins(window.cumSz)]).toEqual([
        [6, 4],
        [6, 10],
      ]);
      expect(() => window.pxText(window.rowCount)).toThrow(RangeError);
    });
  });

  describe('queue', () => {
    it('[BOOK-1] counts what is ahead of an order at its price', () => {
      expect(engine.place(3)).toEqual({
        side: 'B',
        px: '100.0',
        ordersAhead: 2,
        szAhead: '3',
        levelCount: 3,
        levelSz: '6',
      });
      expect(engine.place(7)).toMatchObject({ side: 'A', ordersAhead: 0, szAhead: '0' });
      expect(engine.place(99)).toBeUndefined();
    });

    it('[BOOK-1] returns the order directly behind another one', () => {
      expect([1, 2, 3, 99].map((oid) => engine.behind(oid))).toEqual([2, 3, undefined, undefined]);
    });

    it('calls the listener before each change, with the book as the earlier changes left it', () => {
      const seen: unknown[] = [];
      const changes = [insert(9, '1.5', { px: '100.0' }), remove(9, { px: '100.0' }), remove(3, { px: '100.0' })];
      engine.apply(changes, 0, new BlockDetails([], BLOCK_TIME), [], (index) => {
        seen.push([index, engine.place(9)?.szAhead, engine.behind(3), engine.place(3)?.levelCount]);
      });
      expect(seen).toEqual([
        [0, undefined, undefined, 3],
        [1, '6', 9, 4],
        [2, undefined, undefined, 3],
      ]);
    });
  });

  describe('cursor', () => {
    it('returns unusual values as read: no owner, a size of zero, a text that no number prints', () => {
      const odd = create();
      appendAll(odd, [[bid(1, '009.50', '0.0', { user: null })], []]);
      expect(readByCursor(odd, 'B')).toEqual([
        { px: '9.5', sz: '0', count: 1, orders: [[1, null, '0', '009.50', '0.0']] },
      ]);
      expect(readByCursor(odd, 'A')).toEqual([]);
    });
  });

  describe('other results', () => {
    it('are empty for an empty side', () => {
      const empty = create();
      expect(empty.best('B')).toBeUndefined();
      expect(empty.rows('A', { limit: 5 })).toEqual([]);
      expect(empty.queue('A', '1', {})).toEqual([]);
      expect(empty.total('A')).toBe('0');
      expect(empty.orderCount).toBe(0);
      expect(empty.levelCount('B')).toBe(0);
      expect([...empty.orders('B')]).toEqual([]);
      expect(empty.crossed()).toBeUndefined();
      expect(empty.checksum()).toBe('0'.repeat(32));
    });

    it('counts follow the applied changes', () => {
      apply(insert(9, '1.0', { px: '98.0' }), remove(4, { px: '99.5' }), insert(10, '1.0', { side: 'A', px: '103' }));
      expect([engine.orderCount, engine.orderCountOf('B'), engine.orderCountOf('A')]).toEqual([8, 4, 4]);
      expect([engine.levelCount('B'), engine.levelCount('A')]).toEqual([2, 3]);
      expect([engine.total('B'), engine.total('A')]).toEqual(['7', '8.75']);
      expect([engine.sideOf(9), engine.sideOf(10), engine.sideOf(4)]).toEqual(['B', 'A', undefined]);
      expect(engine.order(4)).toBeUndefined();
    });

    it('[SNAP-7, SNAP-10] the JSON of a side equals that of its orders', () => {
      const fresh = create();
      const odd = bid(2, '9.50', '007', {
        cloid: '0xAB',
        orderType: 'Stop "Limit" é',
        tif: null,
        origSz: '8',
        user: null,
      });
      const levels = [[bid(1, '9.5', '1.0', { cloid: `0x${'0a'.repeat(16)}` }), odd], []] as const;
      appendAll(fresh, levels);
      expect(`[${sideText(fresh, 'B')}]`).toBe(JSON.stringify(levels[0]).replace('é', '\\u00e9'));
      expect(sideText(fresh, 'A')).toBe('');
    });
  });
});

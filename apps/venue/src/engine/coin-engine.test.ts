import type { Side } from '@l4desk/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { CoinEngine, type PlaceRequest } from './coin-engine.ts';
import { Account, type Order } from './order.ts';
import { DEFAULT_RULES, type EngineRules } from './rules.ts';
import { CoinScale } from './scale.ts';

/** A coin with two size decimals: a tick is 0.0001 dollars, a lot is 0.01. Prices here are near 100 dollars. */
const DOLLAR = 10_000;

function account(name: string, buyingPower = 1e14): Account {
  return new Account({ address: `0x${name.padStart(40, '0')}`, buyingPower });
}

const ann = account('a');
const bob = account('b');
const cat = account('c');

beforeEach(() => {
  for (const who of [ann, bob, cat]) who.open.clear();
});

function newEngine(rules: Partial<EngineRules> = {}) {
  let oid = 0;
  const engine = new CoinEngine('TEST', new CoinScale(2), () => (oid += 1), { ...DEFAULT_RULES, ...rules });
  engine.beginBlock(1_000);
  const place = (who: Account, side: Side, dollars: number, lots: number, more: Partial<PlaceRequest> = {}) =>
    engine.place({ account: who, side, px: dollars * DOLLAR, lots, tif: 'Gtc', ...more });
  return { engine, place };
}

/** Summary of the last block: statuses as `status oid lots`, diffs as `+oid lots`, `~oid from>to`, `-oid`. */
function told(engine: CoinEngine): { readonly statuses: readonly string[]; readonly diffs: readonly string[] } {
  const block = engine.takeBlock();
  return {
    statuses: block.statuses.map(({ status, order, lots }) => `${status} ${order.oid} ${lots}`),
    diffs: block.diffs.map((diff) => {
      switch (diff.kind) {
        case 'insert':
          return `+${diff.order.oid} ${diff.lots}${diff.insertBefore === null ? '' : ` before ${diff.insertBefore}`}`;
        case 'resize':
          return `~${diff.order.oid} ${diff.fromLots}>${diff.toLots}`;
        case 'remove':
          return `-${diff.order.oid}`;
      }
    }),
  };
}

function queue(engine: CoinEngine, side: Side): readonly number[] {
  return Array.from(engine.sideOf(side).orders(), (order) => order.oid);
}

describe('placing and matching', () => {
  type Placed = Parameters<ReturnType<typeof newEngine>['place']>;
  const IOC = { tif: 'Ioc' } as const;
  const ask = (who: Account, dollars: number, lots: number): Placed => [who, 'A', dollars, lots];

  it.each<
    [title: string, resting: readonly Placed[], next: Placed, statuses: readonly string[], diffs: readonly string[]]
  >([
    ['an order that rests is open and new', [], [ann, 'B', 100, 50], ['open 1 50'], ['+1 50']],
    [
      'a taker that fills at once has only statuses, a maker filled in part only a diff',
      [ask(ann, 100, 50)],
      [bob, 'B', 101, 20, IOC],
      ['open 2 20', 'filled 2 0'],
      ['~1 50>30'],
    ],
    [
      'a filled maker is removed, every fourth after an update to zero',
      [ask(ann, 100, 20), ask(ann, 100, 20), ask(ann, 100, 20), ask(ann, 100, 20)],
      [bob, 'B', 100, 80, IOC],
      ['open 5 80', 'filled 1 0', 'filled 2 0', 'filled 3 0', 'filled 4 0', 'filled 5 0'],
      ['-1', '-2', '-3', '~4 20>0', '-4'],
    ],
    [
      'the rest of a partly filled taker rests: its new is smaller than its status',
      [ask(ann, 100, 30)],
      [bob, 'B', 100, 50],
      ['open 2 50', 'filled 1 0'],
      ['-1', '+2 20'],
    ],
    [
      'the best price is filled first, and the oldest order at a price',
      [ask(ann, 102, 20), ask(ann, 101, 20), ask(cat, 101, 20)],
      [bob, 'B', 102, 50, IOC],
      ['open 4 50', 'filled 2 0', 'filled 3 0', 'filled 4 0'],
      ['-2', '-3', '~1 20>10'],
    ],
    [
      'the rest of a partly filled IOC order is canceled',
      [ask(ann, 100, 30)],
      [bob, 'B', 100, 50, IOC],
      ['open 2 50', 'filled 1 0', 'canceled 2 20'],
      ['-1'],
    ],
    [
      'the resting order of a wallet that would trade with itself is canceled',
      [ask(ann, 100, 30), ask(bob, 100, 30)],
      [ann, 'B', 100, 20, IOC],
      ['open 3 20', 'selfTradeCanceled 1 30', 'filled 3 0'],
      ['-1', '~2 30>10'],
    ],
  ])('%s', (_title, resting, next, statuses, diffs) => {
    const { engine, place } = newEngine();
    for (const order of resting) place(...order);
    told(engine);
    place(...next);
    expect(told(engine)).toEqual({ statuses, diffs });
  });

  it('trades at the price of the resting order', () => {
    const { engine, place } = newEngine();
    place(ann, 'B', 100, 30);
    engine.takeBlock();
    place(bob, 'A', 90, 20, { tif: 'Ioc' });
    expect(engine.takeBlock().fills.map(({ px, lots }) => [px, lots])).toEqual([[100 * DOLLAR, 20]]);
  });

  it('can report new and remove of one oid in one block', () => {
    const { engine, place } = newEngine();
    engine.cancel(place(ann, 'B', 100, 50));
    expect(told(engine)).toEqual({ statuses: ['open 1 50', 'canceled 1 50'], diffs: ['+1 50', '-1'] });
  });

  it('modifies an order into a new oid with the same cloid and its own queue position', () => {
    const { engine, place } = newEngine();
    const first = place(ann, 'B', 100, 50, { cloid: 7 });
    place(bob, 'B', 100, 50);
    told(engine);
    const second = engine.modify(first, { px: 100 * DOLLAR, lots: 40, tif: 'Alo' });
    expect(told(engine)).toEqual({ statuses: ['canceled 1 50', 'open 3 40'], diffs: ['-1', '+3 40'] });
    expect([first.cloid, second.cloid]).toEqual([7, 7]);
    expect(queue(engine, 'B')).toEqual([2, 3]);
  });

  it('[L4-28] rests an order with priority before those without and behind those with it', () => {
    const { engine, place } = newEngine();
    place(ann, 'B', 100, 50);
    place(bob, 'B', 100, 50, { priority: true });
    place(cat, 'B', 100, 50, { priority: true });
    place(ann, 'B', 99, 50, { priority: true });
    expect(told(engine).diffs).toEqual(['+1 50', '+2 50 before 1', '+3 50 before 1', '+4 50']);
    expect(queue(engine, 'B')).toEqual([2, 3, 1, 4]);
  });
});

/** An account with the maximum number of open orders. */
function crowded(): Account {
  const who = account('e');
  for (let i = 0; i < DEFAULT_RULES.maxOpenOrders; i += 1) who.open.add({} as Order);
  return who;
}

const cases: readonly (readonly [string, Parameters<ReturnType<typeof newEngine>['place']>])[] = [
  ['badAloPxRejected', [bob, 'B', 100, 50, { tif: 'Alo' }]],
  ['iocCancelRejected', [bob, 'B', 99, 50, { tif: 'Ioc' }]],
  ['minTradeNtlRejected', [bob, 'B', 99, 10]],
  ['minTradeNtlRejected', [bob, 'B', 99, 0]],
  ['tickRejected', [bob, 'B', 99.001_1, 50]],
  ['perpMarginRejected', [account('d', 1_000_000), 'B', 99, 50]],
  ['reduceOnlyRejected', [bob, 'B', 99, 50, { reduceOnly: true }]],
  ['tooManyOpenOrdersRejected', [crowded(), 'B', 99, 50]],
  ['badTriggerPxRejected', [bob, 'B', 99, 50, { trigger: { px: 90 * DOLLAR, when: 'above' } }]],
  ['tickRejected', [bob, 'B', 99, 50, { trigger: { px: 12.5, when: 'above' } }]],
];

it.each(cases)('%s has a status and no diff', (status, request) => {
  const { engine, place } = newEngine();
  place(ann, 'A', 100, 50);
  told(engine);
  const order = place(...request);
  expect(told(engine)).toEqual({ statuses: [`${status} ${order.oid} ${order.origLots}`], diffs: [] });
  expect(order.state).toBe('gone');
});

describe('reduce-only', () => {
  /** A market in which Ann is long 50 lots. */
  function longAnn() {
    const made = newEngine();
    made.place(bob, 'A', 100, 50);
    made.place(ann, 'B', 100, 50, { tif: 'Ioc' });
    told(made.engine);
    return made;
  }

  it('clips an order to the position', () => {
    const { engine, place } = longAnn();
    const order = place(ann, 'A', 105, 80, { reduceOnly: true });
    expect(order.lots).toBe(50);
    expect(told(engine)).toEqual({ statuses: ['open 3 80'], diffs: ['+3 50'] });
  });

  it('cancels a resting order without a position when its turn comes', () => {
    const { engine, place } = longAnn();
    place(ann, 'A', 105, 50, { reduceOnly: true });
    place(cat, 'B', 101, 50);
    place(ann, 'A', 101, 50, { tif: 'Ioc' });
    told(engine);
    place(cat, 'B', 105, 20, { tif: 'Ioc' });
    expect(told(engine)).toEqual({
      statuses: ['open 6 20', 'reduceOnlyCanceled 3 50', 'canceled 6 20'],
      diffs: ['-3'],
    });
  });
});

describe('triggers', () => {
  /** A book at 99 to 101 with a stop order of Bob's above 101. */
  function withStop(more: Partial<PlaceRequest>, rules: Partial<EngineRules> = {}) {
    const made = newEngine(rules);
    made.place(ann, 'B', 99, 50);
    made.place(ann, 'A', 101, 50);
    const stop = made.place(bob, 'B', 100, 60, { trigger: { px: 102 * DOLLAR, when: 'above' }, ...more });
    told(made.engine);
    return { ...made, stop };
  }

  /** Moves the mid price to 103. */
  function lift({ engine, place }: ReturnType<typeof newEngine>, best: Order | undefined) {
    if (best !== undefined) engine.cancel(best);
    place(ann, 'B', 102, 50);
    place(ann, 'A', 104, 50);
    told(engine);
  }

  it('triggers an order whose price is reached; it rests at its limit price under its own oid', () => {
    const made = withStop({ orderType: 'Stop Limit' });
    lift(made, made.engine.asks.best()?.first ?? undefined);
    made.engine.beginBlock(2_000);
    made.engine.fireTriggers();
    expect(told(made.engine)).toEqual({ statuses: ['triggered 3 60'], diffs: ['+3 60'] });
    const resting = [...made.engine.bids.orders()].find((order) => order.oid === 3);
    expect(resting).toMatchObject({ fired: true, tif: 'Gtc', timestamp: 2_000, px: 100 * DOLLAR });
  });

  it('fills a market order within its band and rests what is left there, not at its limit price', () => {
    const made = withStop({ orderType: 'Stop Market', px: 150 * DOLLAR }, { marketBand: 10_000 });
    lift(made, made.engine.asks.best()?.first ?? undefined);
    made.place(cat, 'A', 103.01, 20);
    told(made.engine);
    made.engine.fireTriggers();
    expect(told(made.engine)).toEqual({
      statuses: ['triggered 3 60', 'filled 6 0'],
      diffs: ['-6', '+3 40'],
    });
    // The mark is 102.505; one percent more is 103.53005, rounded to five figures.
    expect(made.engine.bids.best()?.px).toBe(103.53 * DOLLAR);
  });

  it('refuses a fired reduce-only order without a position', () => {
    const made = withStop({ orderType: 'Stop Market', reduceOnly: true });
    lift(made, made.engine.asks.best()?.first ?? undefined);
    made.engine.fireTriggers();
    expect(told(made.engine)).toEqual({ statuses: ['triggered 3 60', 'reduceOnlyRejected 3 60'], diffs: [] });
  });
});

it('the initial book rests a seeded order without events and rejects one that would cross', () => {
  const { engine } = newEngine();
  const request = { account: ann, side: 'B', px: 100 * DOLLAR, lots: 50, tif: 'Gtc', timestamp: 5 } as const;
  expect(engine.seed(request).state).toBe('resting');
  expect(told(engine)).toEqual({ statuses: [], diffs: [] });
  expect(() => engine.seed({ ...request, side: 'A' })).toThrow('would cross');
});

describe('legs', () => {
  const legs: PlaceRequest['legs'] = [
    { px: 90 * DOLLAR, orderType: 'Take Profit Market', trigger: { px: 110 * DOLLAR, when: 'above' } },
    { px: 90 * DOLLAR, orderType: 'Stop Market', trigger: { px: 95 * DOLLAR, when: 'below' } },
  ];

  it('are open with their order but not armed while it rests', () => {
    const { engine, place } = newEngine();
    place(bob, 'A', 102, 50);
    const order = place(ann, 'B', 100, 50, { legs });
    expect(order.children.map(({ side, lots, reduceOnly, state }) => [side, lots, reduceOnly, state])).toEqual([
      ['A', 50, true, 'waiting'],
      ['A', 50, true, 'waiting'],
    ]);
    expect(told(engine).statuses).toEqual(['open 1 50', 'open 2 50', 'open 3 50', 'open 4 50']);
    place(bob, 'B', 115, 100);
    engine.fireTriggers();
    expect(told(engine).statuses.filter((status) => status.startsWith('triggered'))).toEqual([]);
    expect(ann.open.size).toBe(3);
  });

  it('are canceled with their order', () => {
    const { engine, place } = newEngine();
    const order = place(ann, 'B', 100, 50, { legs });
    told(engine);
    engine.cancel(order);
    expect(told(engine).statuses).toEqual(['canceled 1 50', 'canceled 2 50', 'canceled 3 50']);
    expect(ann.open.size).toBe(0);
  });

  it('of a filled order wait for their triggers; one that fires cancels the other', () => {
    const { engine, place } = newEngine({ marketBand: 20_000 });
    place(ann, 'B', 100, 50, { legs });
    place(bob, 'A', 100, 50, { tif: 'Ioc' });
    told(engine);
    place(cat, 'B', 94, 100);
    place(bob, 'A', 95, 100);
    engine.fireTriggers();
    expect(told(engine).statuses.slice(2)).toEqual(['triggered 3 50', 'siblingFilledCanceled 2 50', 'filled 3 0']);
    expect(engine.positions.of(ann).lots).toBe(0);
    expect(ann.open.size).toBe(0);
  });
});

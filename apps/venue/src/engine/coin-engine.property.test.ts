import type { Side } from '@l4desk/protocol';
import { SpecBook } from '@l4desk/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CoinEngine } from './coin-engine.ts';
import type { EngineBlock, EngineDiff } from './events.ts';
import { Account, type Order, type Tif } from './order.ts';
import { DEFAULT_RULES } from './rules.ts';
import { CoinScale } from './scale.ts';

/** Prices around 100 ticks of one dollar each, so that orders match often. */
const SCALE = new CoinScale(6);

type Command =
  | {
      readonly kind: 'place';
      readonly who: number;
      readonly side: Side;
      readonly px: number;
      readonly lots: number;
      readonly tif: Tif;
      readonly reduceOnly: boolean;
      readonly priority: boolean;
    }
  | {
      readonly kind: 'stop';
      readonly who: number;
      readonly side: Side;
      readonly px: number;
      readonly lots: number;
      readonly at: number;
      readonly market: boolean;
    }
  | { readonly kind: 'cancel'; readonly which: number }
  | { readonly kind: 'modify'; readonly which: number; readonly px: number; readonly lots: number }
  | { readonly kind: 'block' };

const who = fc.nat(5);
const side = fc.constantFrom<Side>('B', 'A');
const px = fc.integer({ min: 90, max: 110 });
const lots = fc.integer({ min: 100_000, max: 3_000_000 });

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      who,
      side,
      px,
      lots,
      tif: fc.constantFrom<Tif>('Gtc', 'Gtc', 'Alo', 'Ioc', 'FrontendMarket'),
      reduceOnly: fc.boolean(),
      priority: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('stop' as const), who, side, px, lots, at: px, market: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('modify' as const), which: fc.nat(), px, lots }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'block' as const }) },
);

/** Follows the engine by its diffs alone. Throws if a diff does not match the followed book. */
class Follower {
  readonly #book = new SpecBook((problem) => {
    throw new Error(problem);
  });

  apply(diff: EngineDiff): void {
    const { oid, side, px: ticks } = diff.order;
    const px = String(ticks);
    if (diff.kind === 'insert')
      this.#book.insert({ oid, user: '', side, px, sz: String(diff.lots) }, diff.insertBefore ?? undefined);
    else if (diff.kind === 'remove') this.#book.remove(oid, { side, px });
    else this.#book.update(oid, { side, px }, String(diff.fromLots), String(diff.toLots));
  }

  /** Best price first, each price in queue order. */
  rows(side: Side): readonly (readonly [oid: number, px: number, lots: number])[] {
    return this.#book.side(side).map(({ oid, px, sz }) => [oid, Number(px), Number(sz)] as const);
  }
}

interface Run {
  readonly engine: CoinEngine;
  readonly placed: readonly Order[];
  readonly blocks: readonly EngineBlock[];
}

/** Executes the commands and calls `check` after each block with the engine and the block. */
function run(commands: readonly Command[], check: (engine: CoinEngine, block: EngineBlock) => void): Run {
  let oid = 0;
  const engine = new CoinEngine('TEST', SCALE, () => (oid += 1), { ...DEFAULT_RULES, marketBand: 20_000 });
  const accounts = Array.from(
    { length: 6 },
    (_, index) => new Account({ address: `0x${String(index).padStart(40, '0')}`, buyingPower: 250_000_000 }),
  );
  const placed: Order[] = [];
  const blocks: EngineBlock[] = [];
  const accountOf = (index: number) => accounts[index] as Account;
  const endBlock = () => {
    engine.fireTriggers();
    const block = engine.takeBlock();
    blocks.push(block);
    check(engine, block);
  };
  for (const each of commands) {
    switch (each.kind) {
      case 'place':
        placed.push(engine.place({ ...each, account: accountOf(each.who) }));
        break;
      case 'stop':
        placed.push(
          engine.place({
            account: accountOf(each.who),
            side: each.side,
            px: each.px,
            lots: each.lots,
            tif: 'Gtc',
            orderType: each.market ? 'Stop Market' : 'Stop Limit',
            trigger: { px: each.at, when: each.side === 'B' ? 'above' : 'below' },
          }),
        );
        break;
      case 'cancel': {
        const order = placed[each.which % Math.max(placed.length, 1)];
        if (order !== undefined) engine.cancel(order);
        break;
      }
      case 'modify': {
        const order = placed[each.which % Math.max(placed.length, 1)];
        if (order?.state === 'resting') placed.push(engine.modify(order, { px: each.px, lots: each.lots, tif: 'Gtc' }));
        break;
      }
      case 'block':
        endBlock();
    }
  }
  endBlock();
  return { engine, placed, blocks };
}

const commands = fc.array(command, { minLength: 1, maxLength: 150 });

describe('any sequence of orders, cancels and modifies', () => {
  it('never crosses the book, and levels match their orders', () => {
    fc.assert(
      fc.property(commands, (list) => {
        run(list, (engine) => {
          const bid = engine.bids.best()?.px ?? 0;
          const ask = engine.asks.best()?.px ?? Number.MAX_SAFE_INTEGER;
          expect(bid).toBeLessThan(ask);
          for (const book of [engine.bids, engine.asks]) {
            let total = 0;
            for (const level of book.levels()) {
              const orders = [...book.orders()].filter((order) => order.level === level);
              expect(level.count).toBe(orders.length);
              expect(level.lots).toBe(orders.reduce((sum, order) => sum + order.lots, 0));
              expect(orders.every((order) => order.lots > 0 && order.px === level.px)).toBe(true);
              total += level.count;
            }
            expect(book.orderCount).toBe(total);
          }
        });
      }),
    );
  });

  it('[BOOK-2] produces diffs that alone rebuild the book, in the same queue order', () => {
    fc.assert(
      fc.property(commands, (list) => {
        const follower = new Follower();
        run(list, (engine, block) => {
          for (const diff of block.diffs) follower.apply(diff);
          for (const of of ['B', 'A'] as const) {
            const own = Array.from(engine.sideOf(of).orders(), (order) => [order.oid, order.px, order.lots] as const);
            expect(follower.rows(of)).toEqual(own);
          }
        });
      }),
    );
  });

  it('loses no lots: every order was filled, rests, waits or was canceled', () => {
    fc.assert(
      fc.property(commands, (list) => {
        const { engine, placed, blocks } = run(list, () => undefined);
        const fills = blocks.flatMap((block) => block.fills);
        const filledOf = new Map<number, number>();
        for (const { maker, taker, lots: size } of fills) {
          for (const { oid } of [maker, taker]) filledOf.set(oid, (filledOf.get(oid) ?? 0) + size);
          expect(maker.side).not.toBe(taker.side);
          expect(maker.account).not.toBe(taker.account);
        }
        const resting = new Map([...engine.bids.orders(), ...engine.asks.orders()].map((order) => [order.oid, order]));
        const unaccounted = placed.filter((order) => {
          const filled = filledOf.get(order.oid) ?? 0;
          const rest = resting.get(order.oid);
          if (filled > order.origLots) return true;
          // A reduce-only order is clipped to the position when it is placed.
          return rest !== undefined && !rest.reduceOnly && filled + rest.lots !== order.origLots;
        });
        expect(unaccounted).toEqual([]);
        const held = [...engine.positions.all()].map(([, position]) => position);
        expect(held.reduce((sum, { lots }) => sum + lots, 0)).toBe(0);
        expect(held.reduce((sum, { cash }) => sum + cash, 0)).toBe(0);
        expect(held.reduce((sum, { lots }) => sum + Math.max(lots, 0), 0)).toBe(engine.positions.openInterest);
      }),
    );
  });

  it('gives every order that enters the book its entering status in the same block', () => {
    fc.assert(
      fc.property(commands, (list) => {
        run(list, (_engine, block) => {
          for (const diff of block.diffs) {
            if (diff.kind !== 'insert') continue;
            const entering = block.statuses.find(
              ({ order, status }) =>
                order.oid === diff.order.oid && status === (order.trigger === null ? 'open' : 'triggered'),
            );
            expect(entering).toBeDefined();
            expect(diff.lots).toBeLessThanOrEqual(entering?.lots ?? 0);
          }
        });
      }),
    );
  });

  it('[BOOK-1] only ever fills the first order at the best price', () => {
    fc.assert(
      fc.property(commands, (list) => {
        const follower = new Follower();
        const passedOver: number[] = [];
        run(list, (_engine, block) => {
          const filled = new Set(
            block.statuses.filter(({ status }) => status === 'filled').map(({ order }) => order.oid),
          );
          for (const diff of block.diffs) {
            const { oid, side: of } = diff.order;
            const isFill = diff.kind === 'resize' || (diff.kind === 'remove' && filled.has(oid));
            if (isFill && follower.rows(of)[0]?.[0] !== oid) passedOver.push(oid);
            follower.apply(diff);
          }
        });
        expect(passedOver).toEqual([]);
      }),
    );
  });
});

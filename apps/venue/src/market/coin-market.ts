import { CoinEngine } from '../engine/coin-engine.ts';
import type { EngineBlock } from '../engine/events.ts';
import type { Random } from '../engine/random.ts';
import { Brackets } from '../wallets/brackets.ts';
import { Crowd } from '../wallets/crowd.ts';
import type { Behaviour, Floor } from '../wallets/floor.ts';
import { flickerers, Quoters } from '../wallets/quoters.ts';
import { refusedOrders } from '../wallets/refused.ts';
import { crossers, followers, selfTraders, takers } from '../wallets/takers.ts';
import type { Wallet, WalletRegistry } from '../wallets/wallet.ts';
import { Walls } from '../wallets/walls.ts';
import { Activity } from './activity.ts';
import { type CoinListing, scaleOf } from './catalogue.ts';
import { FairPrice } from './fair-price.ts';
import { seedBook } from './seed-book.ts';

/** How much happens and how many orders rest, as factors of the default. */
export interface MarketLevels {
  /** Orders placed and canceled per block. */
  rate: number;
  /** Refused orders per block. */
  statusRate: number;
  /** Resting orders. */
  size: number;
}

/** How often each behaviour acts on BTC in a block of mean activity at rate 1, in thousandths. */
const ACTS = {
  quotes: 7_000,
  impatient: 5_000,
  patient: 1_600,
  flickers: 900,
  takers: 350,
  crossers: 30,
  selfTraders: 4,
  followers: 900,
  walls: 60,
  brackets: 300,
  refused: 135_000,
} as const;

/** Wallets per role that trade a coin of pace 1000; slower coins have fewer. */
const STAFF = { maker: 24, taker: 40, wall: 10, bracket: 30, racer: 10, stretched: 6, careless: 6 } as const;

interface Work {
  readonly behaviour: Behaviour;
  readonly thousandths: number;
  readonly scaledBy: 'rate' | 'statusRate';
}

/** The market of one coin: its engine, its price and its traders. */
export class CoinMarket {
  readonly listing: CoinListing;
  readonly engine: CoinEngine;
  readonly #floor: Floor;
  readonly #activity: Activity;
  readonly #crowd: Crowd;
  readonly #walls: Walls;
  readonly #work: readonly Work[];

  constructor(
    listing: CoinListing,
    wallets: WalletRegistry,
    random: Random,
    nextOid: () => number,
    levels: MarketLevels,
    now: number,
  ) {
    this.listing = listing;
    this.engine = new CoinEngine(listing.name, scaleOf(listing), nextOid);
    const fair = new FairPrice(listing.startPx, listing.volatility, random.fork('price'));
    const floor: Floor = { listing, engine: this.engine, fair, wallets, random };
    this.#floor = floor;
    this.#activity = new Activity(random.fork('activity'));
    const staff = (role: keyof typeof STAFF) => hire(wallets.of(role), STAFF[role], listing, random);
    const makers = staff('maker');
    const aggressors = staff('taker');
    const quoters = new Quoters(floor, makers);
    this.#crowd = new Crowd(floor, levels.size);
    this.#walls = new Walls(floor, staff('wall'));
    const brackets = new Brackets(floor, staff('bracket'));
    const refused = refusedOrders(floor, {
      racers: staff('racer'),
      stretched: staff('stretched'),
      careless: staff('careless'),
    });
    const rated = (behaviour: Behaviour, thousandths: number): Work => ({ behaviour, thousandths, scaledBy: 'rate' });
    this.#work = [
      rated(quoters, ACTS.quotes),
      rated(this.#crowd.impatient, ACTS.impatient),
      rated(this.#crowd.patient, ACTS.patient),
      rated(flickerers(floor, makers), ACTS.flickers),
      rated(takers(floor, aggressors), ACTS.takers),
      rated(crossers(floor, aggressors), ACTS.crossers),
      rated(selfTraders(floor), ACTS.selfTraders),
      rated(followers(floor, aggressors), ACTS.followers),
      rated(this.#walls, ACTS.walls),
      rated(brackets, ACTS.brackets),
      { behaviour: refused, thousandths: ACTS.refused, scaledBy: 'statusRate' },
    ];
    this.engine.beginBlock(now);
    seedBook(floor, this.#crowd, levels.size, now);
    this.#crowd.open();
    quoters.open();
    this.#walls.open();
    brackets.open();
    this.#endBlock();
  }

  /** Simulates one block of the coin and returns its events. */
  step(time: number, levels: MarketLevels): EngineBlock {
    this.engine.beginBlock(time);
    this.#crowd.resize(levels.size);
    this.#floor.fair.step();
    this.#act(levels);
    this.#walls.flinch();
    this.engine.fireTriggers();
    return this.#endBlock();
  }

  /** Runs each behaviour as often as is due, in random order. */
  #act(levels: MarketLevels): void {
    const { random } = this.#floor;
    const percent = this.#activity.next();
    const due = this.#work.map(({ thousandths, scaledBy }) =>
      random.times(Math.floor((thousandths * this.listing.pace * percent * levels[scaledBy]) / 100_000)),
    );
    let left = due.reduce((sum, times) => sum + times, 0);
    for (; left > 0; left -= 1) {
      let ticket = random.int(left);
      let index = 0;
      while (ticket >= (due[index] as number)) {
        ticket -= due[index] as number;
        index += 1;
      }
      (due[index] as number) -= 1;
      (this.#work[index] as Work).behaviour.act();
    }
  }

  #endBlock(): EngineBlock {
    const block = this.engine.takeBlock();
    for (const diff of block.diffs) if (diff.kind === 'remove') diff.order.keeper?.release(diff.order);
    return block;
  }
}

/** Chooses the wallets of a role that trade this coin, at random: at least two, fewer for less active coins. */
function hire(wallets: readonly Wallet[], most: number, listing: CoinListing, random: Random): readonly Wallet[] {
  const count = Math.min(wallets.length, Math.max(2, Math.ceil((most * listing.pace) / 1_000)));
  const first = random.int(wallets.length);
  return Array.from({ length: count }, (_, index) => wallets[(first + index) % wallets.length] as Wallet);
}

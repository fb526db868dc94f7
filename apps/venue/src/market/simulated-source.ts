import type { BookLevels } from '@l4desk/protocol';
import type { EngineBlock } from '../engine/events.ts';
import type { Order } from '../engine/order.ts';
import { BACKLOG_MS } from '../feed/pacer.ts';
import type { BlockSource, BookSize, SourceBlock, SourceCounts } from '../feed/source.ts';
import type { MarketLevels } from './coin-market.ts';
import { BLOCK_MS, SimulatedMarket, type SimulatedMarketSettings } from './simulated-market.ts';
import { nanoTime, toCoinBlock, toL4Order } from './wire.ts';

/** A block made on request, or at another pace than the clock's, is at most this far behind the clock, in ms. */
const LAG_MS = 200;

/** In real time a block may follow the one before this much later than usual, in ms, until block times are those of the clock. */
const CATCH_UP_MS = 8;

/** The simulated market as a source of blocks. Only the coins that a caller requests are encoded. */
export class SimulatedSource implements BlockSource {
  readonly kind = 'simulation';
  readonly nextDelay = BLOCK_MS;
  readonly coins;
  readonly market: SimulatedMarket;
  readonly #now: (() => number) | null;
  #counts: SourceCounts = { blocks: 0, diffs: 0, statuses: 0, fills: 0 };

  /**
   * With `now`, block times keep to it in real time, and otherwise jump forward if they have fallen behind it, for example after a
   * pause. Without it, they depend only on the start time and the number of blocks.
   */
  constructor(settings: SimulatedMarketSettings, now: (() => number) | null) {
    this.market = new SimulatedMarket(settings);
    this.#now = now;
    this.coins = settings.coins;
  }

  get height(): number {
    return this.market.height;
  }

  get time(): number {
    return this.market.time;
  }

  get counts(): SourceCounts {
    return this.#counts;
  }

  /** Factors of order rate, refused orders and size; changes apply from the next block. */
  get levels(): MarketLevels {
    return this.market.levels;
  }

  advance(isRealTime = false): SourceBlock {
    const nextTime = this.#nextTime(isRealTime);
    // The blocks of a stall that is not made up for count as quiet, so that the height keeps to the clock as the time does: a
    // restart continues from there.
    const last = this.market.height;
    const blocks = this.market.step(nextTime, isRealTime && nextTime - this.market.time - BLOCK_MS > BACKLOG_MS);
    const { height, time } = this.market;
    this.#count(blocks.values());
    const nano = nanoTime(time, height);
    return {
      height,
      time,
      quiet: height - last - 1,
      coin: (name) => {
        const block = blocks.get(name);
        const coin = this.market.coins.get(name);
        if (block === undefined || coin === undefined) return null;
        if (block.diffs.length === 0 && block.statuses.length === 0) return null;
        return toCoinBlock(block, nano, time);
      },
    };
  }

  book(name: string): BookLevels | null {
    const coin = this.market.coins.get(name);
    if (coin === undefined) return null;
    const { engine } = coin;
    const encode = (order: Order) => toL4Order(order, order.lots, true);
    return [Array.from(engine.bids.orders(), encode), Array.from(engine.asks.orders(), encode)];
  }

  size(name: string): BookSize | null {
    const coin = this.market.coins.get(name);
    if (coin === undefined) return null;
    const { bids, asks } = coin.engine;
    return { bids: bids.orderCount, asks: asks.orderCount, levels: bids.levelCount + asks.levelCount };
  }

  /** The time of the next block, always later than that of the last one. */
  #nextTime(isRealTime: boolean): number {
    const last = this.market.time;
    const usual = last + BLOCK_MS;
    if (this.#now === null) return usual;
    const now = this.#now();
    if (!isRealTime) return now - last > LAG_MS ? now : usual;
    // The pacer makes up for shorter stalls with several blocks at once: their times are those at which they were due.
    if (now - usual > BACKLOG_MS) return now;
    return Math.max(last + 1, Math.min(now, usual + CATCH_UP_MS));
  }

  #count(blocks: Iterable<EngineBlock>): void {
    let { diffs, statuses, fills } = this.#counts;
    for (const block of blocks) {
      diffs += block.diffs.length;
      statuses += block.statuses.length;
      fills += block.fills.length;
    }
    this.#counts = { blocks: this.#counts.blocks + 1, diffs, statuses, fills };
  }
}

import type { CoinEngine } from '../engine/coin-engine.ts';
import type { Account } from '../engine/order.ts';
import { type FundingHour, type FundingSeries, HOUR_MS, RATE_ONE } from './funding.ts';

/** Positions of the first book count as held for this many hours before the start. */
const HELD_HOURS = 14 * 24;

/** Maximum number of payments kept per wallet since the start. */
const PAYMENTS_MAX = 500;

/** One hour's payment on one position. */
export interface Payment {
  readonly coin: CoinEngine;
  readonly time: number;
  readonly lots: number;
  /** In `10^-10`. */
  readonly rate: number;
  /** Amount the wallet received, in millionths of a dollar; negative if it paid. */
  readonly amount: number;
}

/** A perp with its positions and its price at the start. */
interface Perp {
  readonly engine: CoinEngine;
  readonly series: FundingSeries;
  readonly lotsAtStart: ReadonlyMap<Account, number>;
  readonly pxAtStart: number;
  /** The hours before the start for which those positions paid. */
  readonly hours: readonly FundingHour[];
}

/**
 * The hourly funding payments of all positions. Payments since the start are made from the positions at that time and
 * stored. Payments before the start are computed on request from the positions of the first book.
 */
export class FundingLedger {
  readonly #perps: readonly Perp[];
  readonly #paid = new Map<Account, Payment[]>();
  #nextHour: number;

  constructor(coins: readonly Pick<Perp, 'engine' | 'series'>[], startTime: number) {
    this.#perps = coins.map(({ engine, series }) => ({
      engine,
      series,
      lotsAtStart: lotsOf(engine),
      pxAtStart: engine.mark,
      hours: series.between(startTime - HELD_HOURS * HOUR_MS, startTime, HELD_HOURS),
    }));
    this.#nextHour = Math.floor(startTime / HOUR_MS);
    if (this.#isDue(startTime)) this.#nextHour += 1;
  }

  /** Makes the payments of every hour that has become due. */
  settle(time: number): void {
    while (this.#isDue(time)) {
      for (const perp of this.#perps) this.#payHour(perp, this.#nextHour);
      this.#nextHour += 1;
    }
  }

  /** Oldest first. */
  paymentsOf(account: Account): readonly Payment[] {
    const before = this.#perps.flatMap((perp) => this.#before(account, perp));
    return [...before.sort((a, b) => a.time - b.time), ...(this.#paid.get(account) ?? [])];
  }

  /** Net funding paid by the account per coin, in millionths of a dollar; negative if it received more than it paid. */
  paidBy(account: Account): ReadonlyMap<CoinEngine, number> {
    const sums = new Map<CoinEngine, number>();
    for (const { coin, amount } of this.paymentsOf(account)) sums.set(coin, (sums.get(coin) ?? 0) - amount);
    return sums;
  }

  #before(account: Account, { engine, lotsAtStart, pxAtStart, hours }: Perp): readonly Payment[] {
    const lots = lotsAtStart.get(account);
    if (lots === undefined) return [];
    const amount = (rate: number) => amountOf(lots, pxAtStart, rate);
    return hours.map(({ time, rate }) => ({ coin: engine, time, lots, rate, amount: amount(rate) }));
  }

  #payHour({ engine, series }: Perp, hour: number): void {
    const { rate, time } = series.at(hour);
    for (const [account, { lots }] of engine.positions.all()) {
      if (lots === 0) continue;
      const payment: Payment = { coin: engine, time, lots, rate, amount: amountOf(lots, engine.mark, rate) };
      engine.positions.pay(account, payment.amount);
      const paid = this.#paid.get(account) ?? [];
      paid.push(payment);
      if (paid.length > PAYMENTS_MAX) paid.shift();
      this.#paid.set(account, paid);
    }
  }

  /** Whether the next hour's payments are due; the time is the same for all coins. */
  #isDue(time: number): boolean {
    const [first] = this.#perps;
    return first !== undefined && first.series.timeOf(this.#nextHour) <= time;
  }
}

function lotsOf(engine: CoinEngine): ReadonlyMap<Account, number> {
  const lots = new Map<Account, number>();
  for (const [account, position] of engine.positions.all()) if (position.lots !== 0) lots.set(account, position.lots);
  return lots;
}

/** A long position pays when the rate is positive. */
function amountOf(lots: number, px: number, rate: number): number {
  return -Number((BigInt(lots * px) * BigInt(rate)) / BigInt(RATE_ONE));
}

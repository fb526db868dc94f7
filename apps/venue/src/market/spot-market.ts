import { CoinEngine } from '../engine/coin-engine.ts';
import type { Random } from '../engine/random.ts';
import { DEFAULT_RULES } from '../engine/rules.ts';
import { CoinScale, SPOT_DECIMALS } from '../engine/scale.ts';
import { SpotBalances, weiOfLot } from '../wallets/spot-balances.ts';
import { SpotTraders } from '../wallets/spot-traders.ts';
import type { WalletRegistry } from '../wallets/wallet.ts';
import { FairPrice } from './fair-price.ts';
import { SPOT_PAIRS, type SpotPair, USDC } from './spot-catalogue.ts';

/** Ten dollars, in hundred-millionths. */
const MIN_NOTIONAL = 1_000_000_000;

/** How often a pair's orders are moved, and taken, per block, in thousandths. */
const REQUOTES = 120;
const TAKES = 15;

interface PairMarket {
  readonly engine: CoinEngine;
  readonly fair: FairPrice;
  readonly traders: SpotTraders;
  readonly random: Random;
}

export interface SpotMarketSettings {
  readonly seed: string;
  readonly wallets: WalletRegistry;
  readonly random: Random;
  readonly nextOid: () => number;
  readonly startTime: number;
}

/** The spot pairs. Only the info API serves them; the stream does not. */
export class SpotMarket {
  readonly engines: ReadonlyMap<string, CoinEngine>;
  readonly balances: SpotBalances;
  readonly #pairs: readonly PairMarket[];

  constructor({ seed, wallets, random, nextOid, startTime }: SpotMarketSettings) {
    const engines = new Map<string, CoinEngine>();
    this.engines = engines;
    this.balances = new SpotBalances(seed, engines);
    this.#pairs = SPOT_PAIRS.map((pair) => {
      const chance = random.fork(pair.name);
      const engine = newEngine(pair, nextOid, this.balances);
      engines.set(pair.name, engine);
      const fair = new FairPrice(pair.startPx, pair.volatility, chance.fork('price'));
      const traders = new SpotTraders(engine, fair, wallets.of('spot'), chance);
      return { engine, fair, traders, random: chance };
    });
    for (const { engine, traders } of this.#pairs) {
      engine.beginBlock(startTime);
      traders.open();
      engine.takeBlock();
    }
  }

  /** Simulates one block of all pairs. */
  step(time: number): void {
    for (const { engine, fair, traders, random } of this.#pairs) {
      engine.beginBlock(time);
      fair.step();
      for (let times = random.times(REQUOTES); times > 0; times -= 1) traders.requote();
      for (let times = random.times(TAKES); times > 0; times -= 1) traders.take();
      engine.takeBlock();
    }
  }
}

/** An engine whose orders are paid for from spot balances. */
function newEngine({ name, base }: SpotPair, nextOid: () => number, balances: SpotBalances): CoinEngine {
  return new CoinEngine(name, new CoinScale(base.szDecimals, SPOT_DECIMALS), nextOid, {
    ...DEFAULT_RULES,
    minNotional: MIN_NOTIONAL,
    shortOf: ({ account, side, lots }, notional) => {
      const [token, amount] = side === 'B' ? [USDC, notional] : [base, lots * weiOfLot(base)];
      return balances.available(account, token) < amount ? 'insufficientSpotBalanceRejected' : null;
    },
  });
}

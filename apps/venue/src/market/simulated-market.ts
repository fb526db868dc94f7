import type { EngineBlock } from '../engine/events.ts';
import { seededRandom } from '../engine/random.ts';
import { fillArchive } from '../wallets/archive.ts';
import { PerpAccounts } from '../wallets/perp-accounts.ts';
import { WalletRegistry } from '../wallets/wallet.ts';
import { CATALOGUE, type CoinListing } from './catalogue.ts';
import { CoinMarket, type MarketLevels } from './coin-market.ts';
import { DELISTED, DelistedFunding } from './delisted.ts';
import { FundingSeries } from './funding.ts';
import { FundingLedger } from './funding-ledger.ts';
import { SpotMarket } from './spot-market.ts';

/** Time between blocks, in ms. */
export const BLOCK_MS = 67;

/**
 * A time and its block height. A market that starts later starts at a higher height, so heights never decrease across
 * restarts.
 */
const ANCHOR_TIME = 1_767_225_600_000;
const ANCHOR_HEIGHT = 800_000_000;

/** Oids start here and increase by 1 to 8. */
const FIRST_OID = 412_000_000_000;

export interface SimulatedMarketSettings extends MarketLevels {
  readonly seed: string;
  readonly coins: readonly CoinListing[];
  /** Time of the first book, ms since the Unix epoch. */
  readonly startTime: number;
}

/** The listings of the named coins, or of all coins. Throws RangeError for an unknown name. */
export function listingsOf(names: readonly string[] | null): readonly CoinListing[] {
  if (names === null) return CATALOGUE;
  return names.map((name) => {
    const listing = CATALOGUE.find((coin) => coin.name === name);
    if (listing === undefined) {
      throw new RangeError(`no coin ${name}; there are ${CATALOGUE.map((coin) => coin.name).join(', ')}`);
    }
    return listing;
  });
}

/** The simulated market of all coins. The same seed gives the same blocks. */
export class SimulatedMarket {
  readonly coins: ReadonlyMap<string, CoinMarket>;
  readonly spot: SpotMarket;
  /** Hourly funding of each coin. */
  readonly funding: ReadonlyMap<string, FundingSeries>;
  /** Hourly funding of each delisted coin. */
  readonly delistedFunding: ReadonlyMap<string, DelistedFunding>;
  readonly fundingLedger: FundingLedger;
  readonly perpAccounts: PerpAccounts;
  readonly wallets: WalletRegistry;
  /** Factors that can be changed between blocks. */
  readonly levels: MarketLevels;
  #height: number;
  #time: number;

  constructor(settings: SimulatedMarketSettings) {
    const random = seededRandom(settings.seed);
    const oids = random.fork('oids');
    let lastOid = FIRST_OID;
    const nextOid = () => {
      lastOid += 1 + oids.int(8);
      return lastOid;
    };
    this.levels = { rate: settings.rate, statusRate: settings.statusRate, size: settings.size };
    this.wallets = new WalletRegistry(random.fork('wallets'), settings.size);
    this.#time = settings.startTime;
    this.#height = heightAt(settings.startTime);
    this.coins = new Map(
      settings.coins.map((listing) => [
        listing.name,
        new CoinMarket(listing, this.wallets, random.fork(listing.name), nextOid, this.levels, settings.startTime),
      ]),
    );
    this.spot = new SpotMarket({
      seed: settings.seed,
      wallets: this.wallets,
      random: random.fork('spot'),
      nextOid,
      startTime: settings.startTime,
    });
    const coins = Array.from(this.coins.values(), ({ engine }) => ({
      engine,
      series: new FundingSeries(settings.seed, engine.name, settings.startTime),
    }));
    this.funding = new Map(coins.map(({ engine, series }) => [engine.name, series]));
    this.delistedFunding = new Map(
      DELISTED.map(({ name }) => [name, new DelistedFunding(settings.seed, name, settings.startTime)]),
    );
    this.fundingLedger = new FundingLedger(coins, settings.startTime);
    const engines = [...coins.map(({ engine }) => engine), ...this.spot.engines.values()];
    for (const wallet of this.wallets.of('archive')) {
      fillArchive(wallet, engines, random.fork('archive'), settings.startTime);
    }
    this.perpAccounts = new PerpAccounts(settings.seed, this.coins.values(), this.fundingLedger);
  }

  get height(): number {
    return this.#height;
  }

  get time(): number {
    return this.#time;
  }

  /**
   * Makes the next block, of this time, and returns the events of each coin. `leap`: blocks were left out before it, so its height
   * is that at which a market would start at that time, if that is higher.
   */
  step(time: number, leap = false): ReadonlyMap<string, EngineBlock> {
    this.#height = Math.max(this.#height + 1, leap ? heightAt(time) : 0);
    this.#time = time;
    const blocks = new Map<string, EngineBlock>();
    for (const [name, coin] of this.coins) blocks.set(name, coin.step(this.#time, this.levels));
    this.spot.step(this.#time);
    this.fundingLedger.settle(this.#time);
    return blocks;
  }
}

/** The height at which a market starts at this time. */
function heightAt(time: number): number {
  return ANCHOR_HEIGHT + Math.max(0, Math.floor((time - ANCHOR_TIME) / BLOCK_MS));
}

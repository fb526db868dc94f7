import type { CoinEngine } from '../engine/coin-engine.ts';
import type { Account } from '../engine/order.ts';
import { type Random, seededRandom } from '../engine/random.ts';
import { SPOT_PAIRS, SPOT_TOKENS, type SpotPair, type SpotToken, USDC } from '../market/spot-catalogue.ts';
import { Wallet, type WalletRole } from './wallet.ts';

/** A wallet's balance of one token, in units of `10^-weiDecimals`; `entry` is in hundred-millionths of a dollar. */
export interface SpotBalance {
  readonly token: SpotToken;
  readonly total: number;
  /** The part of `total` that is tied up by resting orders. */
  readonly hold: number;
  readonly entry: number;
}

/** One dollar in hundred-millionths, which is the unit of both USDC and a spot notional. */
const DOLLAR = 100_000_000;

/** Starting balances of a role: maximum USDC in dollars, maximum number of tokens, and percentage of wallets with nothing. */
interface Wealth {
  readonly dollars: number;
  readonly tokens: number;
  readonly without: number;
}

const MODEST: Wealth = { dollars: 250_000, tokens: 2, without: 10 };

const WEALTH: Readonly<Record<WalletRole, Wealth>> = {
  maker: { dollars: 2_000_000, tokens: 3, without: 0 },
  taker: MODEST,
  wall: { dollars: 5_000_000, tokens: 2, without: 0 },
  bracket: MODEST,
  racer: MODEST,
  stretched: { dollars: 40, tokens: 0, without: 0 },
  careless: MODEST,
  stacker: MODEST,
  spot: { dollars: 3_000_000, tokens: SPOT_TOKENS.length, without: 0 },
  archive: { dollars: 120_000, tokens: 4, without: 0 },
  empty: { dollars: 0, tokens: 0, without: 100 },
  crowd: { dollars: 40_000, tokens: 2, without: 25 },
};

/** Maximum value of one token at the start, in percent of the role's dollars. */
const TOKEN_SHARE = 60;

interface Start {
  readonly total: number;
  readonly entry: number;
}

/**
 * Spot balances: the starting balance, which derives from seed and address alone, plus the results of trades. Nothing is
 * stored twice, so balances and holds cannot disagree with trades and orders.
 */
export class SpotBalances {
  readonly #seed: string;
  readonly #engines: ReadonlyMap<string, CoinEngine>;
  readonly #starts = new Map<Account, ReadonlyMap<SpotToken, Start>>();

  constructor(seed: string, engines: ReadonlyMap<string, CoinEngine>) {
    this.#seed = seed;
    this.#engines = engines;
  }

  /** In order of token index. A token that the wallet has sold entirely is listed with zero. */
  of(account: Account): readonly SpotBalance[] {
    const starts = this.#startOf(account);
    const holds = this.#holds(account);
    const balances: SpotBalance[] = [];
    for (const token of SPOT_TOKENS) {
      const start = starts.get(token);
      const { change, spent, traded } = this.#tradesOf(account, token);
      if (start === undefined && !traded) continue;
      const total = (start?.total ?? 0) + change;
      const entry = token === USDC || total === 0 ? 0 : Math.max((start?.entry ?? 0) + spent, 0);
      balances.push({ token, total, hold: holds.get(token) ?? 0, entry });
    }
    return balances;
  }

  /** The amount of a token that is not tied up by orders. */
  available(account: Account, token: SpotToken): number {
    const total = (this.#startOf(account).get(token)?.total ?? 0) + this.#tradesOf(account, token).change;
    return total - (this.#holds(account).get(token) ?? 0);
  }

  #tradesOf(account: Account, token: SpotToken): { change: number; spent: number; traded: boolean } {
    let change = 0;
    let spent = 0;
    let traded = false;
    for (const pair of SPOT_PAIRS) {
      if (token !== USDC && pair.base !== token) continue;
      const position = this.#engines.get(pair.name)?.positions.of(account);
      if (position === undefined || (position.lots === 0 && position.cash === 0)) continue;
      traded = true;
      change += token === USDC ? position.cash : position.lots * weiOfLot(token);
      spent -= position.cash;
    }
    return { change, spent, traded };
  }

  #holds(account: Account): ReadonlyMap<SpotToken, number> {
    const holds = new Map<SpotToken, number>();
    for (const { market, side, px, lots } of account.open) {
      const pair = pairOf(market.name);
      if (pair === undefined) continue;
      const [token, amount] = side === 'B' ? [USDC, px * lots] : [pair.base, lots * weiOfLot(pair.base)];
      holds.set(token, (holds.get(token) ?? 0) + amount);
    }
    return holds;
  }

  #startOf(account: Account): ReadonlyMap<SpotToken, Start> {
    let starts = this.#starts.get(account);
    if (starts === undefined) {
      starts =
        account instanceof Wallet
          ? drawStart(seededRandom(`${this.#seed}/spot/${account.address}`), account.role)
          : new Map();
      this.#starts.set(account, starts);
    }
    return starts;
  }
}

const PAIR_BY_NAME: ReadonlyMap<string, SpotPair> = new Map(SPOT_PAIRS.map((pair) => [pair.name, pair]));

function pairOf(name: string): SpotPair | undefined {
  return PAIR_BY_NAME.get(name);
}

/** Units of a token in one lot. */
export function weiOfLot({ weiDecimals, szDecimals }: SpotToken): number {
  return 10 ** (weiDecimals - szDecimals);
}

function drawStart(random: Random, role: WalletRole): ReadonlyMap<SpotToken, Start> {
  const { dollars, tokens, without } = WEALTH[role];
  const starts = new Map<SpotToken, Start>();
  if (random.chance(without, 100)) return starts;
  // Precise to the last unit, like real balances after trades, fees and funding.
  starts.set(USDC, {
    total: random.between(Math.floor(dollars / 20), dollars) * DOLLAR + random.int(DOLLAR),
    entry: 0,
  });
  const rich = tokens === SPOT_TOKENS.length;
  const held = rich ? tokens : random.int(tokens + 1);
  for (let i = 0; i < held; i += 1) {
    const pair = rich ? SPOT_PAIRS[i] : random.pick(SPOT_PAIRS);
    if (pair === undefined) continue;
    const { base, startPx } = pair;
    const most = (dollars * DOLLAR * TOKEN_SHARE) / 100;
    const entry = rich
      ? Math.floor(most / 2) + random.int(DOLLAR)
      : Math.floor(most / (1 + random.octave(10))) + random.int(DOLLAR);
    const lots = Math.floor(entry / startPx);
    starts.set(base, { total: lots * weiOfLot(base) + random.int(weiOfLot(base)), entry });
  }
  return starts;
}

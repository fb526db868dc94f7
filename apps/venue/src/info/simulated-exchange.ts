import { formatUnits } from '@l4desk/decimal';
import type { Address, FullOrder, HistoricalOrder, Side } from '@l4desk/protocol';
import type { CoinEngine } from '../engine/coin-engine.ts';
import { HISTORY_MAX, type HistoryEntry, type Order } from '../engine/order.ts';
import { seededRandom } from '../engine/random.ts';
import type { CoinListing } from '../market/catalogue.ts';
import { DELISTED } from '../market/delisted.ts';
import { formatRate } from '../market/funding.ts';
import type { SimulatedMarket } from '../market/simulated-market.ts';
import { SPOT_PAIRS, SPOT_TOKENS } from '../market/spot-catalogue.ts';
import { cloidText, toL4Order } from '../market/wire.ts';
import { NO_PERP_ACCOUNT, type PerpAccount } from '../wallets/perp-accounts.ts';
import type { SpotBalance } from '../wallets/spot-balances.ts';
import type { Wallet, WalletRole } from '../wallets/wallet.ts';
import type { Exchange, FundingHours, FundingPayment, MarketView } from './exchange.ts';
import { toUserFill } from './user-fill.ts';
import { countOrders, type WalletEntry } from './wallet-list.ts';

/** Roles whose spot response contains the amounts available after margin, as for an account with unified margin. */
const UNIFIED: ReadonlySet<WalletRole> = new Set(['maker', 'spot', 'archive']);

/** The info API's view of the simulated market. */
export class SimulatedExchange implements Exchange {
  readonly coins: readonly CoinListing[];
  readonly delisted = DELISTED;
  readonly spotPairs = SPOT_PAIRS;
  readonly spotTokens = SPOT_TOKENS;
  readonly #market: SimulatedMarket;
  readonly #listed: ReadonlyMap<string, { readonly engine: CoinEngine; readonly day: DayBefore }>;

  constructor(market: SimulatedMarket) {
    this.#market = market;
    this.coins = Array.from(market.coins.values(), ({ listing }) => listing);
    const engines = [...Array.from(market.coins.values(), ({ engine }) => engine), ...market.spot.engines.values()];
    this.#listed = new Map(engines.map((engine) => [engine.name, { engine, day: dayBefore(engine) }]));
  }

  get time(): number {
    return this.#market.time;
  }

  market(name: string): MarketView | null {
    const listed = this.#listed.get(name);
    return listed === undefined ? null : viewOf(listed.engine, listed.day);
  }

  openOrders(user: Address): readonly FullOrder[] {
    return this.#open(user).map((order) => toFullOrder(order, order.lots));
  }

  /** The entries in the ring, plus an `open` for every open order that is not among them. */
  history(user: Address): readonly HistoricalOrder[] {
    const wallet = this.#wallet(user);
    if (wallet === undefined) return [];
    const kept = [...wallet.history.newestFirst()];
    const listed = new Set(kept.filter(({ status }) => status === 'open').map(({ order }) => order.oid));
    const older = [...wallet.open]
      .filter(({ oid }) => !listed.has(oid))
      .map((order) => openEntry(order, order.origLots));
    const entries = older.length === 0 ? kept : [...kept, ...older].sort((a, b) => b.time - a.time);
    return entries.slice(0, HISTORY_MAX).map(toHistoricalOrder);
  }

  fills(user: Address) {
    return [...(this.#wallet(user)?.fills.newestFirst() ?? [])].map((fill) => toUserFill(fill));
  }

  findOrder(user: Address, id: number | string): HistoricalOrder | null {
    const wallet = this.#wallet(user);
    if (wallet === undefined) return null;
    const isWanted = ({ oid, cloid }: Order) => (typeof id === 'number' ? oid === id : cloidText(cloid) === id);
    const open = [...wallet.open].findLast(isWanted);
    if (open !== undefined) return toHistoricalOrder(openEntry(open, open.lots));
    for (const entry of wallet.history.newestFirst()) if (isWanted(entry.order)) return toHistoricalOrder(entry);
    return null;
  }

  spotBalances(user: Address): readonly SpotBalance[] {
    const wallet = this.#wallet(user);
    return wallet === undefined ? [] : this.#market.spot.balances.of(wallet);
  }

  /** The second and third wallets of the role `wall` are sub-accounts of the first. */
  masterOf(user: Address): Address | null {
    const [master, ...subAccounts] = this.#market.wallets.of('wall').slice(0, 3);
    return master !== undefined && subAccounts.some(({ address }) => address === user) ? master.address : null;
  }

  availableAfterMaintenance(user: Address) {
    const wallet = this.#wallet(user);
    if (wallet === undefined || !UNIFIED.has(wallet.role)) return null;
    const free = this.#market.spot.balances
      .of(wallet)
      .filter(({ total, hold }) => total > hold)
      .map(({ token, total, hold }) => [token.index, formatUnits(total - hold, token.weiDecimals, 1)] as const);
    return free.length === 0 ? null : free;
  }

  perpAccount(user: Address, dex: string): PerpAccount {
    const wallet = this.#wallet(user);
    return wallet === undefined ? NO_PERP_ACCOUNT : this.#market.perpAccounts.of(wallet, dex);
  }

  funding(coin: string): FundingHours | null {
    return this.#market.funding.get(coin) ?? this.#market.delistedFunding.get(coin) ?? null;
  }

  userFunding(user: Address): readonly FundingPayment[] {
    const wallet = this.#wallet(user);
    if (wallet === undefined) return [];
    return this.#market.fundingLedger.paymentsOf(wallet).map(({ coin, time, lots, rate, amount }) => ({
      time,
      coin: coin.name,
      usdc: coin.scale.money(amount),
      szi: coin.scale.size(lots),
      fundingRate: formatRate(rate),
    }));
  }

  wallets(): readonly WalletEntry[] {
    return this.#market.wallets.all.map(({ address, name, role, open, history }) => ({
      address,
      name,
      role,
      ...countOrders(open),
      history: history.size,
    }));
  }

  #wallet(user: Address): Wallet | undefined {
    return this.#market.wallets.at(user);
  }

  /** Newest first. */
  #open(user: Address): readonly Order[] {
    const orders = [...(this.#wallet(user)?.open ?? [])];
    return orders.sort((a, b) => b.timestamp - a.timestamp || b.oid - a.oid);
  }
}

function openEntry(order: Order, lots: number): HistoryEntry {
  return { status: 'open', order, lots, time: order.timestamp };
}

/** The simulated day before the start: a price up to 2 percent away, and some million dollars of volume. */
interface DayBefore {
  readonly px: number;
  readonly lots: number;
}

function dayBefore({ name, scale, mark }: CoinEngine): DayBefore {
  const chance = seededRandom(`day/${name}`);
  const px = scale.snap(Math.floor((mark * chance.between(9_800, 10_200)) / 10_000), 'down');
  return { px, lots: Math.floor((chance.between(2_000_000, 60_000_000) * 10 ** scale.decimals) / px) };
}

function viewOf(engine: CoinEngine, day: DayBefore): MarketView {
  const { name, scale, mark, volume } = engine;
  return {
    name,
    scale,
    mark,
    prevDayPx: day.px,
    volume: { lots: day.lots + volume.lots, notional: day.lots * day.px + volume.notional },
    openInterest: engine.positions.openInterest,
    depth: (side: Side) => engine.sideOf(side).levels(),
  };
}

/** An order with every field that the info API shows, in the exchange's field order. `lots` is the number of lots left. */
function toFullOrder(order: Order, lots: number): FullOrder {
  const wire = toL4Order(order, lots, false);
  // Field by field: thousands are created at once, and spreading an object costs more than everything else.
  return {
    coin: wire.coin,
    side: wire.side,
    limitPx: wire.limitPx,
    sz: wire.sz,
    oid: wire.oid,
    timestamp: wire.timestamp,
    triggerCondition: wire.triggerCondition,
    isTrigger: wire.isTrigger,
    triggerPx: wire.triggerPx,
    children: order.children.map((child) => toFullOrder(child, child.origLots)),
    isPositionTpsl: wire.isPositionTpsl,
    reduceOnly: wire.reduceOnly,
    orderType: wire.orderType,
    origSz: lots === order.origLots ? wire.sz : order.market.scale.size(order.origLots),
    tif: wire.tif,
    cloid: wire.cloid,
  };
}

function toHistoricalOrder({ order, lots, status, time }: HistoryEntry): HistoricalOrder {
  return { order: toFullOrder(order, lots), status, statusTimestamp: time };
}

import { add, compare, divide, multiply, subtract, sum } from '@l4desk/decimal';
import { type Address, type DecimalString, decimalOf, isObject, type PerpAccountSlot } from '@l4desk/protocol';
import type { MetaAndAssetCtxs, SpotMetaAndAssetCtxs } from '@l4desk/protocol/upstream';
import { perpsOf } from '../../api/perps.ts';
import { counted, grouped, percentText } from '../../ui/format.ts';
import { groupBy } from '../../ui/group-by.ts';
import type { WalletEntry } from '../balances/sums.ts';
import { plainWallet } from '../wallet.ts';

/** USDC by token index: 1 for USDC itself, otherwise the mid of its pair with USDC; undefined for a pair without a mid. */
export type SpotPrices = ReadonlyMap<number, DecimalString | undefined>;

const USDC = 0;

const ONE = '1';

export function spotPrices([{ universe }, markets]: SpotMetaAndAssetCtxs): SpotPrices {
  const mids = new Map(markets.map(({ coin, midPx }) => [coin, midPx ?? undefined]));
  const prices = new Map<number, DecimalString | undefined>([[USDC, ONE]]);
  for (const { name, tokens: pair } of universe) {
    const [base, quote] = pair;
    if (base !== undefined && quote === USDC && prices.get(base) === undefined) prices.set(base, mids.get(name));
  }
  return prices;
}

/** An open perp position as reported; what the exchange does not report as a number is undefined. */
export interface Position {
  /** With the prefix of its builder dex. */
  readonly coin: string;
  /** Negative if short. */
  readonly szi: DecimalString;
  readonly entryPx: DecimalString | undefined;
  readonly value: DecimalString | undefined;
  readonly pnl: DecimalString | undefined;
  /** Undefined also if no price liquidates it. */
  readonly liquidationPx: DecimalString | undefined;
  readonly margin: DecimalString | undefined;
  /** Funding paid since the position was opened; negative if it earned more. */
  readonly fundingPaid: DecimalString | undefined;
  /** `20x cross`. */
  readonly leverage: string;
}

const isZero = (amount: DecimalString) => !/[1-9]/.test(amount);

/** The perp account of a wallet on one dex. Its amounts are in the collateral token of the dex until `inUsdc` converts them. */
export interface PerpAccount {
  readonly equity: DecimalString | undefined;
  readonly notional: DecimalString | undefined;
  readonly margin: DecimalString | undefined;
  readonly positions: readonly Position[];
}

export function perpAccountOf({ marginSummary, assetPositions }: PerpAccountSlot): PerpAccount {
  return {
    equity: decimalOf(marginSummary.accountValue),
    notional: decimalOf(marginSummary.totalNtlPos),
    margin: decimalOf(marginSummary.totalMarginUsed),
    positions: assetPositions.flatMap(({ position }) => {
      const szi = decimalOf(position.szi);
      // A closed position may stay listed, with size zero.
      if (szi === undefined || isZero(szi)) return [];
      return [
        {
          coin: position.coin,
          szi,
          entryPx: decimalOf(position.entryPx),
          value: decimalOf(position.positionValue),
          pnl: decimalOf(position.unrealizedPnl),
          liquidationPx: decimalOf(position.liquidationPx),
          margin: decimalOf(position.marginUsed),
          fundingPaid: isObject(position.cumFunding) ? decimalOf(position.cumFunding.sinceOpen) : undefined,
          leverage: leverageText(position.leverage),
        },
      ];
    }),
  };
}

function leverageText(leverage: unknown): string {
  if (!isObject(leverage) || typeof leverage.value !== 'number') return '';
  return `${leverage.value}x${typeof leverage.type === 'string' ? ` ${leverage.type}` : ''}`;
}

/** The account in USDC at the price of the collateral token. Without a price its amounts are unknown, but for zero. */
function inUsdc(account: PerpAccount, price: DecimalString | undefined): PerpAccount {
  if (price === ONE) return account;
  const worth = (amount: DecimalString | undefined) =>
    amount === undefined || isZero(amount) ? amount : price && multiply(amount, price);
  const { equity, notional, margin, positions } = account;
  return {
    equity: worth(equity),
    notional: worth(notional),
    margin: worth(margin),
    positions: positions.map((position) => {
      const { value, pnl, margin: used, fundingPaid } = position;
      return {
        ...position,
        value: worth(value),
        pnl: worth(pnl),
        margin: worth(used),
        fundingPaid: worth(fundingPaid),
      };
    }),
  };
}

/** The token in which a dex keeps its accounts. Some exchanges do not report it: those know USDC only. */
export function collateralOf([meta]: MetaAndAssetCtxs): number {
  const token = meta['collateralToken'];
  return typeof token === 'number' ? token : USDC;
}

/** The mark price of each coin of the loaded dexes. */
export function marksOf(loaded: readonly MetaAndAssetCtxs[]): ReadonlyMap<string, DecimalString> {
  return new Map(loaded.flatMap(perpsOf).map(({ name, market }) => [name, market.markPx]));
}

/**
 * Whether the equity of perps is beside the spot balances, or in them (unified and portfolio-margin accounts, D75). `unknown`: not
 * loaded yet. `mixed`: not the same for all accounts under a master.
 */
type AccountMode = 'separate' | 'unifiedAccount' | 'portfolioMargin' | 'unknown' | 'mixed';

/** Only accounts that report an amount after maintenance may be unified: the mode of others need not be asked for. */
export function mayBeUnified({ reading }: WalletEntry): boolean {
  return (reading?.state.tokenToAvailableAfterMaintenance?.length ?? 0) > 0;
}

function modeOf(entry: WalletEntry, abstraction: string | undefined): AccountMode {
  if (!mayBeUnified(entry)) return 'separate';
  if (abstraction === undefined) return 'unknown';
  return abstraction === 'unifiedAccount' || abstraction === 'portfolioMargin' ? abstraction : 'separate';
}

/** Exact sums in USDC of what has a price, of one wallet or of several. */
interface WorthFigures {
  readonly total: DecimalString;
  readonly spot: DecimalString;
  readonly pnl: DecimalString;
  readonly margin: DecimalString;
  /** What is not in the total: `PURR: no USDC pair`, `perps of xyz: failed`. Empty if it is whole. */
  readonly missing: readonly string[];
  /** Whether something is missing in the spot sum, and in the figures of perps. */
  readonly isSpotPartial: boolean;
  readonly isPerpsPartial: boolean;
  /** Whether the equity that is beside the spot balances is not whole: also if the account mode is unknown. */
  readonly isEquityPartial: boolean;
}

/** What a wallet is worth in USDC. */
export interface Worth extends WorthFigures {
  readonly entry: WalletEntry;
  readonly mode: AccountMode;
  /** Equity over all loaded dexes; it is in the total if the mode is `separate`. Undefined if none was loaded. */
  readonly equity: DecimalString | undefined;
  readonly notional: DecimalString;
  readonly positions: readonly Position[];
  /** The accounts whose sum it is: a master and its sub-accounts. */
  readonly accounts?: readonly Worth[];
}

export interface WorthFacts {
  /** Undefined until they are loaded. */
  readonly prices: SpotPrices | undefined;
  /** By dex; a wallet that failed has no account. */
  readonly accounts: ReadonlyMap<string, ReadonlyMap<Address, PerpAccount> | undefined>;
  readonly abstractions: ReadonlyMap<Address, string>;
  /** The collateral token of each builder dex whose markets are loaded. The canonical dex has USDC. */
  readonly collaterals: ReadonlyMap<string, number>;
}

export function worthOf(entry: WalletEntry, { prices, accounts, abstractions, collaterals }: WorthFacts): Worth {
  const { address } = entry.wallet;
  const missing: string[] = [];
  const values: DecimalString[] = [];
  const amounts = entry.isCounted ? entry.reading?.amounts : undefined;
  if (amounts === undefined) missing.push(`spot balances: ${entry.state.text}`);
  else if (prices === undefined) missing.push('spot balances: prices not loaded');
  else {
    for (const { token, coin, total } of amounts.values()) {
      const name = coin ?? `token ${token}`;
      if (total === undefined) {
        // An amount that is only available after maintenance is no balance of its own.
        if (coin !== undefined) missing.push(`${name}: no total reported`);
        continue;
      }
      if (isZero(total)) continue;
      const price = token === undefined ? undefined : prices.get(token);
      if (price !== undefined) values.push(multiply(total, price));
      else missing.push(`${name}: ${token !== undefined && prices.has(token) ? 'no mid' : 'no USDC pair'}`);
    }
  }
  const missingSpot = missing.length;
  const mode = modeOf(entry, abstractions.get(address));
  const own: PerpAccount[] = [];
  for (const [dex, byWallet] of accounts) {
    const account = byWallet?.get(address);
    const token = dex === '' ? USDC : collaterals.get(dex);
    const price = token === USDC ? ONE : token === undefined ? undefined : prices?.get(token);
    if (account !== undefined) own.push(inUsdc(account, price));
    if (byWallet === undefined) missing.push(`${dexText(dex)}: not loaded`);
    else if (account?.equity === undefined) missing.push(`${dexText(dex)}: failed`);
    else if (price === undefined && (account.positions.length > 0 || !isZero(account.equity)))
      missing.push(`${dexText(dex)}: ${noPriceText(token, prices)}`);
  }
  const equities = own.flatMap(({ equity }) => equity ?? []);
  const equity = equities.length === 0 ? undefined : sum(equities);
  const isPerpsPartial = missing.length > missingSpot;
  const hasEquity = equity !== undefined && !isZero(equity);
  if (mode === 'unknown' && hasEquity) missing.push('perp equity: account mode not loaded');
  const spot = sum(values);
  const positions = own.flatMap((account) => account.positions);
  return {
    entry,
    mode,
    spot,
    equity,
    total: mode === 'separate' && equity !== undefined ? add(spot, equity) : spot,
    pnl: sum(positions.flatMap(({ pnl }) => pnl ?? [])),
    margin: sum(own.flatMap(({ margin }) => margin ?? [])),
    notional: sum(own.flatMap(({ notional }) => notional ?? [])),
    positions,
    missing,
    isSpotPartial: missingSpot > 0,
    isPerpsPartial,
    isEquityPartial: missing.length > missingSpot,
  };
}

/** Why amounts in the collateral token of a dex have no worth. */
function noPriceText(token: number | undefined, prices: SpotPrices | undefined): string {
  if (token === undefined) return 'markets not loaded';
  return prices === undefined ? 'prices not loaded' : 'no USDC price of their collateral';
}

function dexText(dex: string): string {
  return dex === '' ? 'perps' : `perps of ${dex}`;
}

/** The notional of the positions over the equity, two decimals; undefined without equity above zero. */
export function leverageOf({ notional, equity }: Worth): DecimalString | undefined {
  return equity === undefined || compare(equity, '0') <= 0 ? undefined : divide(notional, equity, 2);
}

/** `3.20x`; `?` if its perps are not all known, undefined without equity. */
export function accountLeverageText(worth: Worth): string | undefined {
  if (worth.isPerpsPartial) return '?';
  const leverage = leverageOf(worth);
  return leverage && `${grouped(leverage)}x`;
}

function figuresOf(worths: readonly Worth[]): Omit<WorthFigures, 'missing'> {
  return {
    total: sum(worths.map(({ total }) => total)),
    spot: sum(worths.map(({ spot }) => spot)),
    pnl: sum(worths.map(({ pnl }) => pnl)),
    margin: sum(worths.map(({ margin }) => margin)),
    isSpotPartial: worths.some(({ isSpotPartial }) => isSpotPartial),
    isPerpsPartial: worths.some(({ isPerpsPartial }) => isPerpsPartial),
    isEquityPartial: worths.some(({ isEquityPartial }) => isEquityPartial),
  };
}

/** Worths with those of sub-accounts rolled up under their master, if several accounts of one are among them. */
export function rolledUp(worths: readonly Worth[], masterOf: (user: Address) => Address): readonly Worth[] {
  return [...groupBy(worths, ({ entry }) => masterOf(entry.wallet.address))].flatMap(([master, accounts]) => {
    const [first] = accounts;
    if (first === undefined || accounts.length === 1) return accounts;
    const own = accounts.find(({ entry }) => entry.wallet.address === master)?.entry;
    const state = (accounts.find(({ entry }) => entry.state.kind !== 'ok') ?? first).entry.state;
    const equities = accounts.flatMap(({ equity }) => equity ?? []);
    return {
      ...figuresOf(accounts),
      entry: { ...(own ?? { ...first.entry, wallet: plainWallet(master) }), state },
      mode: accounts.every(({ mode }) => mode === first.mode) ? first.mode : 'mixed',
      equity: equities.length === accounts.length ? sum(equities) : undefined,
      notional: sum(accounts.map(({ notional }) => notional)),
      positions: accounts.flatMap(({ positions }) => positions),
      missing: [...new Set(accounts.flatMap(({ missing }) => missing))],
      accounts,
    };
  });
}

/** The sums over wallets; what is missing has the number of wallets it concerns. */
export interface WorthSum extends WorthFigures {
  /** The equity that is not in spot balances. */
  readonly perps: DecimalString;
}

export function worthSum(worths: readonly Worth[]): WorthSum {
  const reasons = groupBy(
    worths.flatMap(({ missing }) => missing),
    (reason) => reason,
  );
  return {
    ...figuresOf(worths),
    perps: sum(worths.flatMap(({ mode, equity }) => (mode === 'separate' ? (equity ?? []) : []))),
    missing: [...reasons].map(([reason, { length }]) => `${reason} (${counted(length, 'wallet')})`),
  };
}

/** A position of a wallet, with the mark of its coin. */
export interface PositionRow {
  readonly key: string;
  readonly entry: Worth['entry'];
  readonly position: Position;
  readonly mark: DecimalString | undefined;
  /** How far the mark is from the liquidation price, as a fraction of the mark; undefined without one of the two. */
  readonly distance: DecimalString | undefined;
}

interface Positions {
  readonly worths: readonly Worth[];
  readonly marks: { readonly of: ReadonlyMap<string, DecimalString> };
}

export function positionRows({ worths, marks }: Positions): readonly PositionRow[] {
  return worths.flatMap(({ entry, positions }) =>
    positions.map((position): PositionRow => {
      const { coin, liquidationPx } = position;
      const mark = marks.of.get(coin);
      const away = mark === undefined || liquidationPx === undefined ? undefined : subtract(mark, liquidationPx);
      const distance = away && mark && divide(away.replace('-', '') as DecimalString, mark, 4);
      return { key: `${entry.wallet.address} ${coin}`, entry, position, mark, distance };
    }),
  );
}

/** A position that may be liquidated, at a mark that is not known. */
export const isUnwatched = ({ position, distance }: PositionRow) =>
  position.liquidationPx !== undefined && distance === undefined;

/** The position nearest to liquidation, of those at known marks. */
export interface Nearest {
  readonly row: PositionRow | undefined;
  /** Whether one at a mark that is not known may be nearer. */
  readonly isPartial: boolean;
}

export function nearestToLiquidation(rows: readonly PositionRow[]): Nearest {
  const watched = rows.filter(({ distance }) => distance !== undefined);
  return {
    row: watched.toSorted((a, b) => compare(a.distance ?? '0', b.distance ?? '0'))[0],
    isPartial: rows.some(isUnwatched),
  };
}

/** Beyond ten times the mark the digits of a distance say nothing. */
function isBeyond(distance: DecimalString): boolean {
  return compare(distance, '10') > 0;
}

/** A distance as percent, to two decimals. */
export function awayText(distance: DecimalString): string {
  return isBeyond(distance) ? '> 1,000 %' : percentText(distance);
}

/** A mark less than this fraction of itself from liquidation is near. */
export const NEAR: DecimalString = '0.1';

export function isNear(distance: DecimalString): boolean {
  return compare(distance, NEAR) < 0;
}

/** The least distance of several positions: at most that if it is partial, when a long one says nothing. Undefined without one. */
export function nearestText(distance: DecimalString | undefined, isPartial: boolean): string | undefined {
  if (isPartial && (distance === undefined || isBeyond(distance))) return '?';
  return distance && `${isNear(distance) ? '! ' : ''}${isPartial ? '≤ ' : ''}${awayText(distance)}`;
}

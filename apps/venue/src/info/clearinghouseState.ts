import { formatUnits } from '@l4desk/decimal';
import { type DecimalString, z } from '@l4desk/protocol';
import { dexesOf } from '../market/catalogue.ts';
import type { OpenPosition } from '../wallets/perp-accounts.ts';
import { dex, user } from './fields.ts';
import { infoKind } from './kind.ts';

/** Money is in millionths of a dollar. */
const MONEY_DECIMALS = 6;

const RETURN_DECIMALS = 10;

/** A wallet's perp account on one dex. */
export const clearinghouseState = infoKind({
  type: 'clearinghouseState',
  weight: 2,
  request: z.object({ user, dex }),
  respond(asked, exchange) {
    if (asked.dex !== '' && !dexesOf(exchange.coins).includes(asked.dex)) return undefined;
    const { cash, positions } = exchange.perpAccount(asked.user, asked.dex);
    const total = (of: (position: OpenPosition) => number) => positions.reduce((sum, each) => sum + of(each), 0);
    const accountValue = cash + total(signedValue);
    const marginUsed = total(marginOf);
    const maintenance = total(maintenanceOf);
    const summary = {
      accountValue: money(accountValue),
      totalNtlPos: money(total(valueOf)),
      totalRawUsd: money(cash),
      totalMarginUsed: money(marginUsed),
    };
    return {
      marginSummary: summary,
      crossMarginSummary: summary,
      crossMaintenanceMarginUsed: money(maintenance),
      withdrawable: money(Math.max(accountValue - marginUsed, 0)),
      assetPositions: positions.map((position) => ({
        type: 'oneWay',
        position: describe(position, accountValue - maintenance),
      })),
      time: exchange.time,
    };
  },
});

function describe(position: OpenPosition, spare: number) {
  const { coin, engine, lots, entry, leverage, fundingPaid } = position;
  const { scale } = engine;
  const pnl = signedValue(position) - Math.sign(lots) * entry;
  const paid = money(fundingPaid);
  return {
    coin: coin.name,
    szi: scale.size(lots),
    leverage: { type: 'cross', value: leverage },
    entryPx: formatUnits(perLot(entry * 10, lots), scale.pxDecimals + 1, 1),
    positionValue: money(valueOf(position)),
    unrealizedPnl: money(pnl),
    returnOnEquity: returnOf(pnl, entry, leverage),
    liquidationPx: liquidationPx(position, spare),
    marginUsed: money(marginOf(position)),
    maxLeverage: coin.maxLeverage,
    cumFunding: { allTime: paid, sinceOpen: paid, sinceChange: paid },
  };
}

function money(millionths: number): DecimalString {
  return formatUnits(millionths, MONEY_DECIMALS, 1);
}

function signedValue({ engine, lots }: OpenPosition): number {
  return lots * engine.mark;
}

function valueOf(position: OpenPosition): number {
  return Math.abs(signedValue(position));
}

function marginOf(position: OpenPosition): number {
  return Math.floor(valueOf(position) / position.leverage);
}

/** Half the initial margin at the coin's maximum leverage. */
function maintenanceOf(position: OpenPosition): number {
  return Math.floor(valueOf(position) / (2 * position.coin.maxLeverage));
}

/** Rounded to the nearest integer. */
function perLot(amount: number, lots: number): number {
  const held = Math.abs(lots);
  return Math.floor((amount + held / 2) / held);
}

/** Profit divided by the initial margin, as a fraction. */
function returnOf(pnl: number, entry: number, leverage: number): DecimalString {
  if (entry === 0) return '0.0';
  const scaled = (BigInt(pnl) * BigInt(leverage) * 10n ** BigInt(RETURN_DECIMALS)) / BigInt(entry);
  return formatUnits(scaled, RETURN_DECIMALS, 1);
}

/** The price at which this position alone would use up the account's spare value; null if that price is not above zero. */
function liquidationPx({ coin, engine, lots }: OpenPosition, spare: number): DecimalString | null {
  const steps = 2 * coin.maxLeverage;
  // Maintenance margin falls with the price for a long and rises with it for a short.
  const share = lots > 0 ? steps - 1 : steps + 1;
  const distance = Math.floor((perLot(Math.max(spare, 0), lots) * steps) / share);
  const px = lots > 0 ? engine.mark - distance : engine.mark + distance;
  return px > 0 ? engine.scale.price(px) : null;
}

import type { Address, DecimalString } from '@l4desk/protocol';
import { orderRows } from '../order-rows.ts';
import type { OrderCall, OrderEntry, ReportedOrder } from '../reported-order.ts';

export const WALLET: Address = '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5';

/** An order as reported by the history. */
export function order(fields: Partial<ReportedOrder> = {}): ReportedOrder {
  return {
    coin: 'BTC',
    side: 'B',
    limitPx: '81307.0',
    sz: '0.30747',
    origSz: '0.30747',
    oid: 412_036_241_776,
    timestamp: 1_778_002_736_649,
    triggerCondition: 'N/A',
    isTrigger: false,
    triggerPx: '0.0',
    children: [],
    isPositionTpsl: false,
    reduceOnly: false,
    orderType: 'Limit',
    tif: 'Alo',
    cloid: '0x0e814d2ad8819d09b6716fe45d38bfd2',
    ...fields,
  };
}

export function entry(status: string, fields: Partial<ReportedOrder> = {}, after = 1_000): OrderEntry {
  const told = order(fields);
  return { order: told, status, statusTimestamp: (told.timestamp ?? 0) + after };
}

/** The rows of a response. */
export function rowsOf(entries: readonly OrderEntry[], call: OrderCall = 'historicalOrders', address = WALLET) {
  return orderRows({ address, call, dex: '' }, entries);
}

const STATUSES = ['open', 'filled', 'canceled', 'badAloPxRejected', 'reduceOnlyCanceled', 'someNewStatus'] as const;
const COINS = ['BTC', 'ETH', 'SOL', 'HYPE', 'kPEPE', '@107', 'xyz:GOLD'] as const;

/** A generated history, deterministic for a seed. */
export function generatedEntries(count: number, seed: number): OrderEntry[] {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  const random = (below: number) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
  const decimal = (below: number, decimals: number) =>
    `${random(below)}.${String(random(10 ** decimals)).padStart(decimals, '0')}` as DecimalString;
  return Array.from({ length: count }, (_, at) => {
    const status = STATUSES[random(STATUSES.length)] ?? 'open';
    const origSz = decimal(900, 4);
    const sz = status === 'filled' ? '0.0' : random(4) === 0 ? decimal(900, 4) : origSz;
    return entry(
      status,
      {
        coin: COINS[random(COINS.length)] ?? 'BTC',
        side: random(2) === 0 ? 'B' : 'A',
        limitPx: decimal(90_000, 1 + random(3)),
        sz,
        origSz,
        oid: 398_000_000_000 + random(200_000_000),
        timestamp: 1_778_000_000_000 - at * 40_000 - random(10_000),
        orderType: random(5) === 0 ? 'Stop Market' : 'Limit',
        tif: random(5) === 0 ? null : 'Gtc',
        reduceOnly: random(3) === 0,
        cloid:
          random(2) === 0
            ? null
            : `0x${random(2 ** 31)
                .toString(16)
                .padStart(32, '0')}`,
      },
      random(3_000_000),
    );
  });
}

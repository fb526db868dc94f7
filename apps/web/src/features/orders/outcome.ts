import { compare, divide, multiply, subtract } from '@l4desk/decimal';
import { type DecimalString, type KnownOrderStatus, ORDER_STATUSES } from '@l4desk/protocol';
import { flagOf, type OrderCall, type OrderEntry } from './reported-order.ts';

/** The outcome of an order, as far as its status and its two sizes say. */
export const OUTCOMES = [
  'resting',
  'partly reduced',
  'waiting',
  'triggered',
  'filled',
  'partly filled, then canceled',
  'canceled',
  'partly filled, then rejected',
  'rejected',
  'earlier entry',
  'not derived',
] as const;

export type OutcomeKind = (typeof OUTCOMES)[number];

/** How much of an order is no longer open: per the specification, `sz` is what remains of `origSz`. */
export type Gone = 'nothing' | 'part' | 'all' | 'unknown';

/** Statuses that end an order early. `sz` is then what remained: 0.18385 of 0.30747 in the recorded data. */
const CANCELED: ReadonlySet<string> = new Set<KnownOrderStatus>(
  ORDER_STATUSES.filter((status) => /[cC]ancel(?:ed)?$/.test(status)),
);
const REJECTED: ReadonlySet<string> = new Set<KnownOrderStatus>(
  ORDER_STATUSES.filter((status) => /[rR]ejected$/.test(status)),
);

/** The phase of an order's life that a status belongs to; `other` for an unknown status. */
export type Phase = 'open' | 'triggered' | 'filled' | 'canceled' | 'rejected' | 'other';

export function phaseOf(status: string): Phase {
  if (status === 'open' || status === 'triggered' || status === 'filled') return status;
  if (CANCELED.has(status)) return 'canceled';
  return REJECTED.has(status) ? 'rejected' : 'other';
}

/** Whether an order with this status can no longer change. */
export const isFinal = (phase: Phase) => phase === 'filled' || phase === 'canceled' || phase === 'rejected';

const ZERO = /^-?0+(?:\.0+)?$/;

/**
 * Unknown if the sizes say nothing: an order whose size follows the position is reported with `origSz` 0.0, and a `sz` above
 * `origSz` occurs in recorded data.
 */
export function goneOf(sz: DecimalString | undefined, origSz: DecimalString | undefined): Gone {
  if (sz === undefined || origSz === undefined) return 'unknown';
  if (ZERO.test(origSz)) return 'unknown';
  if (sz === origSz) return 'nothing';
  if (ZERO.test(sz)) return 'all';
  if (sz.startsWith('-') || origSz.startsWith('-')) return 'unknown';
  const order = compare(sz, origSz);
  return order === 0 ? 'nothing' : order < 0 ? 'part' : 'unknown';
}

export function outcomeKind(call: OrderCall, entry: OrderEntry): OutcomeKind {
  const { order, status } = entry;
  const gone = goneOf(order.sz, order.origSz);
  const phase = status === undefined ? (call === 'historicalOrders' ? 'other' : 'open') : phaseOf(status);
  switch (phase) {
    case 'open':
      if (flagOf(order, 'isTrigger') === true) return 'waiting';
      return gone === 'part' ? 'partly reduced' : gone === 'nothing' ? 'resting' : 'not derived';
    case 'triggered':
      return 'triggered';
    case 'filled':
      return gone === 'all' ? 'filled' : 'not derived';
    case 'canceled':
      if (gone === 'part') return 'partly filled, then canceled';
      // Nothing was left and yet it was canceled: the two contradict each other, so no outcome is derived.
      return gone === 'all' ? 'not derived' : 'canceled';
    case 'rejected':
      if (gone === 'part') return 'partly filled, then rejected';
      return gone === 'all' ? 'not derived' : 'rejected';
    case 'other':
      return 'not derived';
  }
}

/**
 * The outcome as text. The exchange shrinks a reduce-only order when its position shrinks (138 of the 143 shrunken orders of a
 * recorded book are reduce-only), so the text does not claim that such an order was filled. `later` is the order's last entry,
 * if that is another entry.
 */
export function outcomeText(call: OrderCall, entry: OrderEntry, later?: OrderEntry): string {
  if (later !== undefined) return `later: ${later.status}`;
  const { order } = entry;
  const share = shareText(order.sz, order.origSz);
  const partly = flagOf(order, 'reduceOnly') === true ? 'partly filled or cut' : 'partly filled';
  const isWhole = goneOf(order.sz, order.origSz) === 'nothing';
  const kind = outcomeKind(call, entry);
  const texts: Readonly<Partial<Record<OutcomeKind, string>>> = {
    resting: 'resting, nothing filled',
    'partly reduced': `resting, ${partly} (${share})`,
    waiting: 'waiting for its trigger',
    'partly filled, then canceled': `${partly}, then canceled (${share})`,
    'partly filled, then rejected': `${partly}, then rejected (${share})`,
    canceled: isWhole ? 'canceled, nothing filled' : 'canceled',
    rejected: isWhole ? 'rejected, nothing filled' : 'rejected',
    'not derived': '',
  };
  return texts[kind] ?? kind;
}

/** The part of `origSz` that is no longer open, in base units, exact. Undefined if the sizes do not say. */
export function goneSize(sz: DecimalString | undefined, origSz: DecimalString | undefined): DecimalString | undefined {
  if (sz === undefined || origSz === undefined || goneOf(sz, origSz) === 'unknown') return undefined;
  return subtract(origSz, sz);
}

/** The closed share in percent with one decimal; a part is never shown as nothing or all. Empty if the sizes do not say. */
export function shareText(sz: DecimalString | undefined, origSz: DecimalString | undefined): string {
  const gone = goneOf(sz, origSz);
  if (sz === undefined || origSz === undefined || gone === 'unknown') return '';
  if (gone === 'nothing') return '0 %';
  if (gone === 'all') return '100 %';
  const text = divide(multiply(subtract(origSz, sz), '100'), origSz, 1);
  return text === '0.0' ? '< 0.1 %' : text === '100.0' ? '> 99.9 %' : `${text} %`;
}

/** Why the exchange ends orders with these statuses, for tooltips and statistics. The other statuses are self-explanatory. */
export const STATUS_REASONS: Readonly<Record<string, string>> = {
  marginCanceled: 'Canceled because of insufficient margin.',
  vaultWithdrawalCanceled: 'Canceled by a vault withdrawal.',
  openInterestCapCanceled: 'Canceled because the coin is at its open interest cap.',
  selfTradeCanceled: 'Canceled because it would have traded with an order of the same wallet.',
  reduceOnlyCanceled: 'Reduce-only, canceled because it would no longer reduce the position.',
  siblingFilledCanceled: 'Canceled because the other leg was filled.',
  delistedCanceled: 'Canceled because the coin was delisted.',
  liquidatedCanceled: 'Canceled by a liquidation.',
  scheduledCancel: 'Canceled by the wallet’s scheduled cancel (dead man’s switch).',
  tickRejected: 'The price is not a multiple of the tick size.',
  minTradeNtlRejected: 'The notional is below the exchange’s minimum.',
  perpMarginRejected: 'Insufficient margin.',
  reduceOnlyRejected: 'Reduce-only, but would not have reduced the position.',
  badAloPxRejected: 'Post-only (Alo), but would have traded immediately.',
  iocCancelRejected: 'Immediate-or-cancel, but there was nothing to match at its price.',
  badTriggerPxRejected: 'The trigger price is invalid at the current market price.',
  marketOrderNoLiquidityRejected: 'Market order with no liquidity to match.',
  insufficientSpotBalanceRejected: 'Insufficient token balance.',
  oracleRejected: 'Too far from the oracle price.',
  perpMaxPositionRejected: 'Exceeds the maximum position at this leverage.',
  tooManyOpenOrdersRejected: 'The wallet is at its open order limit.',
};

/** The words of a status, between which a line may break: `position`, `Flip`, `At`. */
export function statusWords(status: string): readonly string[] {
  return status.split(/(?<=[a-z])(?=[A-Z])/);
}

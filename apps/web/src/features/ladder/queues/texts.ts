import type { QueueLife, QueuePart, WatchedOrder } from '../../../book-worker/panes/queues.ts';
import type { GoneOrder } from '../../../book-worker/worker/places/gone-orders.ts';
import { decimalText, grouped, wholeText } from '../../../ui/format.ts';
import type { Held } from '../held-list.ts';

/** `12 of 58`: 1 is the front. */
export function placeText({ ordersAhead, levelOrders }: WatchedOrder): string {
  return `${wholeText(ordersAhead + 1)} of ${wholeText(levelOrders)}`;
}

/** Why a listed order has its last known values. */
export function absenceText(absence: NonNullable<Held<WatchedOrder>['absence']>): string {
  if (absence === 'gone') return leftText(undefined, true);
  return 'no longer one of the listed orders nearest to the mid; last known values';
}

/** How an order left, as far as known, followed by a note that its last values are shown, if they are. */
export function leftText(left: GoneOrder | undefined, hasValues: boolean): string {
  const note = hasValues ? '; last known values' : '';
  if (left === undefined) return `no longer in the book${note}`;
  const { kind, inferred, height, other } = left;
  const word = `${LEFT[kind] ?? 'gone'}${inferred ? '*' : ''}`;
  const to = other === null ? '' : ` to ${grouped(other.px)}`;
  return `${word}${to} at block ${wholeText(height)}${note}`;
}

const LEFT: Readonly<Partial<Record<GoneOrder['kind'], string>>> = {
  executed: 'executed',
  canceled: 'canceled',
  requotedOut: 'moved',
};

/** One term in the sum of what happened to the queue. */
export interface LifeLine {
  readonly sign: '' | '+' | '−' | '=';
  readonly name: string;
  readonly sz: string;
  /** Number of orders, for terms that count them. */
  readonly orders: string;
}

/** Lines that add up from what was ahead at first to what is still ahead. Rare terms are left out when zero. */
export function lifeLines(life: QueueLife, decimals: number): readonly LifeLine[] {
  const size = (sz: QueuePart['sz']) => decimalText(sz, decimals);
  const part = (sign: LifeLine['sign'], name: string, { orders, sz }: QueuePart): LifeLine => {
    return { sign, name, sz: size(sz), orders: wholeText(orders) };
  };
  const amount = (sign: LifeLine['sign'], name: string, sz: QueuePart['sz']): LifeLine => {
    return { sign, name, sz: size(sz), orders: '' };
  };
  const isThere = ({ sz, orders }: LifeLine) => /[1-9]/.test(sz + orders);
  const rare = [part('+', 'inserted in front', life.insertedAhead), amount('+', 'grown', life.grown)];
  return [
    part('', life.joined ? 'ahead when it joined' : 'ahead when first watched', life.aheadAtFirst),
    ...rare.filter(isThere),
    part('−', life.inferred ? 'executed*' : 'executed', life.executed),
    part('−', 'canceled', life.canceled),
    amount('−', 'shrunk', life.shrunk),
    part('=', 'still ahead', life.ahead),
  ];
}

import type { QueueLife, QueuePart, WatchedOrder } from '../../../book-worker/panes/queues.ts';
import { sizeText, wholeText } from '../../../ui/format.ts';

/** `12 of 58`: 1 is the front. */
export function placeText({ ordersAhead, levelOrders }: WatchedOrder): string {
  return `${wholeText(ordersAhead + 1)} of ${wholeText(levelOrders)}`;
}

/** One addend of what became of the queue. */
export interface LifeLine {
  readonly sign: '' | '+' | '−' | '=';
  readonly name: string;
  readonly sz: string;
  /** Orders, where it counts orders. */
  readonly orders: string;
}

/** What was ahead at first and what became of it, down to what is ahead still: lines that add up; empty ones are left out. */
export function lifeLines(life: QueueLife, decimals: number): readonly LifeLine[] {
  const size = (sz: QueuePart['sz']) => sizeText(sz, decimals);
  const part = (sign: LifeLine['sign'], name: string, { orders, sz }: QueuePart): LifeLine => {
    return { sign, name, sz: size(sz), orders: wholeText(orders) };
  };
  const amount = (sign: LifeLine['sign'], name: string, sz: QueuePart['sz']): LifeLine => {
    return { sign, name, sz: size(sz), orders: '' };
  };
  const isThere = ({ sz, orders }: LifeLine) => /[1-9]/.test(sz + orders);
  const addends = [
    part('+', 'inserted in front', life.insertedAhead),
    amount('+', 'grown', life.grown),
    part('−', 'executed*', life.executed),
    part('−', 'cancelled', life.cancelled),
    amount('−', 'shrunk', life.shrunk),
  ];
  return [
    part('', life.joined ? 'ahead when it joined' : 'ahead when first watched', life.aheadAtFirst),
    ...addends.filter(isThere),
    part('=', 'still ahead', life.ahead),
  ];
}

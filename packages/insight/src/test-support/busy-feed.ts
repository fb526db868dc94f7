import {
  type BookChange,
  type BookLevels,
  type CoinBatch,
  type DecimalString,
  type L4Order,
  type OrderStatus,
  type Side,
  UnreadStatuses,
} from '@l4desk/protocol';
import { Chance, order, orderStatus, wallet } from '@l4desk/testkit';

const EPOCH = '5f2d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2a';
const MID = 80_000;
const BLOCK_MS = 67;
const FIRST_OID = 412_036_241_776;
/** As recorded of BTC: 13 orders a block come, 13 go, of which an eighth are modifies; every fifth block has a partial fill. */
const MOVES = 13;
const SAME_CLOID = 0.125;

/** A book and blocks in the proportions of the recorded BTC, as many as are asked for. The same every time. */
export class BusyFeed {
  readonly start = { height: 1, time: 1_778_002_752_000, epoch: EPOCH, seq: 0 };
  readonly #chance = new Chance(11);
  readonly #resting: L4Order[] = [];
  #nextOid = FIRST_OID;
  #seq = 0;

  constructor(orders: number) {
    for (let count = 0; count < orders; count += 1) this.#resting.push(this.#fresh(3_500));
  }

  levels(): BookLevels {
    const side = (wanted: Side, sign: number) =>
      this.#resting
        .filter((item) => item.side === wanted)
        .sort((a, b) => sign * (Number(a.limitPx) - Number(b.limitPx)) || a.oid - b.oid);
    return JSON.parse(JSON.stringify([side('B', -1), side('A', 1)]));
  }

  block(): CoinBatch {
    const changes: BookChange[] = [];
    const statuses: OrderStatus[] = [];
    for (let move = 0; move < MOVES; move += 1) {
      const at = this.#pick();
      const gone = this.#resting[at] as L4Order;
      const cloid = this.#chance.happens(SAME_CLOID) ? { cloid: gone.cloid, user: gone.user } : {};
      const fresh = { ...this.#fresh(this.#chance.happens(0.7) ? 50 : 3_500), ...cloid };
      this.#resting[at] = this.#resting.at(-1) as L4Order;
      this.#resting[this.#resting.length - 1] = fresh;
      changes.push({ kind: 'remove', ...placeOf(gone) });
      changes.push({ kind: 'insert', ...placeOf(fresh), sz: fresh.sz, insertBefore: null });
      statuses.push(said(gone, 'canceled'), said(fresh, 'open'));
    }
    if (this.#chance.happens(0.2)) {
      const at = this.#pick();
      const filled = this.#resting[at] as L4Order;
      const newSz = this.#size();
      changes.push({ kind: 'resize', ...placeOf(filled), origSz: filled.sz, newSz });
      this.#resting[at] = { ...filled, sz: newSz };
    }
    this.#seq += 1;
    const { height, time } = this.start;
    return {
      coin: 'BTC',
      epoch: EPOCH,
      height: height + this.#seq,
      time: time + this.#seq * BLOCK_MS,
      seq: this.#seq,
      prevSeq: this.#seq - 1,
      changes,
      statuses: new UnreadStatuses(JSON.stringify(statuses), 'order_statuses'),
    };
  }

  /** Mostly a young order, near the best prices. */
  #pick(): number {
    const { length } = this.#resting;
    return this.#chance.happens(0.7)
      ? this.#chance.int(Math.max(0, length - 5_000), length)
      : this.#chance.int(0, length);
  }

  #fresh(reach: number): L4Order {
    const side = this.#chance.pick(['B', 'A'] as const);
    const away = Math.min(MID - 1, Math.floor(-Math.log(1 - this.#chance.next()) * reach));
    this.#nextOid += this.#chance.int(1, 8);
    return order({
      oid: this.#nextOid,
      user: wallet(this.#chance.int(1, 6_200)),
      side,
      limitPx: `${side === 'B' ? MID - away : MID + 1 + away}.0` as DecimalString,
      sz: this.#size(),
      cloid: `0x${this.#nextOid.toString(16).padStart(32, '0')}`,
    });
  }

  #size(): DecimalString {
    return (this.#chance.int(1, 1_000_000) / 100_000).toString() as DecimalString;
  }
}

function placeOf({ oid, user, side, limitPx: px }: L4Order) {
  return { oid, user: user ?? wallet(1), side, px };
}

function said(item: L4Order, status: string): OrderStatus {
  return { ...orderStatus(item, status), user: item.user ?? wallet(1), order: { ...item, user: null } };
}

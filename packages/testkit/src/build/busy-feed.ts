import {
  type BookChange,
  type BookDiff,
  type BookLevels,
  type CoinBatch,
  type DecimalString,
  type L4BookSnapshot,
  type L4Order,
  type OrderStatus,
  type Side,
  UnreadStatuses,
} from '@l4desk/protocol';
import { Chance } from '../chance.ts';
import { order, orderStatus, wallet } from './orders.ts';

const EPOCH = '5f2d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2a';
const COIN = 'BTC';
const MID = 80_000;
const BLOCK_MS = 67;
const FIRST_OID = 412_036_241_776;
/** Rates of the BTC recording: 13 orders come and go a block, some by modify; every fifth has a partial fill. */
const MOVES = 13;
const SAME_CLOID = 0.125;

/** A book and any number of blocks, in the proportions of the BTC recording. The same every time. */
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

  /** The service's response to `l4BookSnapshot`. */
  snapshot(): L4BookSnapshot {
    const { height, time } = this.#now();
    const [bids, asks] = this.levels();
    return { coin: COIN, time, height, epoch: EPOCH, seq: this.#seq, levels: [[...bids], [...asks]] };
  }

  block(): CoinBatch {
    const { changes, statuses } = this.#next();
    return {
      coin: COIN,
      epoch: EPOCH,
      ...this.#now(),
      seq: this.#seq,
      prevSeq: this.#seq - 1,
      changes,
      statuses: new UnreadStatuses(JSON.stringify(statuses), 'order_statuses'),
    };
  }

  /** The next block as the service's message, with what `checksum` returns for it. */
  message(checksum: (batch: CoinBatch) => string | undefined): string {
    const { changes, statuses } = this.#next();
    const { height, time } = this.#now();
    const [seq, prevSeq] = [this.#seq, this.#seq - 1];
    const entry = {
      coin: COIN,
      seq,
      prev_seq: prevSeq,
      order_statuses: statuses,
      book_diffs: changes.map(diffOf),
      checksum: checksum({ coin: COIN, epoch: EPOCH, height, time, seq, prevSeq, changes, statuses }),
    };
    const Updates = { time, block_height: height, epoch: EPOCH, cursor: `${height}:${time}`, book_diffs: [entry] };
    return JSON.stringify({ channel: 'l4BookUpdates', data: { Updates } });
  }

  #now(): { readonly height: number; readonly time: number } {
    const { height, time } = this.start;
    return { height: height + this.#seq, time: time + this.#seq * BLOCK_MS };
  }

  #next(): { readonly changes: readonly BookChange[]; readonly statuses: readonly OrderStatus[] } {
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
    return { changes, statuses };
  }

  /** Picks an order, mostly a recent one, near the best prices. */
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

/** A change in the form of the stream. */
function diffOf(change: BookChange): BookDiff {
  const { user, oid, side, px } = change;
  return { user, oid, side, px, coin: COIN, raw_book_diff: rawDiffOf(change) };
}

function rawDiffOf(change: BookChange): BookDiff['raw_book_diff'] {
  switch (change.kind) {
    case 'insert':
      return { new: { sz: change.sz } };
    case 'resize':
      return { update: { origSz: change.origSz, newSz: change.newSz } };
    case 'remove':
      return 'remove';
  }
}

function said(item: L4Order, status: string): OrderStatus {
  return { ...orderStatus(item, status), user: item.user ?? wallet(1), order: { ...item, user: null } };
}

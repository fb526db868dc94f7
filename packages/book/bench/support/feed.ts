import {
  type Address,
  type BookChange,
  type BookDiff,
  type BookLevels,
  decodeUpdates,
  type L4Order,
  type OrderStatus,
  type Side,
} from '@l4desk/protocol';
import { Chance, wallet } from '@l4desk/testkit';

/** One block of the feed: as sent over the wire, and decoded. */
export interface FeedBlock {
  /** The whole server message, as text. */
  readonly text: string;
  readonly changes: readonly BookChange[];
  readonly statuses: readonly OrderStatus[];
  readonly time: number;
}

export interface Feed {
  readonly name: string;
  readonly levels: BookLevels;
  readonly blocks: readonly FeedBlock[];
}

export interface FeedSize {
  readonly orders: number;
  readonly blocks: number;
}

const START_TIME = 1_778_002_752_000;
const START_OID = 412_036_241_776;
const EPOCH = '5f2d1c1e-9f0c-4f5c-8d61-2f8f8f0f3f2a';
const MID = 80_000;
const INSERTS = 112;
const REMOVALS = 112;
const RESIZES = 24;
const REJECTIONS = 17;

/**
 * A feed like that of a busy coin: a third as many levels as orders, 248 diffs and 241 statuses per block (135 KB), most of
 * them near the best prices. Identical on every call.
 */
export function generateFeed(size: FeedSize): Feed {
  const maker = new FeedMaker(size.orders);
  // Through JSON, as in production: strings built from pieces are far slower to look up than parsed ones.
  const levels: BookLevels = JSON.parse(JSON.stringify(maker.levels()));
  const blocks = Array.from({ length: size.blocks }, (_, index) => {
    const time = START_TIME + index * 67;
    const { diffs, statuses } = maker.block(time);
    return feedBlock(index + 1, time, diffs, statuses);
  });
  return { name: `generated, ${size.orders.toLocaleString('en')} orders`, levels, blocks };
}

/** A block in both forms. */
export function feedBlock(
  seq: number,
  time: number,
  diffs: readonly BookDiff[],
  statuses: readonly OrderStatus[],
): FeedBlock {
  const entry = { coin: 'BTC', seq, prev_seq: seq - 1, order_statuses: statuses, book_diffs: diffs };
  const height = 985_148_181 + seq;
  const updates = { time, block_height: height, epoch: EPOCH, cursor: `${height}:${time}`, book_diffs: [entry] };
  const text = JSON.stringify({ channel: 'l4BookUpdates', data: { Updates: updates } });
  const coin = decodeUpdates(JSON.parse(text).data.Updates).coins[0];
  return { text, changes: coin?.changes ?? [], statuses: coin?.statuses ?? [], time };
}

class FeedMaker {
  private readonly chance = new Chance(7);
  private readonly resting: L4Order[] = [];
  /** How far from the mid prices reach: determines the number of levels. */
  private readonly reach: number;
  private nextOid = START_OID;

  constructor(orders: number) {
    this.reach = orders * 0.07;
    for (let count = 0; count < orders; count += 1) {
      this.resting.push(this.newOrder(this.reach, START_TIME - this.chance.int(0, 1e9)));
    }
  }

  levels(): BookLevels {
    const side = (wanted: Side, sign: number) =>
      this.resting
        .filter((order) => order.side === wanted)
        .sort((a, b) => sign * (Number(a.limitPx) - Number(b.limitPx)) || a.oid - b.oid);
    return [side('B', -1), side('A', 1)];
  }

  block(time: number): { readonly diffs: readonly BookDiff[]; readonly statuses: readonly OrderStatus[] } {
    const diffs: BookDiff[] = [];
    const statuses: OrderStatus[] = [];
    const stamp = '2026-05-05T17:39:13.024084407';
    const says = (status: string, order: L4Order) =>
      statuses.push({ time: stamp, user: owner(order), status, order: { ...order, user: null } });
    const steps = [
      ...Array.from({ length: INSERTS }, () => 'insert'),
      ...Array.from({ length: REMOVALS }, () => 'remove'),
      ...Array.from({ length: RESIZES }, () => 'resize'),
      ...Array.from({ length: REJECTIONS }, () => 'reject'),
    ];
    for (let left = steps.length; left > 0; left -= 1) {
      const [step] = steps.splice(this.chance.int(0, left), 1);
      if (step === 'insert') {
        const order = this.newOrder(this.chance.happens(0.7) ? 50 : this.reach, time);
        this.resting.push(order);
        says('open', order);
        diffs.push(diffOf(order, { new: { sz: order.sz } }));
      } else if (step === 'remove') {
        const at = this.pick();
        const order = this.resting[at] as L4Order;
        this.resting[at] = this.resting.at(-1) as L4Order;
        this.resting.pop();
        says('canceled', order);
        diffs.push(diffOf(order, 'remove'));
      } else if (step === 'resize') {
        const at = this.pick();
        const order = this.resting[at] as L4Order;
        const newSz = this.size();
        this.resting[at] = { ...order, sz: newSz };
        diffs.push(diffOf(order, { update: { origSz: order.sz, newSz } }));
      } else {
        says('badAloPxRejected', this.newOrder(50, time));
      }
    }
    return { diffs, statuses };
  }

  /** A resting order, usually one of the newer ones. */
  private pick(): number {
    const { length } = this.resting;
    return this.chance.happens(0.7) ? this.chance.int(Math.max(0, length - 5_000), length) : this.chance.int(0, length);
  }

  private newOrder(reach: number, timestamp: number): L4Order {
    const side: Side = this.chance.happens(0.6) ? 'B' : 'A';
    const away = Math.min(MID - 1, Math.floor(-Math.log(1 - this.chance.next()) * reach));
    this.nextOid += this.chance.int(1, 8);
    return {
      user: wallet(0x1c1c_270b_573d + this.chance.int(0, 6_000) * 7_919),
      coin: 'BTC',
      side,
      limitPx: `${side === 'B' ? MID - away : MID + 1 + away}.0` as L4Order['limitPx'],
      sz: this.size(),
      oid: this.nextOid,
      timestamp,
      triggerCondition: 'N/A',
      isTrigger: false,
      triggerPx: '0.0',
      isPositionTpsl: false,
      reduceOnly: this.chance.happens(0.13),
      orderType: 'Limit',
      tif: this.chance.happens(0.7) ? 'Gtc' : 'Alo',
      cloid: this.chance.happens(0.5) ? this.cloid() : null,
    };
  }

  private size(): L4Order['sz'] {
    return (this.chance.int(1, 1_000_000) / 100_000).toString() as L4Order['sz'];
  }

  private cloid(): string {
    const word = () =>
      this.chance
        .int(0, 2 ** 32)
        .toString(16)
        .padStart(8, '0');
    return `0x${word()}${word()}${word()}${word()}`;
  }
}

function owner(order: L4Order): Address {
  return order.user ?? wallet(0);
}

function diffOf(order: L4Order, raw: BookDiff['raw_book_diff']): BookDiff {
  const { oid, side, limitPx: px, coin } = order;
  return { user: owner(order), oid, side, px, coin, raw_book_diff: raw };
}

import type { BookChange, L4Order, OrderStatus } from '@l4desk/protocol';
import { AmountWriter, type LastAmount } from './amounts.ts';
import { BLOCK_COLUMNS, CHECKSUM_DIGITS, OP, SAME, STATUS_REF, TIME_DIGITS } from './block-columns.ts';
import { newColumns, takeColumns } from './columns.ts';
import { ADDRESS_DIGITS, CLOID_DIGITS, writeIdentity } from './identities.ts';
import { KEYFRAME_COLUMNS } from './keyframe-columns.ts';
import type { KnownOrder } from './known-orders.ts';
import { isPlainStatus, orderExtras, shapeWord, statusExtras, timePrefix } from './order-fields.ts';
import { nobody, Segment } from './segment.ts';
import type { RecordedBlock, RecordedPosition } from './types.ts';
import { WordsWriter } from './words.ts';

/** Entry in the table of users for "no owner". */
const NO_USER = '';

/** The content of a frame before compression, and the heights it covers. */
export interface FrameContent {
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
}

/** Writes keyframes, and blocks relative to the keyframe before them. */
export class SegmentWriter {
  readonly #coin: string;
  readonly #segment = new Segment();
  readonly #users = new WordsWriter();
  readonly #shapes = new WordsWriter();
  readonly #names = new WordsWriter();
  readonly #columns = newColumns(BLOCK_COLUMNS);
  readonly #px = new AmountWriter(this.#columns.priceDecimals, this.#columns.prices);
  readonly #sz = new AmountWriter(this.#columns.sizeDecimals, this.#columns.sizes);
  /** The order of each change in the current block. */
  #changed: KnownOrder[] = [];
  #lastStatus = nobody();
  #blocks = 0;
  #from = 0;

  constructor(coin: string) {
    this.#coin = coin;
  }

  /** Blocks written since the last `takeBlocks`, and roughly how many bytes they take before compression. */
  get blocks(): number {
    return this.#blocks;
  }

  get bytes(): number {
    let sum = 0;
    for (const name of BLOCK_COLUMNS) sum += this.#columns[name].length;
    return sum;
  }

  /** Returns the content of a keyframe. Later blocks are written relative to it. Pending blocks must be taken first. */
  keyframe(
    position: RecordedPosition,
    sides: readonly [bids: Iterable<L4Order>, asks: Iterable<L4Order>],
    checksum: string,
  ): FrameContent {
    if (this.#blocks > 0) throw new Error('blocks must be taken before a keyframe');
    const { epoch, height, time, seq } = position;
    this.#segment.start(height, time, seq);
    for (const words of [this.#users, this.#shapes, this.#names]) words.clear();
    this.#lastStatus = nobody();
    const columns = newColumns(KEYFRAME_COLUMNS);
    const { head } = columns;
    head.text(epoch);
    head.varint(height);
    head.varint(time);
    head.varint(seq);
    head.hex(checksum, 0, CHECKSUM_DIGITS);
    const px = new AmountWriter(columns.priceDecimals, columns.prices);
    const sz = new AmountWriter(columns.sizeDecimals, columns.sizes);
    const last = { oid: 0, timestamp: 0, index: 0 };
    let index = 0;
    for (const [at, side] of sides.entries()) {
      const { bidPx, askPx } = this.#segment;
      const lastPx = at === 0 ? bidPx : askPx;
      let count = 0;
      for (const order of side) {
        const word = order.user ?? NO_USER;
        const user = this.#users.write(word, columns.users, () => {
          writeIdentity(order.user, ADDRESS_DIGITS, columns.addressKinds, columns.addresses);
        });
        const shape = this.#shapes.write(shapeWord(order, null), columns.shapes, (text) => columns.texts.text(text));
        px.writeAfter(order.limitPx, lastPx);
        sz.write(order.sz);
        columns.oids.signed(order.oid - last.oid);
        columns.timestamps.signed(order.timestamp - last.timestamp);
        writeIdentity(order.cloid, CLOID_DIGITS, columns.cloidKinds, columns.cloids);
        const extras = orderExtras(order);
        if (extras !== undefined) {
          columns.extras.varint(index - last.index);
          columns.extras.text(extras);
          last.index = index;
        }
        const { oid, limitPx, timestamp, cloid } = order;
        this.#segment.orders.add({
          serial: 0,
          oid,
          user,
          side: at === 0 ? 'B' : 'A',
          px: limitPx,
          sz: order.sz,
          timestamp,
          cloid,
          shape,
        });
        last.oid = oid;
        last.timestamp = timestamp;
        index += 1;
        count += 1;
      }
      head.varint(count);
    }
    return { from: height, to: height, bytes: takeColumns(KEYFRAME_COLUMNS, columns) };
  }

  /** Adds one block to the next frame. */
  block({ height, time, seq, prevSeq, changes, statuses, checksum }: RecordedBlock): void {
    const [columns, segment] = [this.#columns, this.#segment];
    if (this.#blocks === 0) this.#from = height;
    columns.heights.signed(height - segment.height);
    columns.times.signed(time - segment.time);
    columns.seqs.signed(seq - segment.seq);
    columns.prevSeqs.signed(prevSeq - segment.seq);
    columns.changeCounts.varint(changes.length);
    columns.statusCounts.varint(statuses.length);
    segment.height = height;
    segment.time = time;
    segment.seq = seq;
    this.#changed = [];
    for (const change of changes) this.#change(change);
    this.#statuses(statuses, time);
    if (checksum !== undefined) {
      columns.checksums.varint(this.#blocks);
      columns.checksums.hex(checksum, 0, CHECKSUM_DIGITS);
    }
    this.#blocks += 1;
  }

  /** Returns the blocks since the last call as the content of a frame, or undefined if there are none. */
  takeBlocks(): FrameContent | undefined {
    if (this.#blocks === 0) return undefined;
    this.#blocks = 0;
    const bytes = takeColumns(BLOCK_COLUMNS, this.#columns);
    return { from: this.#from, to: this.#segment.height, bytes };
  }

  #lastPx(side: string): LastAmount {
    return side === 'B' ? this.#segment.bidPx : this.#segment.askPx;
  }

  #change(change: BookChange): void {
    const { orders } = this.#segment;
    const { ops, refs } = this.#columns;
    if (change.kind === 'insert') {
      this.#insert(change);
      return;
    }
    const kind = change.kind === 'resize' ? OP.resize : OP.remove;
    const known = orders.of(change.oid);
    const isSame =
      known !== undefined &&
      known.side === change.side &&
      known.px === change.px &&
      known.user === this.#users.indexOf(change.user) &&
      (change.kind === 'remove' || known.sz === change.origSz);
    let order = known;
    if (order !== undefined && isSame) {
      ops.byte(kind);
      refs.varint(orders.distance(order));
    } else {
      ops.byte(kind | OP.explicit | (change.side === 'A' ? OP.ask : 0));
      order = this.#explicit(change);
      if (change.kind === 'resize') this.#sz.write(change.origSz);
    }
    if (change.kind === 'resize') {
      this.#sz.write(change.newSz);
      order.sz = change.newSz;
    } else orders.remove(change.oid);
    this.#changed.push(order);
  }

  /** Writes an explicit change: its order is unknown, or known with another owner, side, price or size. */
  #explicit({ oid, user, side, px }: BookChange): KnownOrder {
    const segment = this.#segment;
    this.#columns.oids.signed(oid - segment.oid);
    segment.oid = oid;
    const owner = this.#user(user);
    this.#px.writeAfter(px, this.#lastPx(side));
    const known = segment.orders.of(oid);
    if (known === undefined) {
      const shape = segment.expectedShape(owner);
      return { serial: 0, oid, user: owner, side, px, sz: '', timestamp: segment.time, cloid: null, shape };
    }
    known.user = owner;
    known.side = side;
    known.px = px;
    return known;
  }

  #insert(change: Extract<BookChange, { kind: 'insert' }>): void {
    const [segment, columns] = [this.#segment, this.#columns];
    const { oid, user, side, px, sz, insertBefore } = change;
    columns.ops.byte(OP.insert | (side === 'A' ? OP.ask : 0) | (insertBefore === null ? 0 : OP.insertBefore));
    columns.oids.signed(oid - segment.oid);
    segment.oid = oid;
    const owner = this.#user(user);
    this.#px.writeAfter(px, this.#lastPx(side));
    this.#sz.write(sz);
    if (insertBefore !== null) {
      const before = segment.orders.of(insertBefore);
      columns.refs.varint(before === undefined ? 0 : segment.orders.distance(before));
      if (before === undefined) columns.oids.signed(insertBefore - oid);
    }
    const shape = segment.expectedShape(owner);
    const order = { serial: 0, oid, user: owner, side, px, sz, timestamp: segment.time, cloid: null, shape };
    segment.orders.add(order);
    this.#changed.push(order);
  }

  #user(user: string): number {
    const { users, addressKinds, addresses } = this.#columns;
    return this.#users.write(user, users, (word) => writeIdentity(word, ADDRESS_DIGITS, addressKinds, addresses));
  }

  #statuses(statuses: readonly OrderStatus[], blockTime: number): void {
    if (statuses.length === 0) return;
    const { statusRefs, texts } = this.#columns;
    const places = new Map<number, number>();
    for (const [place, { oid }] of this.#changed.entries()) if (!places.has(oid)) places.set(oid, place);
    const prefix = timePrefix(blockTime);
    const run = { time: '', place: 0 };
    for (const status of statuses) {
      if (!isPlainStatus(status, this.#coin)) {
        statusRefs.varint(STATUS_REF.json);
        texts.text(JSON.stringify(status));
        continue;
      }
      const place = places.get(status.order.oid);
      if (place === undefined) statusRefs.varint(STATUS_REF.explicit);
      else {
        const step = place - run.place;
        statusRefs.varint(STATUS_REF.first + (step < 0 ? -2 * step - 1 : 2 * step));
        run.place = place + 1;
      }
      this.#status(status, place === undefined ? undefined : this.#changed[place], prefix, run.time);
      run.time = status.time;
    }
  }

  /** Writes one status relative to the order it belongs to, or to the last status that belonged to no order. */
  #status(status: OrderStatus, own: KnownOrder | undefined, prefix: string, lastTime: string): void {
    const [columns, segment] = [this.#columns, this.#segment];
    const { order } = status;
    const expected = own ?? this.#lastStatus;
    const shape = shapeWord(order, order.user);
    const isSame = {
      time: status.time === lastTime,
      user: this.#users.indexOf(status.user) === expected.user,
      side: order.side === expected.side,
      px: order.limitPx === expected.px,
      sz: order.sz === expected.sz,
      timestamp: order.timestamp === expected.timestamp,
      cloid: order.cloid === expected.cloid,
      shape: this.#shapes.indexOf(shape) === expected.shape,
    };
    let flags = 0;
    for (const [name, bit] of Object.entries(SAME)) if (isSame[name as keyof typeof SAME]) flags |= bit;
    columns.statusFlags.byte(flags);
    const extras = statusExtras(status);
    columns.statusNames.byte(extras === undefined ? 0 : 1);
    this.#names.write(status.status, columns.statusNames, (word) => columns.texts.text(word));
    if (own === undefined) {
      columns.oids.signed(order.oid - segment.oid);
      segment.oid = order.oid;
    }
    if (!isSame.time) this.#time(status.time, prefix);
    const user = isSame.user ? expected.user : this.#user(status.user);
    if (!isSame.side) columns.statusFlags.byte(order.side === 'A' ? 1 : 0);
    if (!isSame.px) this.#px.writeAfter(order.limitPx, this.#lastPx(order.side));
    if (!isSame.sz) this.#sz.write(order.sz);
    if (!isSame.timestamp) columns.timestamps.signed(order.timestamp - segment.time);
    if (!isSame.cloid) writeIdentity(order.cloid, CLOID_DIGITS, columns.cloidKinds, columns.cloids);
    const shapeIndex = isSame.shape
      ? expected.shape
      : this.#shapes.write(shape, columns.shapes, (word) => columns.texts.text(word));
    if (extras !== undefined) columns.texts.text(extras);
    if (own !== undefined) segment.describe(own, order.timestamp, order.cloid, shapeIndex);
    else {
      const { oid, side, limitPx: px, sz, timestamp, cloid } = order;
      this.#lastStatus = { serial: 0, oid, user, side, px, sz, timestamp, cloid, shape: shapeIndex };
    }
  }

  #time(time: string, prefix: string): void {
    const { statusTimes } = this.#columns;
    const digits = time.slice(prefix.length);
    if (prefix !== '' && time.startsWith(prefix) && digits.length === TIME_DIGITS && /^\d+$/.test(digits)) {
      statusTimes.varint(1 + Number(digits));
    } else {
      statusTimes.varint(0);
      statusTimes.text(time);
    }
  }
}

import type { Address, BookChange, DecimalString, L4Order, OrderStatus, Side } from '@l4desk/protocol';
import { AmountReader, type LastAmount } from './amounts.ts';
import { BLOCK_COLUMNS, CHECKSUM_DIGITS, OP, SAME, STATUS_REF, TIME_DIGITS } from './block-columns.ts';
import type { ByteReader } from './bytes.ts';
import { readColumns } from './columns.ts';
import { ADDRESS_DIGITS, CLOID_DIGITS, readIdentity } from './identities.ts';
import { KEYFRAME_COLUMNS } from './keyframe-columns.ts';
import type { KnownOrder } from './known-orders.ts';
import { readStatusExtras, type Shape, shapeOf, timePrefix } from './order-fields.ts';
import { RecordingError } from './recording-error.ts';
import { nobody, Segment } from './segment.ts';
import type { Keyframe, RecordedBlock } from './types.ts';
import { WordsReader } from './words.ts';

type BlockColumns = Readonly<Record<(typeof BLOCK_COLUMNS)[number], ByteReader>>;

/** Readers of one blocks frame. */
interface Frame {
  readonly columns: BlockColumns;
  readonly px: AmountReader;
  readonly sz: AmountReader;
}

/** Reads what `SegmentWriter` wrote: a keyframe first, then every block after it. */
export class SegmentReader {
  readonly #coin: string;
  readonly #segment = new Segment();
  readonly #users = new WordsReader<Address | null>();
  readonly #shapes = new WordsReader<Shape>();
  readonly #names = new WordsReader<string>();
  #changed: KnownOrder[] = [];
  #lastStatus = nobody();

  constructor(coin: string) {
    this.#coin = coin;
  }

  /** Reads a keyframe. The blocks that follow it in the recording can be read after that. */
  keyframe(bytes: Uint8Array): Keyframe {
    const columns = readColumns(KEYFRAME_COLUMNS, bytes);
    const { head } = columns;
    const epoch = head.text();
    const [height, time, seq] = [head.varint(), head.varint(), head.varint()];
    const checksum = head.hex(CHECKSUM_DIGITS);
    const counts = [head.varint(), head.varint()];
    this.#segment.start(height, time, seq);
    for (const words of [this.#users, this.#shapes, this.#names]) words.clear();
    this.#lastStatus = nobody();
    const px = new AmountReader(columns.priceDecimals, columns.prices);
    const sz = new AmountReader(columns.sizeDecimals, columns.sizes);
    const extras = new Map<number, Readonly<Record<string, unknown>>>();
    for (let index = 0; !columns.extras.isAtEnd; ) {
      index += columns.extras.varint();
      extras.set(index, JSON.parse(columns.extras.text()));
    }
    const coin = this.#coin;
    const last = { oid: 0, timestamp: 0, index: 0 };
    const sides = counts.map((count, at): readonly L4Order[] => {
      const side: Side = at === 0 ? 'B' : 'A';
      const lastPx = at === 0 ? this.#segment.bidPx : this.#segment.askPx;
      const orders: L4Order[] = [];
      for (let place = 0; place < count; place += 1) {
        const userIndex = this.#users.read(columns.users, () => readAddress(columns.addressKinds, columns.addresses));
        const shapeIndex = this.#shapes.read(columns.shapes, () => shapeOf(columns.texts.text()));
        const limitPx = px.readAfter(lastPx);
        const size = sz.read();
        last.oid += columns.oids.signed();
        last.timestamp += columns.timestamps.signed();
        const cloid = readIdentity(CLOID_DIGITS, columns.cloidKinds, columns.cloids);
        const user = this.#owner(userIndex);
        const shape = this.#shape(shapeIndex);
        const order = orderOf(
          { user, coin, side, limitPx, sz: size, oid: last.oid, timestamp: last.timestamp, cloid },
          shape,
        );
        const more = extras.get(last.index);
        orders.push(more === undefined ? order : { ...order, ...more });
        last.index += 1;
        this.#segment.orders.add({
          serial: 0,
          oid: last.oid,
          user: userIndex,
          side,
          px: limitPx,
          sz: size,
          timestamp: last.timestamp,
          cloid,
          shape: shapeIndex,
        });
      }
      return orders;
    });
    return { epoch, height, time, seq, checksum, levels: [sides[0] ?? [], sides[1] ?? []] };
  }

  /** Reads the blocks of the next frame. */
  blocks(bytes: Uint8Array): readonly RecordedBlock[] {
    const columns = readColumns(BLOCK_COLUMNS, bytes);
    const frame: Frame = {
      columns,
      px: new AmountReader(columns.priceDecimals, columns.prices),
      sz: new AmountReader(columns.sizeDecimals, columns.sizes),
    };
    const checksums = new Map<number, string>();
    while (!columns.checksums.isAtEnd)
      checksums.set(columns.checksums.varint(), columns.checksums.hex(CHECKSUM_DIGITS));
    const blocks: RecordedBlock[] = [];
    while (!columns.heights.isAtEnd) {
      const block = this.#block(frame);
      const checksum = checksums.get(blocks.length);
      blocks.push(checksum === undefined ? block : { ...block, checksum });
    }
    return blocks;
  }

  #block(frame: Frame): RecordedBlock {
    const { columns } = frame;
    const segment = this.#segment;
    const height = segment.height + columns.heights.signed();
    const time = segment.time + columns.times.signed();
    const prevSeq = segment.seq + columns.prevSeqs.signed();
    const seq = segment.seq + columns.seqs.signed();
    segment.height = height;
    segment.time = time;
    segment.seq = seq;
    const changeCount = columns.changeCounts.varint();
    const changes: BookChange[] = [];
    this.#changed = [];
    for (let count = 0; count < changeCount; count += 1) changes.push(this.#change(frame));
    const statuses = this.#statuses(frame, columns.statusCounts.varint(), time);
    return { height, time, seq, prevSeq, changes, statuses };
  }

  #lastPx(side: Side): LastAmount {
    return side === 'B' ? this.#segment.bidPx : this.#segment.askPx;
  }

  #change(frame: Frame): BookChange {
    const op = frame.columns.ops.byte();
    const kind = op & OP.kinds;
    if (kind === OP.insert) return this.#insert(frame, op);
    const { orders } = this.#segment;
    const isExplicit = (op & OP.explicit) !== 0;
    const order = isExplicit ? this.#explicit(frame, op) : this.#referred(frame);
    this.#changed.push(order);
    const { oid, side } = order;
    const base = { oid, user: this.#user(order.user), side, px: order.px as DecimalString };
    if (kind === OP.remove) {
      orders.remove(oid);
      return { kind: 'remove', ...base };
    }
    const origSz = isExplicit ? frame.sz.read() : (order.sz as DecimalString);
    const newSz = frame.sz.read();
    order.sz = newSz;
    return { kind: 'resize', ...base, origSz, newSz };
  }

  #referred({ columns }: Frame): KnownOrder {
    const order = this.#segment.orders.at(columns.refs.varint());
    if (order === undefined) throw damaged('an order that is not known');
    return order;
  }

  #explicit(frame: Frame, op: number): KnownOrder {
    const segment = this.#segment;
    const oid = segment.oid + frame.columns.oids.signed();
    segment.oid = oid;
    const user = this.#userIndex(frame);
    const side = sideOf(op);
    const px = frame.px.readAfter(this.#lastPx(side));
    const known = segment.orders.of(oid);
    if (known === undefined) {
      const shape = segment.expectedShape(user);
      return { serial: 0, oid, user, side, px, sz: '', timestamp: segment.time, cloid: null, shape };
    }
    known.user = user;
    known.side = side;
    known.px = px;
    return known;
  }

  #insert(frame: Frame, op: number): BookChange {
    const segment = this.#segment;
    const { columns } = frame;
    const oid = segment.oid + columns.oids.signed();
    segment.oid = oid;
    const user = this.#userIndex(frame);
    const side = sideOf(op);
    const px = frame.px.readAfter(this.#lastPx(side));
    const sz = frame.sz.read();
    let insertBefore: number | null = null;
    if ((op & OP.insertBefore) !== 0) {
      const distance = columns.refs.varint();
      const before = distance === 0 ? undefined : segment.orders.at(distance);
      if (distance !== 0 && before === undefined) throw damaged('an order that is not known');
      insertBefore = before === undefined ? oid + columns.oids.signed() : before.oid;
    }
    const shape = segment.expectedShape(user);
    const order = { serial: 0, oid, user, side, px, sz, timestamp: segment.time, cloid: null, shape };
    segment.orders.add(order);
    this.#changed.push(order);
    return { kind: 'insert', oid, user: this.#user(user), side, px, sz, insertBefore };
  }

  #statuses(frame: Frame, count: number, blockTime: number): readonly OrderStatus[] {
    if (count === 0) return [];
    const { statusRefs, texts } = frame.columns;
    const prefix = timePrefix(blockTime);
    const statuses: OrderStatus[] = [];
    let expectedPlace = 0;
    let lastTime = '';
    for (let index = 0; index < count; index += 1) {
      const ref = statusRefs.varint();
      if (ref === STATUS_REF.json) {
        statuses.push(JSON.parse(texts.text()));
        continue;
      }
      let own: KnownOrder | undefined;
      if (ref !== STATUS_REF.explicit) {
        const step = ref - STATUS_REF.first;
        const place = expectedPlace + (step % 2 === 0 ? step / 2 : -(step + 1) / 2);
        own = this.#changed[place];
        if (own === undefined) throw damaged('a change that is not there');
        expectedPlace = place + 1;
      }
      const status = this.#status(frame, own, prefix, lastTime);
      lastTime = status.time;
      statuses.push(status);
    }
    return statuses;
  }

  #status(frame: Frame, own: KnownOrder | undefined, prefix: string, lastTime: string): OrderStatus {
    const { columns, px, sz } = frame;
    const segment = this.#segment;
    const expected = own ?? this.#lastStatus;
    const flags = columns.statusFlags.byte();
    const hasExtras = columns.statusNames.byte() === 1;
    const status = this.#names.at(this.#names.read(columns.statusNames, () => columns.texts.text())) ?? '';
    let { oid } = expected;
    if (own === undefined) {
      oid = segment.oid + columns.oids.signed();
      segment.oid = oid;
    }
    const isSame = (bit: number) => (flags & bit) !== 0;
    const time = isSame(SAME.time) ? lastTime : readTime(columns.statusTimes, prefix);
    const userIndex = isSame(SAME.user) ? expected.user : this.#userIndex(frame);
    const side = isSame(SAME.side) ? expected.side : columns.statusFlags.byte() === 1 ? 'A' : 'B';
    const limitPx = isSame(SAME.px) ? (expected.px as DecimalString) : px.readAfter(this.#lastPx(side));
    const size = isSame(SAME.sz) ? (expected.sz as DecimalString) : sz.read();
    const timestamp = isSame(SAME.timestamp) ? expected.timestamp : segment.time + columns.timestamps.signed();
    const cloid = isSame(SAME.cloid) ? expected.cloid : readIdentity(CLOID_DIGITS, columns.cloidKinds, columns.cloids);
    const shapeIndex = isSame(SAME.shape)
      ? expected.shape
      : this.#shapes.read(columns.shapes, () => shapeOf(columns.texts.text()));
    const extras = hasExtras ? readStatusExtras(columns.texts.text()) : undefined;
    if (own !== undefined) segment.describe(own, timestamp, cloid, shapeIndex);
    else {
      this.#lastStatus = {
        serial: 0,
        oid,
        user: userIndex,
        side,
        px: limitPx,
        sz: size,
        timestamp,
        cloid,
        shape: shapeIndex,
      };
    }
    const shape = this.#shape(shapeIndex);
    const order = orderOf(
      { user: shape.user, coin: this.#coin, side, limitPx, sz: size, oid, timestamp, cloid },
      shape,
    );
    const user = this.#user(userIndex);
    if (extras === undefined) return { time, user, status, order };
    return { time, user, status, order: { ...order, ...extras.order }, ...extras.own };
  }

  #userIndex({ columns: { users, addressKinds, addresses } }: Frame): number {
    return this.#users.read(users, () => readAddress(addressKinds, addresses));
  }

  #owner(index: number): Address | null {
    const user = this.#users.at(index);
    if (user === undefined) throw damaged('an owner that is not known');
    return user;
  }

  #user(index: number): Address {
    const user = this.#owner(index);
    if (user === null) throw damaged('a change without an owner');
    return user;
  }

  #shape(index: number): Shape {
    const shape = this.#shapes.at(index);
    if (shape === undefined) throw damaged('fields of an order that are not known');
    return shape;
  }
}

type OrderPlace = Pick<L4Order, 'user' | 'coin' | 'side' | 'limitPx' | 'sz' | 'oid' | 'timestamp' | 'cloid'>;

/** Returns an order with its fields in the order of the specification. */
function orderOf({ user, coin, side, limitPx, sz, oid, timestamp, cloid }: OrderPlace, shape: Shape): L4Order {
  const { triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif } = shape;
  const detail = { triggerCondition, isTrigger, triggerPx, isPositionTpsl, reduceOnly, orderType, tif, cloid };
  return { user, coin, side, limitPx, sz, oid, timestamp, ...detail };
}

function readAddress(kinds: ByteReader, bytes: ByteReader): Address | null {
  return readIdentity(ADDRESS_DIGITS, kinds, bytes) as Address | null;
}

function readTime(column: ByteReader, prefix: string): string {
  const digits = column.varint();
  return digits === 0 ? column.text() : prefix + String(digits - 1).padStart(TIME_DIGITS, '0');
}

function sideOf(op: number): Side {
  return (op & OP.ask) === 0 ? 'B' : 'A';
}

function damaged(what: string): RecordingError {
  return new RecordingError('damaged', `A frame of the recording refers to ${what}.`);
}

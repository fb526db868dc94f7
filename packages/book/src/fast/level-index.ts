/** Keys per leaf. */
const LEAF = 64;
const HALF = LEAF / 2;

/**
 * The price levels of one side in order: sorted leaves of up to 64 keys under a sorted directory. A lookup is two binary
 * searches. An insert or delete moves at most a leaf, and occasionally the directory (a 32nd of the levels, every 32nd time).
 * Measured at 10,500 / 100,000 / 500,000 levels per side, anywhere in the book: 210 / 256 / 446 ns, while one sorted array
 * takes 1.3 / 13 / 127 µs. Greater keys are better: the key of a bid is its price, that of an ask the negative price.
 */
export class LevelIndex {
  /** All leaves in one buffer each, so that a leaf is found without following objects: leaf n starts at n * LEAF. */
  private keys = new Float64Array(LEAF);
  private ids = new Int32Array(LEAF);
  /** Keys in a leaf. Only the last remaining leaf may be empty. */
  private sizes = new Uint8Array(1);
  /** The leaves in order of their keys. */
  private order = new Int32Array(1);
  /** By place in the order: the smallest key that a leaf may hold; the first leaf holds everything below. */
  private first = new Float64Array(1).fill(Number.NEGATIVE_INFINITY);
  private leaves = 1;
  private free: number[] = [];
  private count = 0;

  copy(): LevelIndex {
    const copy = new LevelIndex();
    copy.keys = this.keys.slice();
    copy.ids = this.ids.slice();
    copy.sizes = this.sizes.slice();
    copy.order = this.order.slice();
    copy.first = this.first.slice();
    copy.leaves = this.leaves;
    copy.free = [...this.free];
    copy.count = this.count;
    return copy;
  }

  get size(): number {
    return this.count;
  }

  /** The level with exactly this key, or -1. */
  find(key: number): number {
    const leaf = this.order[this.placeOf(key)] as number;
    const at = this.lowerBound(leaf, key);
    return at < this.endOf(leaf) && this.keys[at] === key ? (this.ids[at] as number) : -1;
  }

  /** The level with the greatest key, or -1. */
  best(): number {
    const leaf = this.order[this.leaves - 1] as number;
    return this.sizes[leaf] === 0 ? -1 : (this.ids[this.endOf(leaf) - 1] as number);
  }

  /** The level with the smallest key, or -1. */
  worst(): number {
    const leaf = this.order[0] as number;
    return this.sizes[leaf] === 0 ? -1 : (this.ids[leaf * LEAF] as number);
  }

  /** Inserts a key that is not present yet. */
  insert(key: number, id: number): void {
    let place = this.placeOf(key);
    if (this.sizes[this.order[place] as number] === LEAF) {
      this.split(place);
      place = this.placeOf(key);
    }
    const leaf = this.order[place] as number;
    const { keys, ids } = this;
    const at = this.lowerBound(leaf, key);
    for (let move = this.endOf(leaf); move > at; move -= 1) {
      keys[move] = keys[move - 1] as number;
      ids[move] = ids[move - 1] as number;
    }
    keys[at] = key;
    ids[at] = id;
    this.sizes[leaf] = (this.sizes[leaf] as number) + 1;
    this.count += 1;
  }

  /** Removes a key that is present. */
  delete(key: number): void {
    const place = this.placeOf(key);
    const leaf = this.order[place] as number;
    const { keys, ids } = this;
    const end = this.endOf(leaf) - 1;
    for (let move = this.lowerBound(leaf, key); move < end; move += 1) {
      keys[move] = keys[move + 1] as number;
      ids[move] = ids[move + 1] as number;
    }
    this.sizes[leaf] = (this.sizes[leaf] as number) - 1;
    this.count -= 1;
    if (this.sizes[leaf] === 0 && this.leaves > 1) {
      this.order.copyWithin(place, place + 1, this.leaves);
      this.first.copyWithin(place, place + 1, this.leaves);
      this.first[0] = Number.NEGATIVE_INFINITY;
      this.leaves -= 1;
      this.free.push(leaf);
    }
  }

  /** Multiplies every key by a factor above zero, which preserves their order. */
  scale(factor: number): void {
    for (let at = 0; at < this.keys.length; at += 1) this.keys[at] = (this.keys[at] as number) * factor;
    for (let place = 1; place < this.leaves; place += 1) this.first[place] = (this.first[place] as number) * factor;
  }

  /** Walks from the best level outward. The index must not change meanwhile. */
  walk(): LevelWalk {
    return this.walkFrom(Number.POSITIVE_INFINITY);
  }

  /** Walks outward from the best level whose key is not above `key`. */
  walkFrom(key: number): LevelWalk {
    const place = this.placeOf(key);
    const leaf = this.order[place] as number;
    const at = this.lowerBound(leaf, key);
    const starts = at < this.endOf(leaf) && this.keys[at] === key ? at : at - 1;
    return new LevelWalk(this.order, this.sizes, this.ids, place, starts);
  }

  /** The place in the order of the leaf that may hold a key. */
  private placeOf(key: number): number {
    const { first } = this;
    let low = 0;
    let high = this.leaves;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((first[middle] as number) <= key) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Index of the first key of a leaf that is not below `key`. */
  private lowerBound(leaf: number, key: number): number {
    const { keys } = this;
    let low = leaf * LEAF;
    let high = this.endOf(leaf);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] as number) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private endOf(leaf: number): number {
    return leaf * LEAF + (this.sizes[leaf] as number);
  }

  /** Moves the upper half of a full leaf into a new leaf after it. */
  private split(place: number): void {
    if (this.leaves === this.order.length) this.grow();
    const leaf = this.order[place] as number;
    const right = this.free.pop() ?? this.leaves;
    const middle = leaf * LEAF + HALF;
    this.keys.copyWithin(right * LEAF, middle, middle + HALF);
    this.ids.copyWithin(right * LEAF, middle, middle + HALF);
    this.sizes[leaf] = HALF;
    this.sizes[right] = HALF;
    this.order.copyWithin(place + 2, place + 1, this.leaves);
    this.first.copyWithin(place + 2, place + 1, this.leaves);
    this.order[place + 1] = right;
    this.first[place + 1] = this.keys[right * LEAF] as number;
    this.leaves += 1;
  }

  private grow(): void {
    const leaves = this.leaves * 2;
    const { keys, ids, sizes, order, first } = this;
    this.keys = new Float64Array(leaves * LEAF);
    this.keys.set(keys);
    this.ids = new Int32Array(leaves * LEAF);
    this.ids.set(ids);
    this.sizes = new Uint8Array(leaves);
    this.sizes.set(sizes);
    this.order = new Int32Array(leaves);
    this.order.set(order);
    this.first = new Float64Array(leaves);
    this.first.set(first);
  }
}

/** A walk over levels from better to worse. */
export class LevelWalk {
  private readonly order: Int32Array;
  private readonly sizes: Uint8Array;
  private readonly ids: Int32Array;
  private place: number;
  private start: number;
  private at: number;

  /** Begins at `at`, which may be just before the leaf's start. */
  constructor(order: Int32Array, sizes: Uint8Array, ids: Int32Array, place: number, at: number) {
    this.order = order;
    this.sizes = sizes;
    this.ids = ids;
    this.place = place;
    this.start = (order[place] as number) * LEAF;
    this.at = at;
  }

  /** The next level, or -1 at the end. */
  next(): number {
    while (this.at < this.start) {
      if (this.place === 0) return -1;
      this.place -= 1;
      const leaf = this.order[this.place] as number;
      this.start = leaf * LEAF;
      this.at = this.start + (this.sizes[leaf] as number) - 1;
    }
    const id = this.ids[this.at] as number;
    this.at -= 1;
    return id;
  }
}

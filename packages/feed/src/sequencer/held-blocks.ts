import { isSameBlock } from './recent-blocks.ts';
import { bookStatuses, type UpstreamBlock } from './upstream-block.ts';

/** Blocks of a coin that is not live yet, one a height: its book takes them in later, and they are never published. */
export class HeldBlocks {
  readonly #blocks = new Map<number, UpstreamBlock>();
  /** What the coin's snapshot already holds. */
  #upTo = Number.NEGATIVE_INFINITY;

  get size(): number {
    return this.#blocks.size;
  }

  /** False where its height was held already, with different content. */
  add(block: UpstreamBlock): boolean {
    if (block.height <= this.#upTo) return true;
    const known = this.#blocks.get(block.height);
    if (known !== undefined) return isSameBlock(known, block);
    // Only what the book needs is kept.
    const statuses = bookStatuses(block);
    this.#blocks.set(block.height, { ...block, diffs: [], statuses, statusesText: null, hasOtherStatuses: false });
    return true;
  }

  /** The coin's snapshot is of this height: only what comes after it is held. */
  dropUpTo(height: number): void {
    this.#upTo = height;
    for (const of of this.#blocks.keys()) if (of <= height) this.#blocks.delete(of);
  }

  inOrder(): readonly UpstreamBlock[] {
    return [...this.#blocks.values()].sort((a, b) => a.height - b.height);
  }
}

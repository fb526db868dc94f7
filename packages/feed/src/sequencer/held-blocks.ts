import { bookStatuses, type UpstreamBlock } from '../blocks/upstream-block.ts';
import { isSameBlock } from './recent-blocks.ts';

/** Blocks of a coin that is not live yet, one per height. They are applied to its book later and never published. */
export class HeldBlocks {
  readonly #blocks = new Map<number, UpstreamBlock>();
  /** Height up to which the coin's snapshot already contains all blocks. */
  #upTo = Number.NEGATIVE_INFINITY;

  get size(): number {
    return this.#blocks.size;
  }

  /** Adds a block. Returns false if a block of that height with different content is already held. */
  add(block: UpstreamBlock): boolean {
    if (block.height <= this.#upTo) return true;
    const known = this.#blocks.get(block.height);
    if (known !== undefined) return isSameBlock(known, block);
    // Keep only what the book needs.
    const statuses = bookStatuses(block);
    this.#blocks.set(block.height, { ...block, diffs: [], statuses, statusesText: null, hasOtherStatuses: false });
    return true;
  }

  /** The coin's snapshot has this height: drops blocks up to it and ignores them from now on. */
  dropUpTo(height: number): void {
    this.#upTo = height;
    for (const of of this.#blocks.keys()) if (of <= height) this.#blocks.delete(of);
  }

  inOrder(): readonly UpstreamBlock[] {
    return [...this.#blocks.values()].sort((a, b) => a.height - b.height);
  }
}

import type { BookChange } from '@l4desk/protocol';
import type { UpstreamBlock } from './upstream-block.ts';

/** Blocks whose changes are kept: more than come within the longest wait for one. */
const CHANGES_KEPT = 32;

/** The blocks a coin took in lately, to tell a repeat from one that comes too late, and from another block of that height (UP-8). */
export class RecentBlocks {
  readonly #fingerprints = new Map<number, number>();
  readonly #most: number;
  /** What the last few changed, the oldest first. */
  readonly #last: { readonly height: number; readonly changes: readonly BookChange[] }[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes in a block with what it changed, every side known. */
  add(block: UpstreamBlock, changes: readonly BookChange[]): void {
    this.#last.push({ height: block.height, changes });
    if (this.#last.length > CHANGES_KEPT) this.#last.shift();
    this.#fingerprints.set(block.height, fingerprintOf(block));
    if (this.#fingerprints.size <= this.#most) return;
    // A map remembers the order of entry: the first is the oldest.
    for (const oldest of this.#fingerprints.keys()) {
      this.#fingerprints.delete(oldest);
      return;
    }
  }

  /** All that changed since blocks after this height began to be taken in; null where that is longer ago than is kept. */
  changesAfter(height: number): readonly BookChange[] | null {
    const from = this.#last.findIndex((block) => block.height > height);
    if (from < 0) return [];
    if (from === 0 && this.#last.length === CHANGES_KEPT) return null;
    return this.#last.slice(from).flatMap(({ changes }) => changes);
  }

  /** Whether the coin took in a block of that height: this one, another one, or none. */
  compare(block: UpstreamBlock): 'same' | 'other' | 'none' {
    const known = this.#fingerprints.get(block.height);
    if (known === undefined) return 'none';
    return known === fingerprintOf(block) ? 'same' : 'other';
  }
}

/** Whether two blocks of one coin and height say the same. */
export function isSameBlock(one: UpstreamBlock, other: UpstreamBlock): boolean {
  return fingerprintOf(one) === fingerprintOf(other);
}

/** 32 bits over what a block changed and when: enough to tell a chain that began again, whose very times differ. */
function fingerprintOf({ time, changes }: UpstreamBlock): number {
  let hash = mixed(0x811c9dc5, String(time));
  for (const change of changes) {
    hash = mixed(hash, `${change.kind} ${change.oid} ${change.px}`);
    if (change.kind === 'insert') hash = mixed(hash, change.sz);
    if (change.kind === 'resize') hash = mixed(hash, change.newSz);
  }
  return hash;
}

/** FNV-1a, a character at a time. */
function mixed(hash: number, text: string): number {
  let mixing = hash;
  for (let at = 0; at < text.length; at += 1) mixing = Math.imul(mixing ^ text.charCodeAt(at), 0x01000193);
  return mixing;
}

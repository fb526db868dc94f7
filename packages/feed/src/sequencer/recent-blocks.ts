import type { UpstreamBlock } from '../blocks/upstream-block.ts';

/** The last blocks applied to a coin, to tell a repeat from a late block and from a different block of that height. */
export class RecentBlocks {
  readonly #fingerprints = new Map<number, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Records an applied block. */
  add(block: UpstreamBlock): void {
    this.#fingerprints.set(block.height, fingerprintOf(block));
    if (this.#fingerprints.size <= this.#most) return;
    // A map iterates in insertion order: the first key is the oldest.
    for (const oldest of this.#fingerprints.keys()) {
      this.#fingerprints.delete(oldest);
      return;
    }
  }

  /** Whether the coin applied this block, another block of that height, or none. */
  compare(block: UpstreamBlock): 'same' | 'other' | 'none' {
    const known = this.#fingerprints.get(block.height);
    if (known === undefined) return 'none';
    return known === fingerprintOf(block) ? 'same' : 'other';
  }
}

/** Whether two blocks of one coin and height have the same content. */
export function isSameBlock(one: UpstreamBlock, other: UpstreamBlock): boolean {
  return fingerprintOf(one) === fingerprintOf(other);
}

/** A 32-bit hash of a block's time and changes: enough to detect a restarted chain, where even the times differ. */
function fingerprintOf({ time, changes }: UpstreamBlock): number {
  let hash = mixed(0x811c9dc5, String(time));
  for (const change of changes) {
    hash = mixed(hash, `${change.kind} ${change.oid} ${change.px}`);
    if (change.kind === 'insert') hash = mixed(hash, change.sz);
    if (change.kind === 'resize') hash = mixed(hash, change.newSz);
  }
  return hash;
}

/** FNV-1a, one character at a time. */
function mixed(hash: number, text: string): number {
  let mixing = hash;
  for (let at = 0; at < text.length; at += 1) mixing = Math.imul(mixing ^ text.charCodeAt(at), 0x01000193);
  return mixing;
}

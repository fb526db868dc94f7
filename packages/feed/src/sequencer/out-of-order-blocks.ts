import type { L4Book } from '@l4desk/book';
import { compare } from '@l4desk/decimal';
import type { BookChange, DecimalString } from '@l4desk/protocol';
import { fillSides } from '../blocks/sides.ts';
import type { UpstreamBlock } from '../blocks/upstream-block.ts';

/**
 * Blocks of a live coin that arrived out of order, sorted by height. A late block is published with the next height; an early
 * one contradicts the book because the block before it has not arrived (UP-22).
 */
export class OutOfOrderBlocks {
  readonly #blocks: UpstreamBlock[] = [];
  #until = Number.POSITIVE_INFINITY;

  get first(): UpstreamBlock | undefined {
    return this.#blocks[0];
  }

  /** When the wait of these blocks ends. */
  get until(): number {
    return this.#until;
  }

  /** The block of that height, if present. */
  at(height: number): UpstreamBlock | undefined {
    return this.#blocks.find((block) => block.height === height);
  }

  add(block: UpstreamBlock, until: number): void {
    if (this.#blocks.length === 0) this.#until = until;
    const place = this.#blocks.findIndex(({ height }) => height > block.height);
    this.#blocks.splice(place < 0 ? this.#blocks.length : place, 0, block);
  }

  /** Removes the first block. */
  shift(): void {
    this.#blocks.shift();
    if (this.#blocks.length === 0) this.#until = Number.POSITIVE_INFINITY;
  }
}

/** Whether applying a block would contradict the book. Does not modify the book. */
export function contradicts({ changes, statuses }: UpstreamBlock, book: L4Book): boolean {
  const filled = fillSides(changes, statuses, book);
  if (filled.kind === 'ambiguous') return true;
  /** Sizes that the block itself has set so far; null for an order it has removed. */
  const sizes = new Map<number, DecimalString | null>();
  const sizeOf = (oid: number) => (sizes.has(oid) ? sizes.get(oid) : book.order(oid)?.sz);
  for (const change of filled.changes) {
    const resting = sizeOf(change.oid) ?? null;
    switch (change.kind) {
      case 'insert':
        if (resting !== null) return true;
        if (change.insertBefore !== null && (sizeOf(change.insertBefore) ?? null) === null) return true;
        sizes.set(change.oid, change.sz);
        break;
      case 'resize':
        if (resting === null || compare(resting, change.origSz) !== 0) return true;
        sizes.set(change.oid, change.newSz);
        break;
      case 'remove':
        if (resting === null) return true;
        sizes.set(change.oid, null);
    }
  }
  return filled.changes.some(
    (change) => (sizes.get(change.oid) ?? null) !== null && crosses(change, filled.changes, book),
  );
}

/**
 * Whether applying this block after later ones gives the same book as applying it before them: they have no order in common and
 * no queue to which both add.
 */
export function fitsBefore(block: UpstreamBlock, later: readonly BookChange[], book: L4Book): boolean {
  const oids = new Set(later.map(({ oid }) => oid));
  const queues = new Set(later.filter(({ kind }) => kind === 'insert').map(({ px }) => px));
  const isApart = block.changes.every(({ oid, kind, px }) => !oids.has(oid) && !(kind === 'insert' && queues.has(px)));
  return isApart && !contradicts(block, book);
}

/** Whether an order would rest at or across the other side's best price, unless the block itself changes that level. */
function crosses({ kind, side, px }: BookChange, changes: readonly BookChange[], book: L4Book): boolean {
  if (kind !== 'insert') return false;
  const best = book.best(side === 'B' ? 'A' : 'B')?.px;
  if (best === undefined) return false;
  const isAcross = side === 'B' ? compare(px, best) >= 0 : compare(px, best) <= 0;
  return isAcross && !changes.some((change) => change.kind !== 'insert' && compare(change.px, best) === 0);
}

import type { BookLevels, L4Order, ReadCoinBatch } from '@l4desk/protocol';

/** Replays orders in plain lists, one per side and price, in the order of entry: the reference for the book. */
export class PlainReplay {
  private readonly queues = new Map<string, L4Order[]>();

  constructor(levels: BookLevels) {
    for (const order of levels.flat()) this.queue(order.side, order.limitPx).push(order);
  }

  apply({ changes, statuses, time }: ReadCoinBatch): void {
    for (const change of changes) {
      const queue = this.queue(change.side, change.px);
      const at = queue.findIndex(({ oid }) => oid === change.oid);
      const resting = queue[at];
      if (change.kind === 'insert') {
        const status = statuses.findLast(({ order }) => order.oid === change.oid);
        if (status === undefined) throw new Error(`no status of ${change.oid} at ${time}`);
        const front = queue.findIndex(({ oid }) => oid === change.insertBefore);
        const { user, sz } = change;
        queue.splice(front < 0 ? queue.length : front, 0, { ...status.order, user, sz });
      } else if (change.kind === 'resize' && resting !== undefined) {
        queue[at] = { ...resting, sz: change.newSz };
      } else {
        queue.splice(at, 1);
      }
    }
  }

  levels(): [L4Order[], L4Order[]] {
    const side = (letter: string, sign: number) =>
      [...this.queues]
        .filter(([key]) => key.startsWith(letter))
        .sort(([a], [b]) => sign * (Number(a.slice(1)) - Number(b.slice(1))))
        .flatMap(([, queue]) => queue);
    return [side('B', -1), side('A', 1)];
  }

  private queue(side: string, px: string): L4Order[] {
    const key = side + px;
    const queue = this.queues.get(key) ?? [];
    this.queues.set(key, queue);
    return queue;
  }
}

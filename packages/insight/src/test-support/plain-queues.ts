import type { Address, BookChange, L4Order } from '@l4desk/protocol';
import type { QueueEvent, QueueLife, QueueMoment } from '../queue-life.ts';
import { shortest, valueOf } from './brute-force.ts';

interface Plain {
  readonly oid: number;
  readonly user: string;
  readonly key: string;
  sz: bigint;
}

interface Record {
  readonly joined: boolean;
  readonly since: QueueMoment;
  readonly first: readonly bigint[];
  readonly executed: bigint[];
  readonly canceled: bigint[];
  readonly inserted: bigint[];
  readonly behind: bigint[];
  shrunk: bigint;
  grown: bigint;
  own: bigint;
  inferred: boolean;
}

/**
 * One list of orders for each price, searched from its front at every change. Queue lives are compared with it. It also reports
 * the changes of a block as the block's flow does. It shares no code with the package or with the book.
 */
export class PlainQueues {
  readonly #queues = new Map<string, Plain[]>();
  readonly #records = new Map<number, Record>();
  #users = new Set<string>();

  constructor(orders: readonly L4Order[]) {
    for (const { oid, user, side, limitPx, sz } of orders) {
      const key = `${side}${shortest(valueOf(limitPx))}`;
      this.#queue(key).push({ oid, user: user?.toLowerCase() ?? '', key, sz: valueOf(sz) });
    }
  }

  get users(): readonly Address[] {
    return [...this.#users] as Address[];
  }

  watch(users: readonly string[], now: QueueMoment): void {
    this.#users = new Set(users.map((user) => user.toLowerCase()));
    for (const queue of this.#queues.values()) {
      for (const { oid, user } of queue) {
        if (!this.#users.has(user)) this.#records.delete(oid);
        else if (!this.#records.has(oid)) this.#begin(oid, queue, false, now);
      }
    }
  }

  reset(now: QueueMoment): void {
    this.#records.clear();
    this.watch([...this.#users], now);
  }

  /** Every second execution, by its oid, is inferred. */
  apply(changes: readonly BookChange[], isExecuted: (change: BookChange) => boolean, now: QueueMoment): QueueEvent[] {
    return changes.map((change) => {
      const { oid, side, kind } = change;
      const user = change.user.toLowerCase();
      const key = `${side}${shortest(valueOf(change.px))}`;
      const queue = this.#queue(key);
      const place = { oid, user, side, level: key.slice(1) } as Pick<QueueEvent, 'oid' | 'user' | 'side' | 'level'>;
      if (kind === 'insert') {
        const at =
          change.insertBefore === null ? queue.length : queue.findIndex((slot) => slot.oid === change.insertBefore);
        const sz = valueOf(change.sz);
        const behind = queue[at]?.oid ?? null;
        for (const [index, slot] of queue.entries()) {
          const record = this.#records.get(slot.oid);
          if (record !== undefined) addTo(index < at ? record.behind : record.inserted, 1n, sz);
        }
        queue.splice(at, 0, { oid, user, key, sz });
        if (this.#users.has(user)) this.#begin(oid, queue, true, now);
        return { act: 'insert', kind: 'added', ...place, from: '0', to: change.sz, behind };
      }
      const at = queue.findIndex((slot) => slot.oid === oid);
      const slot = queue[at] as Plain;
      const from = slot.sz;
      const to = kind === 'remove' ? 0n : valueOf(change.newSz);
      const executed = isExecuted(change);
      const inferred = oid % 2 === 0;
      for (const watched of queue.slice(at + 1)) {
        const record = this.#records.get(watched.oid);
        if (record === undefined) continue;
        if (executed && inferred && from > to) record.inferred = true;
        if (executed) addTo(record.executed, kind === 'remove' ? 1n : 0n, from - to);
        else if (kind === 'remove') addTo(record.canceled, 1n, from);
        else if (to < from) record.shrunk += from - to;
        else record.grown += to - from;
      }
      const own = this.#records.get(oid);
      if (own !== undefined && executed) {
        own.own += from - to;
        if (inferred && from > to) own.inferred = true;
      }
      slot.sz = to;
      const behind = queue[at + 1]?.oid ?? null;
      if (kind === 'remove') {
        queue.splice(at, 1);
        this.#records.delete(oid);
      }
      return {
        act: kind,
        kind: executed ? 'executed' : kind === 'remove' ? 'canceled' : to < from ? 'shrunk' : 'grown',
        inferred: executed && inferred,
        ...place,
        from: shortest(from) as QueueEvent['from'],
        to: shortest(to) as QueueEvent['to'],
        behind: kind === 'remove' ? behind : null,
      };
    });
  }

  /** Sorted by oid. */
  lives(): readonly QueueLife[] {
    const found = [...this.#queues].flatMap(([key, queue]) =>
      queue.flatMap(({ oid, user, sz }) => {
        const record = this.#records.get(oid);
        if (record === undefined) return [];
        const part = ([orders = 0n, size = 0n]: readonly bigint[]) => ({ orders: Number(orders), sz: shortest(size) });
        return [
          {
            oid,
            user,
            side: key[0],
            px: key.slice(1),
            sz: shortest(sz),
            joined: record.joined,
            since: record.since,
            aheadAtFirst: part(record.first),
            ahead: part(aheadOf(oid, queue)),
            executed: part(record.executed),
            canceled: part(record.canceled),
            shrunk: shortest(record.shrunk),
            grown: shortest(record.grown),
            insertedAhead: part(record.inserted),
            joinedBehind: part(record.behind),
            ownExecuted: shortest(record.own),
            inferred: record.inferred,
            level: part([BigInt(queue.length), queue.reduce((sum, slot) => sum + slot.sz, 0n)]),
          } as QueueLife,
        ];
      }),
    );
    return found.sort((a, b) => a.oid - b.oid);
  }

  /** The followed orders of a side, best price first, in queue order. */
  nearest(side: 'B' | 'A'): readonly number[] {
    const sign = side === 'B' ? -1 : 1;
    return [...this.#queues]
      .filter(([key]) => key.startsWith(side))
      .sort(([a], [b]) => sign * Number(valueOf(a.slice(1)) - valueOf(b.slice(1))))
      .flatMap(([, queue]) => queue.flatMap(({ oid }) => (this.#records.has(oid) ? [oid] : [])));
  }

  #begin(oid: number, queue: readonly Plain[], joined: boolean, since: QueueMoment): void {
    const parts = { executed: [0n, 0n], canceled: [0n, 0n], inserted: [0n, 0n], behind: [0n, 0n] };
    const first = aheadOf(oid, queue);
    this.#records.set(oid, { joined, since, first, ...parts, shrunk: 0n, grown: 0n, own: 0n, inferred: false });
  }

  #queue(key: string): Plain[] {
    const queue = this.#queues.get(key) ?? [];
    this.#queues.set(key, queue);
    return queue;
  }
}

function aheadOf(oid: number, queue: readonly Plain[]): readonly bigint[] {
  const ahead = queue.slice(
    0,
    queue.findIndex((slot) => slot.oid === oid),
  );
  return [BigInt(ahead.length), ahead.reduce((sum, { sz }) => sum + sz, 0n)];
}

function addTo(part: bigint[], orders: bigint, sz: bigint): void {
  part[0] = (part[0] as bigint) + orders;
  part[1] = (part[1] as bigint) + sz;
}

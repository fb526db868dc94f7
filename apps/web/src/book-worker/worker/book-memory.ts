import { compare, middle } from '@l4desk/decimal';
import { figures, OwnersMemory } from '@l4desk/insight';
import { type Address, type DecimalString, lowerCaseAddress } from '@l4desk/protocol';
import type { BestPrices, Direction } from '../position.ts';
import type { BookAt } from './book-at.ts';
import { FiguresHistory } from './figures-history.ts';
import type { Past } from './past/past.ts';
import { GoneOrders } from './places/gone-orders.ts';
import { WatchedQueues } from './watched-queues.ts';

/** Blocks in which an order of a watched wallet changed; the oldest are evicted first. */
const CHANGED_MAX = 4_000;

/** What is retained of the live book and updated with every block, so that a pane costs only as much as the changes. */
export class BookMemory {
  readonly #past: Past;
  /** The orders by owner: of the owners pane, and of the figures, which ask for other distances. */
  owners = new OwnersMemory();
  near = new OwnersMemory();
  readonly queues = new WatchedQueues();
  readonly gone = new GoneOrders();
  #wallets: ReadonlySet<Address> = new Set();
  #changed: { readonly height: number; readonly oid: number }[] = [];
  #mid: DecimalString | undefined;
  #direction: Direction | undefined;
  /** The figures over time, by a recording or by the kept minutes of a coin. */
  readonly #histories = new WeakMap<object, FiguresHistory>();

  constructor(past: Past) {
    this.#past = past;
  }

  get figures(): FiguresHistory {
    return this.#figuresOf(this.#past.recorded ?? this.#past.kept);
  }

  watchWallets(wallets: readonly Address[], live: BookAt | undefined): void {
    const next = new Set(wallets.map(lowerCaseAddress));
    // Another label is no other wallet.
    if (next.size !== this.#wallets.size || ![...next].every((address) => this.#wallets.has(address)))
      this.#changed = [];
    this.#wallets = next;
    this.queues.watch(wallets, live);
  }

  changedUpTo(height: number): number | undefined {
    return this.#changed.findLast((block) => block.height <= height)?.oid;
  }

  /** Where the shown mid went when it last changed: ladders and title say the same, however often each reads it. */
  directionOf({ bid, ask }: BestPrices): Direction | undefined {
    if (bid === undefined || ask === undefined) return this.#direction;
    const mid = middle(bid, ask);
    const way = this.#mid === undefined ? 0 : compare(mid, this.#mid);
    this.#mid = mid;
    if (way !== 0) this.#direction = way > 0 ? 'up' : 'down';
    return this.#direction;
  }

  /** A block was applied to the live book and to the past. */
  onBlock(live: BookAt, prevSeq: number, tick: DecimalString | undefined): void {
    const events = this.#past.eventsOf(live.position);
    this.queues.onBlock(live, prevSeq, events);
    if (events !== undefined) {
      this.gone.note(live, events, this.#wallets);
      const changed = events.findLast(({ user }) => this.#wallets.has(user));
      if (changed !== undefined) this.#changed.push({ height: live.position.height, oid: changed.oid });
      if (this.#changed.length > CHANGED_MAX) this.#changed.shift();
      this.owners.note(live.book, events);
      this.near.note(live.book, events);
    }
    const history = this.#figuresOf(this.#past.kept);
    const { blockTime } = live.position;
    if (history.isDue(blockTime)) history.note(blockTime, figures(live.book, tick, this.near));
  }

  forget(): void {
    this.owners = new OwnersMemory();
    this.near = new OwnersMemory();
    this.queues.forget();
    this.gone.forget();
    this.#mid = undefined;
    this.#direction = undefined;
    this.#changed = [];
  }

  #figuresOf(line: object): FiguresHistory {
    const history = this.#histories.get(line) ?? new FiguresHistory();
    this.#histories.set(line, history);
    return history;
  }
}

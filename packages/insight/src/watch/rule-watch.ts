import type { L4Book } from '@l4desk/book';
import { compare, subtract } from '@l4desk/decimal';
import { type BookChange, lowerCaseAddress } from '@l4desk/protocol';
import { midOf } from '../mid.ts';
import { type ChangedLevel, ChangedLevels } from './changed-levels.ts';
import { checkRule, type WatchFacts, type WatchHit, type WatchRule } from './rules.ts';
import { type StateWatch, stateWatch } from './state-watches.ts';
import { type SizeChange, WalletSizes } from './wallet-sizes.ts';

/** Where a book is in the stream, as hits report it. */
export interface WatchPosition {
  readonly height: number;
  /** Time of the block, ms since the Unix epoch. */
  readonly time: number;
  readonly epoch: string;
}

/** A rule with what is known of its state. */
interface Watched {
  readonly rule: WatchRule;
  readonly state: StateWatch | undefined;
}

/**
 * Watches one coin's book by rules. A rule about a block's changes fires for each block that matches. A rule about a state fires
 * when the state begins, separately for each wall, order and side, and not again until it has ended. A block costs as much as its
 * changes, and the levels within the distances of the rules.
 */
export class RuleWatch {
  readonly #rules: readonly Watched[];
  readonly #coin: string;
  readonly #sizes: WalletSizes;
  readonly #levels = new ChangedLevels();
  readonly #hasStates: boolean;
  readonly #needsMid: boolean;
  #epoch: string | undefined;
  #isSuspect = false;

  /** Throws RangeError for a rule whose numbers are meaningless. */
  constructor(coin: string, rules: readonly WatchRule[]) {
    for (const rule of rules) checkRule(rule);
    this.#coin = coin;
    this.#rules = rules.map((rule) => ({ rule, state: stateWatch(rule) }));
    this.#sizes = new WalletSizes(rules.flatMap((rule) => (rule.kind === 'wallet' ? [rule.user] : [])));
    this.#hasStates = this.#rules.some(({ state }) => state !== undefined);
    this.#needsMid = rules.some(({ kind }) => ['wall', 'price', 'spread', 'imbalance'].includes(kind));
  }

  /**
   * Takes a new book. It is not compared with the one before, because an outage is not an event; but an epoch and states that are
   * new to the watch fire. The first book only gives the starting state: what already holds in it did not begin there.
   */
  onBook(book: L4Book, position: WatchPosition): readonly WatchHit[] {
    const before = this.#epoch;
    this.#epoch = position.epoch;
    this.#sizes.read(book);
    this.#levels.begin(book);
    const begun = this.#begun(book, undefined, position);
    if (before === undefined) return [];
    const isNew = before !== position.epoch;
    const epoch = this.#hits(position, ({ rule }) =>
      isNew && rule.kind === 'epoch' ? [{ kind: 'epoch', epoch: position.epoch }] : [],
    );
    return [...epoch, ...begun];
  }

  /** Takes the changes of one block, in block order, and the book right after it. It may be the same object, moved on. */
  onBlock(changes: readonly BookChange[], book: L4Book, position: WatchPosition): readonly WatchHit[] {
    const sizes = this.#sizes.apply(changes);
    const moved = sizes.length === 0 ? [] : this.#hits(position, ({ rule }) => movedFacts(rule, sizes));
    if (!this.#hasStates) return moved;
    return [...moved, ...this.#begun(book, this.#levels.after(changes, book), position)];
  }

  /** Takes the state of the feed: why it is suspect; null while it is not. It may change without a block. */
  onFeed(suspicion: string | null, position: WatchPosition): readonly WatchHit[] {
    const wasSuspect = this.#isSuspect;
    this.#isSuspect = suspicion !== null;
    if (suspicion === null || wasSuspect) return [];
    return this.#hits(position, ({ rule }) =>
      rule.kind === 'suspect' ? [{ kind: 'suspect', reason: suspicion }] : [],
    );
  }

  #begun(book: L4Book, changed: readonly ChangedLevel[] | undefined, position: WatchPosition): readonly WatchHit[] {
    if (!this.#hasStates) return [];
    const state = { book, mid: this.#needsMid ? midOf(book) : undefined, changed };
    return this.#hits(position, (watched) => watched.state?.begun(state) ?? []);
  }

  #hits({ height, time }: WatchPosition, facts: (watched: Watched) => readonly WatchFacts[]): readonly WatchHit[] {
    return this.#rules.flatMap((watched, rule) =>
      facts(watched).map((found) => ({ rule, coin: this.#coin, height, time, facts: found })),
    );
  }
}

/** The changes of wallets' sizes that a rule is about. */
function movedFacts(rule: WatchRule, sizes: readonly SizeChange[]): readonly WatchFacts[] {
  if (rule.kind !== 'wallet') return [];
  const watched = lowerCaseAddress(rule.user);
  return sizes.flatMap(({ user, side, by }): readonly WatchFacts[] => {
    const sz = rule.event === 'placed' ? by : subtract('0', by);
    if (user !== watched || compare(sz, rule.minSz) < 0) return [];
    return [{ kind: 'wallet', user, side, event: rule.event, sz }];
  });
}

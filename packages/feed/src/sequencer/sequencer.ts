import { L4Book } from '@l4desk/book';
import type { BookChange, BookLevels, BookLossReason } from '@l4desk/protocol';
import { applyBlock, describeFindings, joined } from './applied-blocks.ts';
import {
  type CatchingUpState,
  type CoinState,
  type CoinView,
  isInTime,
  type JoinedState,
  knownOf,
  type LiveState,
  type Place,
  placeOf,
} from './coin-state.ts';
import { HeldBlocks } from './held-blocks.ts';
import { BlockOrdering, type OrderedHeight, type OrderingSettings } from './ordering.ts';
import { contradicts, OutOfTurn } from './out-of-turn.ts';
import { isSameBlock, RecentBlocks } from './recent-blocks.ts';
import { Sequences } from './sequences.ts';
import type { SequencedBlock, SequencedEntry, UpstreamBlock } from './upstream-block.ts';

export interface SequencerSettings extends OrderingSettings {
  /** How long a coin may stay behind the published height before its upstream is believed to have fallen back, in ms. */
  readonly fallBackMs: number;
}

/** What the sequencer reports to its owner. Calls come while it works: handle them later. */
export interface SequencerEvents {
  /** A block with book changes, to be sent to clients (L4-24). */
  published(block: SequencedBlock): void;
  /** The coin's book has reached the published height; from now on it is served. */
  live(coin: string): void;
  /** A live coin whose book was behind the published height has come up to it. */
  caughtUp(coin: string): void;
  /** The coin's book is no longer trusted; it waits to be joined again. */
  lost(coin: string, reason: BookLossReason, detail: string): void;
  /** A live coin's book took in a block; for audits. */
  applied(coin: string, height: number, changes: readonly BookChange[]): void;
  /** Every sequence starts again (L4-19). */
  epochChanged(epoch: string): void;
}

/** Blocks a coin that is not live may hold; past it, something is wrong upstream. */
const HELD_BLOCKS_MAX = 4_096;

/** Blocks a coin remembers: two minutes of them. */
const RECENT_BLOCKS_MAX = 2_048;

/**
 * Blocks in a row that may bring a coin nothing new. A subscription may begin with what its snapshot holds, and a server keeps
 * 100 messages for a reader; more than that is a chain that goes through its past again.
 */
const REPEATS_MAX = 128;

/** A snapshot this far behind what is published cannot catch up: the upstream chain began again. About a minute of blocks. */
const FAR_BACK_HEIGHTS = 1_000;

/** A block may be this far ahead of the published height, plus one for every 10 ms of silence: anything else is damaged. */
const HEIGHT_JUMP_MAX = 10_000;
const SHORTEST_BLOCK_MS = 10;

/**
 * Turns the upstream messages of each coin into the blocks the service publishes (UP-8, UP-9). It knows no
 * socket and no timer: time comes in with every call, and `wakeAt` says when to call `settle` again.
 */
export class Sequencer {
  readonly #settings: SequencerSettings;
  readonly #events: SequencerEvents;
  readonly #newEpochId: () => string;
  readonly #ordering: BlockOrdering<UpstreamBlock>;
  readonly #coins = new Map<string, CoinState>();
  readonly #live = new Set<string>();
  readonly #sequences = new Sequences();
  /** Coins whose source may have lost them silently: its silence does not mean that they are quiet. */
  readonly #silenceUnknown = new Set<string>();
  #epoch: string;
  #releasedTime = 0;
  #releasedAt = 0;
  #repeatsDropped = 0;
  #epochs = 1;

  constructor(settings: SequencerSettings, events: SequencerEvents, newEpochId: () => string) {
    this.#settings = settings;
    this.#events = events;
    this.#newEpochId = newEpochId;
    this.#ordering = new BlockOrdering(settings);
    this.#epoch = newEpochId();
  }

  get epoch(): string {
    return this.#epoch;
  }

  /** Height up to which everything is published or known to be quiet. */
  get height(): number | null {
    return this.#ordering.released;
  }

  get repeatsDropped(): number {
    return this.#repeatsDropped;
  }

  /** Epochs so far, this one included. */
  get epochs(): number {
    return this.#epochs;
  }

  state(coin: string): CoinState['kind'] | null {
    return this.#coins.get(coin)?.kind ?? null;
  }

  seq(coin: string): number {
    return this.#sequences.of(coin);
  }

  /** A live coin's book and what it is aligned to; null while it is not live. */
  view(coin: string): CoinView | null {
    const state = this.#coins.get(coin);
    if (state?.kind !== 'live') return null;
    const { released } = this.#ordering;
    const published = released === null ? null : { height: released, time: this.#releasedTime };
    return { book: state.book, ...placeOf(state, published), epoch: this.#epoch, seq: this.seq(coin) };
  }

  /** Whether blocks of a live coin at or below the published height are known and not applied yet: it is not served meanwhile. */
  isBehind(coin: string): boolean {
    const state = this.#coins.get(coin);
    return state?.kind === 'live' && state.outOfTurn.first !== undefined;
  }

  /** The same, but no further than the coin's source has said everything of it: what may be claimed of the book (UP-31). */
  completeView(coin: string): CoinView | null {
    const view = this.view(coin);
    const state = this.#coins.get(coin);
    if (view === null || state?.kind !== 'live' || !this.#silenceUnknown.has(coin)) return view;
    const { base, baseTime, last } = state;
    return last.height > base ? { ...view, ...last } : { ...view, height: base, time: baseTime };
  }

  /** Whether the source's silence about a coin means that it is quiet; assumed until set otherwise. */
  silenceIsQuiet(coin: string, isQuiet: boolean): void {
    if (isQuiet) this.#silenceUnknown.delete(coin);
    else if (!this.#silenceUnknown.has(coin)) {
      const view = this.view(coin);
      if (view !== null) this.unchanged(coin, view.height, view.time);
      this.#silenceUnknown.add(coin);
    }
  }

  /** A live coin's book was still the source's at this height: no block up to there will come. */
  unchanged(coin: string, height: number, time: number): void {
    const state = this.#coins.get(coin);
    if (state?.kind === 'live' && height > state.base)
      this.#coins.set(coin, { ...state, base: height, baseTime: time });
  }

  /** Takes a coin in; it waits until `subscribed`. */
  add(coin: string): void {
    if (!this.#coins.has(coin)) this.#coins.set(coin, { kind: 'waiting' });
  }

  /** Forgets a coin; its sequence is kept for the day it comes back. */
  remove(coin: string): void {
    this.#coins.delete(coin);
    this.#live.delete(coin);
    this.#silenceUnknown.delete(coin);
  }

  /** The coin's subscription was sent upstream. */
  subscribed(coin: string): void {
    if (this.#coins.get(coin)?.kind !== 'waiting') return;
    const askedAt = this.#ordering.released ?? Number.NEGATIVE_INFINITY;
    this.#coins.set(coin, { kind: 'joining', held: new HeldBlocks(), askedAt });
  }

  /** Stops trusting a coin (UP-6, UP-7). */
  lose(coin: string, reason: BookLossReason, detail: string): void {
    const state = this.#coins.get(coin);
    if (state === undefined || state.kind === 'waiting') return;
    this.#coins.set(coin, { kind: 'waiting' });
    this.#live.delete(coin);
    this.#silenceUnknown.delete(coin);
    this.#events.lost(coin, reason, detail);
  }

  onSnapshot(coin: string, height: number, time: number, levels: BookLevels, now: number): void {
    const state = this.#coins.get(coin);
    if (state?.kind !== 'joining') return;
    const { book, findings } = L4Book.build(coin, levels);
    if (findings.length > 0) {
      this.lose(coin, 'finding', `snapshot at ${height}: ${describeFindings(findings)}`);
      return;
    }
    // The first one reads the whole book: now, or the first block would wait for it.
    book.rollingChecksum();
    const nobodyLive = this.#live.size === 0;
    const before = this.#ordering.released;
    if (nobodyLive && before !== null && height < before - FAR_BACK_HEIGHTS) this.#newEpoch();
    if (nobodyLive) this.#skipTo(height, time, now);
    const released = this.#ordering.released ?? height;
    state.held.dropUpTo(height);
    const behind: CatchingUpState = {
      kind: 'catching-up',
      book,
      base: height,
      baseTime: time,
      held: state.held,
      askedAt: state.askedAt,
      since: now,
      releasedThen: released,
    };
    this.#coins.set(coin, behind);
    if (height >= released) this.#goLive(coin, behind);
    this.#realign(now);
  }

  onBlock(block: UpstreamBlock, now: number): void {
    const { coin, height } = block;
    const state = this.#coins.get(coin);
    const released = this.#ordering.released;
    if (released !== null && this.#live.size > 0) {
      const likely = HEIGHT_JUMP_MAX + (now - this.#releasedAt) / SHORTEST_BLOCK_MS;
      if (height > released + likely) {
        this.lose(coin, 'height-jump', `block ${height} after ${released}`);
        return;
      }
    }
    const pushed = this.#ordering.push(coin, height, block, now);
    if (state === undefined || state.kind === 'waiting') return;
    if (pushed.kind === 'kept') return;
    if (pushed.kind === 'repeat')
      this.#onRepeat(coin, state, block, isSameBlock(pushed.first, block) ? 'same' : 'other');
    else if (state.kind === 'live') this.#onLate(coin, state, block, pushed.isOver, now);
    else this.#hold(coin, state.held, block);
  }

  /** A block of a height that is settled: known, not needed, missed (UP-7), or still in time for its coin (UP-22). */
  #onLate(coin: string, state: LiveState, block: UpstreamBlock, isOver: boolean, now: number): void {
    const known = knownOf(state, block);
    if (known !== 'none') this.#onRepeat(coin, state, block, known);
    else if (isOver || !isInTime(state, block))
      this.lose(coin, 'late-block', `block ${block.height} came after ${this.#ordering.released} was published`);
    else state.outOfTurn.add(block, now + this.#settings.reorderMs);
  }

  /** A coin repeated a height: ignored if the content is the same (UP-8), unless it sends nothing else any more. */
  #onRepeat(coin: string, state: JoinedState, { height }: UpstreamBlock, known: 'same' | 'other'): void {
    if (known === 'other') {
      this.lose(coin, 'changed-block', `block ${height} was sent again with different content`);
      return;
    }
    this.#repeatsDropped += 1;
    if (state.kind !== 'live') return;
    state.repeats += 1;
    if (state.repeats >= REPEATS_MAX)
      this.lose(coin, 'repeated-blocks', `${state.repeats} blocks up to ${height} were all published before`);
  }

  #hold(coin: string, held: HeldBlocks, block: UpstreamBlock): void {
    if (!held.add(block))
      this.lose(coin, 'changed-block', `block ${block.height} was sent again with different content`);
    else if (held.size > HELD_BLOCKS_MAX) this.lose(coin, 'overflow', `${held.size} blocks held`);
  }

  /**
   * An upstream that keeps the order of blocks has reported everything of every coin up to this height: a coin that waits for
   * no more than that is served, unless its snapshot is of a chain that fell back.
   */
  completeThrough(height: number): void {
    const released = this.#ordering.released;
    if (released === null || height < released) return;
    for (const [coin, state] of this.#coins) {
      if (state.kind === 'catching-up' && state.base >= state.askedAt) this.#goLive(coin, state);
    }
  }

  /** Bytes are arriving, so the current height is not complete yet. */
  touch(now: number): void {
    this.#ordering.touch(now);
  }

  /** Publishes what is complete, and gives up on what is overdue. */
  settle(now: number): void {
    for (let next = this.#ordering.take(this.#live, now); next !== null; next = this.#ordering.take(this.#live, now)) {
      this.#release(next, now);
    }
    this.#giveUpOutOfTurn(now);
    this.#giveUpCatchingUp(now);
  }

  /** When to call `settle` again if nothing comes in before, null when there is nothing to wait for. */
  wakeAt(): number | null {
    const due = [this.#ordering.wakeAt(this.#live), this.#ordering.waitEndsAt()].filter((at) => at !== null);
    for (const state of this.#coins.values()) {
      if (state.kind === 'catching-up') due.push(state.since + this.#settings.fallBackMs);
      if (state.kind === 'live' && state.outOfTurn.first !== undefined) due.push(state.outOfTurn.until);
    }
    return due.length === 0 ? null : Math.min(...due);
  }

  #release({ height, items, firstAt }: OrderedHeight<UpstreamBlock>, now: number): void {
    this.#releasedAt = now;
    const entries: SequencedEntry[] = [];
    const behind = [...this.#live].filter((coin) => this.isBehind(coin));
    for (const [coin, block] of items) {
      this.#releasedTime = block.time;
      const state = this.#coins.get(coin);
      if (state === undefined || state.kind === 'waiting') continue;
      if (state.kind === 'live') {
        if (block.height > state.base) state.outOfTurn.add(block, firstAt + this.#settings.reorderMs);
        const entry = this.#takeWhatIsInTurn(coin, state, now);
        if (entry !== null) entries.push(entry);
      } else {
        this.#hold(coin, state.held, block);
      }
    }
    for (const coin of behind) {
      const state = this.#coins.get(coin);
      if (state?.kind !== 'live' || items.has(coin)) continue;
      const entry = this.#takeWhatIsInTurn(coin, state, now);
      if (entry !== null) entries.push(entry);
    }
    for (const [coin, state] of this.#coins) {
      // A height that began after the coin's snapshot is complete, so everything before it that concerns the coin is here.
      if (state.kind === 'catching-up' && firstAt > state.since && height > state.releasedThen)
        this.#goLive(coin, state);
    }
    const first = items.values().next().value;
    if (entries.length > 0 && first !== undefined) {
      this.#events.published({ epoch: this.#epoch, height, time: first.time, firstAt, entries });
    }
    for (const coin of behind) if (this.#live.has(coin) && !this.isBehind(coin)) this.#events.caughtUp(coin);
  }

  /**
   * Applies a live coin's blocks in the order of their heights, up to one that needs an earlier one first (UP-22); an entry to
   * publish if its book changed (L4-24).
   */
  #takeWhatIsInTurn(coin: string, state: LiveState, now: number): SequencedEntry | null {
    const { book, outOfTurn } = state;
    const taken: UpstreamBlock[] = [];
    const changes: BookChange[] = [];
    for (let block = outOfTurn.first; block !== undefined; block = outOfTurn.first) {
      const mayBeEarly = block.height > state.last.height + 1 && now < outOfTurn.until;
      if (mayBeEarly && contradicts(block, book)) break;
      outOfTurn.shift();
      const applied = this.#apply(coin, book, block);
      if (applied === null) return null;
      const { height, time } = block;
      if (height > state.last.height) state.last = { height, time };
      state.repeats = 0;
      state.recent.add(block, applied);
      this.#events.applied(coin, height, applied);
      // L4-25: the statuses of a block without changes are dropped.
      if (applied.length === 0) continue;
      taken.push(block);
      changes.push(...applied);
    }
    if (changes.length === 0) return null;
    return { coin, ...this.#sequences.next(coin), changes, ...joined(taken) };
  }

  /** The changes with every side known, applied; null when the coin was lost over them (UP-6). */
  #apply(coin: string, book: L4Book, block: UpstreamBlock): readonly BookChange[] | null {
    const applied = applyBlock(book, block);
    if (applied.kind === 'applied') return applied.changes;
    this.lose(coin, 'finding', applied.detail);
    return null;
  }

  /** Applies what was held, in order and unseen by clients, and serves the coin from then on. */
  #goLive(coin: string, state: CatchingUpState): void {
    const { book, base, baseTime } = state;
    const recent = new RecentBlocks(RECENT_BLOCKS_MAX);
    let last: Place = { height: base, time: baseTime };
    for (const block of state.held.inOrder()) {
      const changes = this.#apply(coin, book, block);
      if (changes === null) return;
      recent.add(block, changes);
      last = { height: block.height, time: block.time };
    }
    this.#sequences.begin(coin);
    const outOfTurn = new OutOfTurn();
    this.#coins.set(coin, { kind: 'live', book, base, baseTime, recent, outOfTurn, last, repeats: 0 });
    this.#live.add(coin);
    this.#ordering.follow(coin, last.height);
    this.#events.live(coin);
  }

  /** With no coin live, nothing in between has to be published. */
  #skipTo(height: number, time: number, now: number): void {
    const before = this.#ordering.released;
    for (const passed of this.#ordering.skipTo(height)) this.#release(passed, now);
    if (before !== null && height <= before) return;
    this.#releasedTime = time;
    this.#releasedAt = now;
  }

  /**
   * A coin that does not catch up: when nothing was published all the while, the whole upstream fell back, so the chain
   * is taken up where it is, in a new epoch; else only this coin's snapshot was old.
   */
  #giveUpCatchingUp(now: number): void {
    for (const [coin, state] of this.#coins) {
      if (state.kind !== 'catching-up' || now < state.since + this.#settings.fallBackMs) continue;
      if (this.#ordering.released !== state.releasedThen) {
        this.lose(coin, 'stale-snapshot', `snapshot at ${state.base} while ${this.#ordering.released} is published`);
        continue;
      }
      this.#newEpoch();
      const { height, time } = state.held.inOrder().at(-1) ?? { height: state.base, time: state.baseTime };
      this.#skipTo(height, time, now);
      this.#goLive(coin, state);
      this.#realign(now);
      return;
    }
  }

  /** A block out of turn whose wait is over: nothing came that it could be published with, or that it needs. */
  #giveUpOutOfTurn(now: number): void {
    for (const coin of this.#live) {
      const state = this.#coins.get(coin);
      if (state?.kind !== 'live' || now < state.outOfTurn.until) continue;
      const block = state.outOfTurn.first;
      if (block === undefined) continue;
      const detail = `block ${block.height} is out of order`;
      // Applied for the finding that it gives.
      if (this.#apply(coin, state.book, block) !== null) this.lose(coin, 'late-block', `${detail}, and none followed`);
    }
  }

  #newEpoch(): void {
    for (const coin of this.#live) this.lose(coin, 'new-epoch', 'the upstream chain rolled back');
    this.#ordering.reset();
    this.#sequences.clear();
    this.#epoch = this.#newEpochId();
    this.#epochs += 1;
    this.#events.epochChanged(this.#epoch);
  }

  /** Coins that were behind the old epoch's height may be level with the new one's. */
  #realign(now: number): void {
    const released = this.#ordering.released;
    if (released === null) return;
    for (const [coin, state] of this.#coins) {
      if (state.kind !== 'catching-up' || state.releasedThen <= released) continue;
      if (state.base >= released) this.#goLive(coin, state);
      else this.#coins.set(coin, { ...state, since: now, releasedThen: released });
    }
  }
}

import { L4Book } from '@l4desk/book';
import type { BookChange, BookLevels, BookLossReason } from '@l4desk/protocol';
import type { CoinView, SequencedBlock, SequencedEntry, UpstreamBlock } from '../blocks/upstream-block.ts';
import { applyBlock, describeFindings, joined } from './apply-block.ts';
import {
  type CatchingUpState,
  type CoinState,
  HeldBlocks,
  isSameBlock,
  type JoinedState,
  knownOf,
  type LiveState,
  type Position,
  positionOf,
  RecentBlocks,
  Sequences,
} from './coin-state.ts';
import { BlockOrdering, type OrderedHeight, type OrderingSettings } from './ordering.ts';

/** Events of the sequencer. They are called synchronously while it works, so do not call back into it from a handler. */
export interface SequencerEvents {
  /** A block with book changes, to send to clients (L4-24). */
  published(block: SequencedBlock): void;
  /** The coin's book has reached the published height and is served from now on. */
  live(coin: string): void;
  /** A live coin whose book was behind the published height has caught up with it. */
  caughtUp(coin: string): void;
  /** The coin's book is no longer trusted; the coin waits to be joined again. */
  lost(coin: string, reason: BookLossReason, detail: string): void;
  /** A block was applied to a live coin's book; used by audits. */
  applied(coin: string, height: number, changes: readonly BookChange[]): void;
  /** Every sequence restarts (L4-19). */
  epochChanged(epoch: string): void;
}

/** How long a coin may stay behind the published height before its upstream is assumed to have rolled back, in ms. */
const FALL_BACK_MS = 5_000;

/** Maximum number of blocks held for a coin that is not live; more means that something is wrong upstream. */
const HELD_BLOCKS_MAX = 4_096;

/** Number of blocks that a coin remembers: about two minutes. */
const RECENT_BLOCKS_MAX = 2_048;

/** Repeated blocks at which a coin is lost: a server keeps 100 messages, so more mean that the chain replays. */
const REPEATS_MAX = 128;

/** A snapshot this far behind the published height cannot catch up: the chain was restarted. About a minute of blocks. */
const FAR_BACK_HEIGHTS = 1_000;

/** A block may be this far ahead of the published height, plus one for every 10 ms of silence; a greater height is corrupt. */
const HEIGHT_JUMP_MAX = 10_000;
const SHORTEST_BLOCK_MS = 10;

/** Turns messages into published blocks (UP-9). The caller passes time in; `wakeAt` says when to settle. */
export class Sequencer {
  readonly #settings: OrderingSettings;
  readonly #events: SequencerEvents;
  readonly #newEpochId: () => string;
  readonly #ordering: BlockOrdering<UpstreamBlock>;
  readonly #coins = new Map<string, CoinState>();
  readonly #live = new Set<string>();
  readonly #sequences = new Sequences();
  /** Coins that the source may have lost without notice: its silence does not mean that they are quiet. */
  readonly #silenceUnknown = new Set<string>();
  #epoch: string;
  #releasedTime = 0;
  #releasedAt = 0;
  #repeatsDropped = 0;
  #epochs = 1;

  constructor(settings: OrderingSettings, events: SequencerEvents, newEpochId: () => string) {
    this.#settings = settings;
    this.#events = events;
    this.#newEpochId = newEpochId;
    this.#ordering = new BlockOrdering(settings);
    this.#epoch = newEpochId();
  }

  get epoch(): string {
    return this.#epoch;
  }

  /** Height up to which every block is published or known to be quiet. */
  get height(): number | null {
    return this.#ordering.released;
  }

  get repeatsDropped(): number {
    return this.#repeatsDropped;
  }

  /** Number of epochs so far, including the current one. */
  get epochs(): number {
    return this.#epochs;
  }

  state(coin: string): CoinState['kind'] | null {
    return this.#coins.get(coin)?.kind ?? null;
  }

  seq(coin: string): number {
    return this.#sequences.of(coin);
  }

  /** A live coin's book with its height, time, epoch and seq; null while the coin is not live. */
  view(coin: string): CoinView | null {
    const state = this.#coins.get(coin);
    if (state?.kind !== 'live') return null;
    const { released } = this.#ordering;
    const published = released === null ? null : { height: released, time: this.#releasedTime };
    return { book: state.book, ...positionOf(state, published), epoch: this.#epoch, seq: this.seq(coin) };
  }

  /** Whether a live coin has known blocks that are not applied yet. Meanwhile it is not served. */
  isBehind(coin: string): boolean {
    const state = this.#coins.get(coin);
    return state?.kind === 'live' && state.late.length > 0;
  }

  /** Like `view`, but with a height no greater than the source has fully reported for the coin: what we may claim. */
  completeView(coin: string): CoinView | null {
    const view = this.view(coin);
    const state = this.#coins.get(coin);
    if (view === null || state?.kind !== 'live' || !this.#silenceUnknown.has(coin)) return view;
    const { base, baseTime, last } = state;
    return last.height > base ? { ...view, ...last } : { ...view, height: base, time: baseTime };
  }

  /** Sets whether the source's silence about a coin means that the coin is quiet; assumed by default. */
  silenceIsQuiet(coin: string, isQuiet: boolean): void {
    if (isQuiet) this.#silenceUnknown.delete(coin);
    else if (!this.#silenceUnknown.has(coin)) {
      const view = this.view(coin);
      if (view !== null) this.unchanged(coin, view.height, view.time);
      this.#silenceUnknown.add(coin);
    }
  }

  /** A live coin's book still equalled the source's at this height, so no block up to it is to come. */
  unchanged(coin: string, height: number, time: number): void {
    const state = this.#coins.get(coin);
    if (state?.kind === 'live' && height > state.base)
      this.#coins.set(coin, { ...state, base: height, baseTime: time });
  }

  add(coin: string): void {
    if (!this.#coins.has(coin)) this.#coins.set(coin, { kind: 'waiting' });
  }

  /** Removes a coin; its sequence is kept in case it returns. */
  remove(coin: string): void {
    this.#coins.delete(coin);
    this.#unfollow(coin);
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
    this.#unfollow(coin);
    this.#events.lost(coin, reason, detail);
  }

  #unfollow(coin: string): void {
    this.#live.delete(coin);
    this.#silenceUnknown.delete(coin);
    this.#ordering.forget(coin);
  }

  onSnapshot(coin: string, height: number, time: number, levels: BookLevels, now: number): void {
    const state = this.#coins.get(coin);
    if (state?.kind !== 'joining') return;
    const { book, findings } = L4Book.build(coin, levels);
    if (findings.length > 0) {
      this.lose(coin, 'finding', `snapshot at ${height}: ${describeFindings(findings)}`);
      return;
    }
    // The first checksum reads the whole book. Compute it now, so that the first block does not wait for it.
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

  /** A block of a settled height: a repeat, in time before a later one of its coin (UP-22), or missed (UP-7). */
  #onLate(coin: string, state: LiveState, block: UpstreamBlock, isOver: boolean, now: number): void {
    const known = knownOf(state, block);
    if (known !== 'none') this.#onRepeat(coin, state, block, known);
    else if (isOver || block.height < state.last.height)
      this.lose(coin, 'late-block', `block ${block.height} came after ${this.#ordering.released} was published`);
    else {
      if (state.late.length === 0) state.lateUntil = now + this.#settings.reorderMs;
      state.late.push(block);
      state.late.sort((a, b) => a.height - b.height);
    }
  }

  /** A coin repeated a height: ignored if the content is the same, unless the coin receives nothing but repeats. */
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

  /** The upstream has reported everything up to this height: coins that waited for that are served from now on. */
  completeThrough(height: number): void {
    const released = this.#ordering.released;
    if (released === null || height < released) return;
    for (const [coin, state] of this.#coins) {
      if (state.kind === 'catching-up' && state.base >= state.askedAt) this.#goLive(coin, state);
    }
  }

  /** Bytes are arriving, so the current height may not be complete yet. */
  touch(now: number): void {
    this.#ordering.touch(now);
  }

  /** Publishes complete heights, and loses coins whose wait is over. */
  settle(now: number): void {
    for (let next = this.#ordering.take(this.#live, now); next !== null; next = this.#ordering.take(this.#live, now)) {
      this.#release(next, now);
    }
    this.#giveUpLate(now);
    this.#giveUpCatchingUp(now);
  }

  /** When to call `settle` again if nothing arrives before; null if there is nothing to wait for. */
  wakeAt(): number | null {
    const due = [this.#ordering.wakeAt(this.#live)].filter((at) => at !== null);
    for (const state of this.#coins.values()) {
      if (state.kind === 'catching-up') due.push(state.since + FALL_BACK_MS);
      if (state.kind === 'live' && state.late.length > 0) due.push(state.lateUntil);
    }
    return due.length === 0 ? null : Math.min(...due);
  }

  #release({ height, items, firstAt }: OrderedHeight<UpstreamBlock>, now: number): void {
    this.#releasedAt = now;
    const entries: SequencedEntry[] = [];
    const behind = [...this.#live].filter((coin) => this.isBehind(coin));
    for (const coin of new Set([...items.keys(), ...behind])) {
      const block = items.get(coin);
      if (block !== undefined) this.#releasedTime = block.time;
      const state = this.#coins.get(coin);
      if (state === undefined || state.kind === 'waiting') continue;
      if (state.kind === 'live') {
        const entry = this.#take(coin, state, block);
        if (entry !== null) entries.push(entry);
      } else if (block !== undefined) {
        this.#hold(coin, state.held, block);
      }
    }
    for (const [coin, state] of this.#coins) {
      // A height that began after the coin's snapshot is complete, so all earlier blocks of the coin have arrived.
      if (state.kind === 'catching-up' && firstAt > state.since && height > state.releasedThen)
        this.#goLive(coin, state);
    }
    const first = items.values().next().value;
    if (entries.length > 0 && first !== undefined) {
      this.#events.published({ epoch: this.#epoch, height, time: first.time, firstAt, entries });
    }
    for (const coin of behind) if (this.#live.has(coin)) this.#events.caughtUp(coin);
  }

  /** Applies a live coin's late blocks and its block of this height. Returns an entry if the book changed (L4-24). */
  #take(coin: string, state: LiveState, block: UpstreamBlock | undefined): SequencedEntry | null {
    const blocks = state.late.splice(0);
    if (block !== undefined && block.height > state.base) blocks.push(block);
    const taken: UpstreamBlock[] = [];
    const changes: BookChange[] = [];
    for (const next of blocks) {
      const applied = this.#apply(coin, state.book, next);
      if (applied === null) return null;
      const { height, time } = next;
      state.last = { height, time };
      state.repeats = 0;
      state.recent.add(next);
      this.#events.applied(coin, height, applied);
      // L4-25: the statuses of a block without changes are dropped.
      if (applied.length === 0) continue;
      taken.push(next);
      changes.push(...applied);
    }
    if (changes.length === 0) return null;
    return { coin, ...this.#sequences.next(coin), changes, ...joined(taken) };
  }

  /** Applies a block. Returns its changes, each with its side; null if this lost the coin (UP-6). */
  #apply(coin: string, book: L4Book, block: UpstreamBlock): readonly BookChange[] | null {
    const applied = applyBlock(book, block);
    if (applied.kind === 'applied') return applied.changes;
    this.lose(coin, 'finding', applied.detail);
    return null;
  }

  /** Applies the held blocks in order, without publishing them, and serves the coin from then on. */
  #goLive(coin: string, state: CatchingUpState): void {
    const { book, base, baseTime } = state;
    const recent = new RecentBlocks(RECENT_BLOCKS_MAX);
    let last: Position = { height: base, time: baseTime };
    for (const block of state.held.inOrder()) {
      if (this.#apply(coin, book, block) === null) return;
      recent.add(block);
      last = { height: block.height, time: block.time };
    }
    this.#sequences.begin(coin);
    this.#coins.set(coin, { kind: 'live', book, base, baseTime, recent, late: [], lateUntil: 0, last, repeats: 0 });
    this.#live.add(coin);
    this.#ordering.follow(coin, last.height);
    this.#events.live(coin);
  }

  /** Advances to a height without publishing what lies in between; used while no coin is live. */
  #skipTo(height: number, time: number, now: number): void {
    const before = this.#ordering.released;
    for (const passed of this.#ordering.skipTo(height)) this.#release(passed, now);
    if (before !== null && height <= before) return;
    this.#releasedTime = time;
    this.#releasedAt = now;
  }

  /** Loses coins that do not catch up; if nothing else was published, the whole upstream rolled back. */
  #giveUpCatchingUp(now: number): void {
    for (const [coin, state] of this.#coins) {
      if (state.kind !== 'catching-up' || now < state.since + FALL_BACK_MS) continue;
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

  /** Loses coins with a late block for which no height arrived to publish it with. */
  #giveUpLate(now: number): void {
    for (const coin of this.#live) {
      const state = this.#coins.get(coin);
      if (state?.kind !== 'live' || state.late.length === 0 || now < state.lateUntil) continue;
      this.lose(coin, 'late-block', `block ${state.late[0]?.height} is out of order, and none followed`);
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

  /** Coins that were behind the old epoch's height may have reached the new one's. */
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

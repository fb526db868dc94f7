import type { CoinView, Follower } from '@l4desk/client';
import type { LiveStatus } from '../messages.ts';
import type { ShownBlock } from '../panes.ts';
import type { Position } from '../position.ts';
import { bestOf, countsOf, positionOf, sizeDecimalsOf } from './book-at.ts';
import type { Unseen } from './book-journal.ts';
import type { Shown } from './shown.ts';

export function viewStatus(follower: Follower, view: CoinView, unseen: Unseen) {
  const { connection, roundTripMs } = follower;
  const { book, state, gaps, lastGap, lastBlockAt, lastMessageAt, provedHeight } = view;
  const [position, counts] = [positionOf(view), book && countsOf(book)];
  return {
    connection,
    roundTripMs,
    state,
    position,
    // A follower counts from its own start, and only breaks of a sequence that it follows.
    gaps: Math.max(gaps, unseen.count),
    lastGap: later(lastGap, unseen.last),
    lastBlockAt,
    lastMessageAt,
    provedHeight,
    best: bestOf(book),
    counts,
  };
}

function later(a: LiveStatus['lastGap'], b: LiveStatus['lastGap']): LiveStatus['lastGap'] {
  return a === undefined || (b !== undefined && b.at > a.at) ? b : a;
}

/** The exchange's time now, from its own last block: this machine's clock and a replay's may be days apart. */
export function exchangeClock(view: CoinView | undefined, { blockTime }: Position, now: number): number {
  const came = view?.lastBlockAt;
  return came === undefined ? blockTime : blockTime + Math.max(0, now - came);
}

/** What all parts of the page show of the shown block; `now` is by this machine's clock. */
export function shownBlock(shown: Shown, generation: number, now: number): ShownBlock {
  const { book, position, frozen, clock, memory } = shown;
  const best = bestOf(book);
  return {
    ...position,
    generation,
    coin: book.coin,
    frozen,
    clock,
    at: now,
    sizeDecimals: sizeDecimalsOf(book),
    best,
    direction: memory.directionOf(best),
    counts: countsOf(book),
  };
}

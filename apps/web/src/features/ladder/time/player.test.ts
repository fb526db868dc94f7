import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { BookState } from '../../../book-worker/live.ts';
import type { LiveStatus } from '../../../book-worker/messages.ts';
import type { TravelTo } from '../../../book-worker/panes/past.ts';
import type { ShownBlock } from '../../../book-worker/panes.ts';
import { Player } from './player.ts';

const NO_BOOK = { status: undefined, panes: {} } as BookState;

/** Kept blocks of these heights: a stand-in for the worker, which draws a frame after each travel. */
function keptBlocks(heights: readonly number[], recordedTo?: number, damagedFrom = Number.POSITIVE_INFINITY) {
  const listeners = new Set<() => void>();
  let place = heights.length;
  let problem: string | undefined;
  let shown: ShownBlock;
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const goTo = (next: number) => {
    place = next;
    shown = { frozen: place < heights.length, height: heights[place] } as ShownBlock;
    notify();
  };
  goTo(place);
  const live = {
    book: () => {
      if (recordedTo === undefined) return { ...NO_BOOK, shown };
      const recorded = { from: { height: heights[0] }, to: { height: recordedTo } };
      const status = { recorded: problem === undefined ? recorded : { ...recorded, problem } } as LiveStatus;
      return { ...NO_BOOK, shown, status };
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    travel: (to: TravelTo) => {
      const isDamaged = to.kind === 'step' && (heights[place + to.blocks] ?? 0) >= damagedFrom;
      problem = isDamaged ? 'The recording is damaged.' : undefined;
      if (isDamaged) notify();
      else if (to.kind === 'step') goTo(place + to.blocks);
      else if (to.kind === 'height') goTo(heights.lastIndexOf(to.height));
    },
  };
  return { live, goTo, notify, place: () => place };
}

const BLOCK_MS = 67;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Plays this many blocks; returns the place after each. */
function played(player: Player, place: () => number, blocks: number): readonly (number | string)[] {
  return Array.from({ length: blocks }, () => {
    vi.advanceTimersByTime(BLOCK_MS);
    return player.isPlaying.getState() ? place() : 'ended';
  });
}

it('plays block by block until live, also over a gap behind which the height is the same', () => {
  const { live, goTo, place } = keptBlocks([100, 101, 101, 102]);
  const player = new Player(live);
  const notified = vi.fn<() => void>();
  player.isPlaying.subscribe(notified);
  const close = player.open();
  player.play(true);
  expect(player.isPlaying.getState(), 'a live book').toBe(false);
  goTo(0);
  expect(player.isPlaying.getState(), 'a play that was refused does not begin later').toBe(false);
  player.play(true);
  expect(played(player, place, 4)).toEqual([1, 2, 3, 'ended']);
  expect(notified, 'at the begin and at the end, not per block').toHaveBeenCalledTimes(2);
  goTo(0);
  player.play(true);
  player.play(false);
  expect([played(player, place, 1), place()]).toEqual([['ended'], 0]);
  player.play(true);
  close();
  expect(played(player, place, 1)).toEqual(['ended']);
});

it('ends with a recording', () => {
  const { live, goTo, place } = keptBlocks([100, 101, 102, 103], 102);
  const player = new Player(live);
  player.open();
  goTo(0);
  player.play(true);
  expect(played(player, place, 3)).toEqual([1, 'ended', 'ended']);
  // From its end it is played anew.
  player.play(true);
  expect([place(), ...played(player, place, 3)]).toEqual([0, 1, 'ended', 'ended']);
});

it('ends at a block of a recording that cannot be read, and plays again from another one', () => {
  const { live, goTo, place } = keptBlocks([100, 101, 102, 103, 104, 105], 105, 102);
  const player = new Player(live);
  player.open();
  goTo(0);
  player.play(true);
  expect(played(player, place, 3)).toEqual([1, 'ended', 'ended']);
  goTo(0);
  player.play(true);
  expect(played(player, place, 1)).toEqual([1]);
});

it('from the end of a recording, is not ended by news that come before its first block', () => {
  const { live, goTo, notify, place } = keptBlocks([100, 101, 102, 103], 102);
  const player = new Player(live);
  player.open();
  goTo(2);
  const { travel } = live;
  live.travel = () => {};
  player.play(true);
  notify();
  expect(player.isPlaying.getState()).toBe(true);
  live.travel = travel;
  goTo(0);
  expect(played(player, place, 2)).toEqual([1, 'ended']);
});

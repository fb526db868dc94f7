import { L4Book } from '@l4desk/book';
import type { CoinState, FollowEvent } from '@l4desk/client';
import { RuleWatch, type WatchHit, type WatchRule } from '@l4desk/insight';
import { decodeUpdates } from '@l4desk/protocol';
import { Chance, SourceBook, wallet } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import type { FeedTimes } from '../feed-times.ts';
import type { JournalEntry, JournalHit } from '../journal.ts';
import { liveStatus } from '../test-support/live-status.ts';
import type { BookAt } from './book-at.ts';
import { BookNotes } from './book-notes.ts';

const NOW = Date.UTC(2026, 10, 22, 13);

/** The notes on a book that the test advances. Timers run at once, unless the test keeps them with `later`. */
function rig(later: (task: () => void, ms: number) => void = (task) => task()) {
  const source = new SourceBook('BTC', new Chance(3), 200);
  const entries: JournalEntry[] = [];
  const reports: (readonly JournalHit[])[] = [];
  let now = NOW;
  let live: BookAt | undefined;
  let isLive = true;
  let gaps = 0;
  let staleReason: string | undefined;
  let times: FeedTimes = { ...liveStatus(NOW).times, knownAt: NOW, blockAt: NOW };
  const notes = new BookNotes({
    now: () => now,
    later,
    post: (message) => {
      if (message.kind === 'journal') entries.push(message.entry);
      if (message.kind === 'hits') reports.push(message.hits);
    },
    live: () => live,
    gaps: () => gaps,
    isLive: () => isLive,
    times: () => times,
    staleReason: () => staleReason,
  });
  notes.follow('BTC');
  const state = (kind: CoinState['kind'], reason: CoinState['reason'] = null): CoinState => ({
    kind,
    reason,
    detail: reason === null ? '' : 'prev_seq 14, had 12',
    since: now,
  });
  return {
    notes,
    entries,
    reports,
    source,
    /** A snapshot of the source's current book. */
    snapshot(height: number, epoch = 'e1') {
      const { book } = L4Book.build('BTC', source.levels());
      live = { book, position: { height, seq: height, epoch, blockTime: height * 70 } };
      notes.onEvent({ kind: 'book', coin: 'BTC', book });
    },
    /** One block of the source, applied. */
    block(height: number) {
      if (live === undefined) throw new Error('no book');
      const { diffs, statuses } = source.block();
      const entry = { coin: 'BTC', seq: height, prev_seq: height - 1, order_statuses: statuses, book_diffs: diffs };
      const { coins } = decodeUpdates({
        epoch: 'e1e1e1e1-0000-4000-8000-000000000000',
        block_height: height,
        time: height * 70,
        cursor: `${height}:${height * 70}`,
        book_diffs: [entry],
      });
      const [batch] = coins;
      if (batch === undefined) throw new Error('no entry');
      expect(live.book.apply(batch.changes, batch.statuses, batch.time)).toEqual([]);
      live = { book: live.book, position: { ...live.position, height, seq: height, blockTime: height * 70 } };
      notes.onEvent({ kind: 'block', coin: 'BTC', batch });
      return batch;
    },
    become(kind: CoinState['kind'], previous: CoinState['kind'], reason: CoinState['reason'] = null) {
      isLive = kind === 'live';
      const event: FollowEvent = { kind: 'state', coin: 'BTC', state: state(kind, reason), previous: state(previous) };
      notes.onEvent(event);
    },
    /** The follower counts a gap. */
    miss() {
      gaps += 1;
    },
    /** What the service says of its books. */
    says(reason: string | undefined) {
      staleReason = reason;
    },
    pass(ms: number, change: Partial<FeedTimes> = {}) {
      now += ms;
      times = { ...times, ...change };
      notes.look();
    },
  };
}

describe('the journal', () => {
  it('notes that a book continued after a disconnect, and how many blocks had been missed', () => {
    const scene = rig();
    scene.snapshot(100);
    scene.become('live', 'building');
    scene.block(101);
    scene.become('stale', 'live', 'disconnected');
    scene.notes.onEvent({ kind: 'resumed', coin: 'BTC', missed: 12 });
    scene.block(102);
    scene.become('live', 'stale');
    expect(scene.entries.slice(1)).toMatchObject([
      { kind: 'stale', reason: 'disconnected' },
      { kind: 'resumed', coin: 'BTC', height: 101, blocks: 12 },
    ]);
  });

  it('notes how many blocks of a rebuilt book were not seen, why, and what changed meanwhile', () => {
    const scene = rig();
    scene.snapshot(100);
    scene.become('live', 'building');
    scene.block(101);
    scene.become('rebuilding', 'live', 'upstream-gap');
    const before = L4Book.build('BTC', scene.source.levels()).book;
    for (let blocks = 0; blocks < 60; blocks += 1) scene.source.block();
    scene.snapshot(348);
    scene.become('live', 'rebuilding');
    expect(scene.entries.map(({ kind }) => kind)).toEqual(['built', 'rebuilt']);
    expect(scene.entries[1]).toMatchObject({
      coin: 'BTC',
      height: 348,
      blocks: 247,
      unseenMs: 247 * 70,
      isNewEpoch: false,
      reason: 'upstream-gap',
      detail: 'prev_seq 14, had 12',
      missed: {
        withinBps: '25',
        bids: { bestBefore: before.best('B')?.px, bestAfter: scene.source.levels()[0][0]?.limitPx },
      },
    });
    expect(scene.notes.unseen).toEqual({ count: 1, last: { at: NOW, detail: 'prev_seq 14, had 12' } });
    scene.snapshot(350, 'e2');
    expect(scene.notes.unseen.count).toBe(2);
    expect(scene.entries.at(-1)).toMatchObject({ kind: 'rebuilt', isNewEpoch: true, blocks: 2 });
  });

  it('notes findings by kind, comparisons, and a suspicion once, with its duration', () => {
    const scene = rig();
    scene.snapshot(100);
    scene.notes.onEvent({ kind: 'findings', coin: 'BTC', findings: [{ kind: 'crossed', bid: '2', ask: '1' }] });
    const equal = { kind: 'equal', height: 100, seq: 1, at: NOW } as const;
    scene.notes.onEvent({ kind: 'verified', coin: 'BTC', verification: equal });
    scene.pass(1_500, { usual: { usualMs: 70, suspectAfterMs: 1_000 } });
    scene.pass(1_000);
    scene.pass(100, { knownAt: NOW + 2_600 });
    const [, finding, verified, suspect, recovered] = scene.entries;
    expect(finding).toMatchObject({ kind: 'finding', findings: ['crossed'] });
    const { book } = L4Book.build('BTC', scene.source.levels());
    expect(verified).toMatchObject({ kind: 'verified', outcome: 'equal', orders: book.orderCount });
    expect(suspect).toMatchObject({ kind: 'suspect', detail: 'no block for 1.5 s, usually 0.07 s', at: NOW + 1_500 });
    expect(recovered).toMatchObject({ kind: 'recovered', afterMs: 1_100 });
    expect(scene.entries).toHaveLength(5);
  });

  it('notes once that a suspect book became stale, and when it is current again, not while it is rebuilt', () => {
    const scene = rig();
    scene.snapshot(100);
    scene.become('live', 'building');
    scene.pass(1_500, { usual: { usualMs: 70, suspectAfterMs: 1_000 } });
    scene.says('the upstream does not respond');
    for (let second = 0; second < 3; second += 1) scene.pass(1_000);
    scene.says(undefined);
    scene.pass(1_000);
    scene.become('rebuilding', 'live', 'upstream-gap');
    scene.pass(1_000);
    scene.become('live', 'rebuilding');
    scene.pass(500, { knownAt: NOW + 6_900 });
    expect(scene.entries.slice(1)).toMatchObject([
      { kind: 'suspect' },
      { kind: 'stale', detail: 'the upstream does not respond' },
      { kind: 'recovered', afterMs: 5_500 },
    ]);
  });

  it('notes a wrong checksum with its block, and why the book was rebuilt', () => {
    const scene = rig();
    scene.snapshot(100);
    scene.become('live', 'building');
    scene.notes.onEvent({ kind: 'disproved', coin: 'BTC', height: 101, expected: '00ff', actual: 'ff00' });
    scene.become('rebuilding', 'live', 'audit');
    scene.snapshot(101);
    expect(scene.entries.slice(1)).toMatchObject([
      { kind: 'disproved', coin: 'BTC', height: 101, expected: '00ff', actual: 'ff00' },
      { kind: 'rebuilt', height: 101, reason: 'audit' },
    ]);
    expect(scene.notes.unseen.count, 'every block came').toBe(0);
    scene.become('live', 'rebuilding');
    scene.miss();
    scene.become('rebuilding', 'live', 'audit');
    scene.snapshot(140);
    expect(scene.notes.unseen.count).toBe(1);
  });
});

describe('watch rules', () => {
  it('run on every block of the followed book from when they are set, and report the hits of a block together', () => {
    const scene = rig();
    scene.snapshot(100);
    const first = scene.block(101);
    const inserted = first.changes.find((change) => change.kind === 'insert');
    const user = inserted?.user ?? '0x0000000000000000000000000000000000000001';
    scene.notes.setRules([{ kind: 'wallet', user, event: 'placed', minSz: '0.00000001' }, { kind: 'suspect' }]);
    for (let height = 102; height < 160; height += 1) scene.block(height);
    const hits = scene.reports.flat().map(({ hit }) => hit);
    expect(hits.length).toBeGreaterThan(0);
    for (const { facts, coin } of hits) expect([coin, facts]).toMatchObject(['BTC', { kind: 'wallet', user }]);
    expect(scene.reports.every((report) => new Set(report.map(({ hit }) => hit.height)).size === 1)).toBe(true);
    scene.pass(9_000, { usual: { usualMs: 70, suspectAfterMs: 1_000 } });
    expect(scene.reports.at(-1)).toMatchObject([{ at: NOW + 9_000, hit: { rule: 1, facts: { kind: 'suspect' } } }]);
    scene.notes.setRules([]);
    const count = scene.reports.length;
    scene.block(160);
    scene.pass(100);
    expect(scene.reports).toHaveLength(count);
  });

  it('that fire within a second after others are reported together', () => {
    const timers: { readonly task: () => void; readonly ms: number }[] = [];
    const scene = rig((task, ms) => void timers.push({ task, ms }));
    const next = () => {
      const timer = timers.shift();
      timer?.task();
      return timer?.ms;
    };
    scene.notes.setRules([{ kind: 'suspect' }, { kind: 'wallet', user: wallet(1), event: 'placed', minSz: '1' }]);
    scene.snapshot(100);
    scene.pass(9_000, { usual: { usualMs: 70, suspectAfterMs: 1_000 } });
    expect(next()).toBe(0);
    expect(scene.reports).toHaveLength(1);
    for (let height = 101; height < 400; height += 1) scene.block(height);
    expect(timers).toHaveLength(1);
    expect(next()).toBe(1_000);
    const [, later = []] = scene.reports;
    expect(new Set(later.map(({ hit }) => hit.height)).size).toBeGreaterThan(1);
  });

  it('fire in the same blocks as rules that see every block, however rarely the page looks', () => {
    const scene = rig();
    scene.snapshot(100);
    const rules: readonly WatchRule[] = [
      { kind: 'place', user: wallet(3), place: 1 },
      { kind: 'wall', withinBps: '50', minSz: '90' },
      { kind: 'spread', aboveBps: '5' },
      { kind: 'imbalance', withinBps: '20', above: '0.05' },
      { kind: 'wallet', user: wallet(3), event: 'pulled', minSz: '1' },
    ];
    const every = new RuleWatch('BTC', rules);
    const hits: WatchHit[] = [];
    const { book } = L4Book.build('BTC', scene.source.levels());
    every.onBook(book, { height: 100, time: 7_000, epoch: 'e1' });
    scene.notes.setRules(rules);
    for (let height = 101; height <= 400; height += 1) {
      const { changes, time } = scene.block(height);
      const after = L4Book.build('BTC', scene.source.levels()).book;
      hits.push(...every.onBlock(changes, after, { height, time, epoch: 'e1' }));
    }
    expect(scene.reports.flat().map(({ hit }) => hit)).toEqual(hits);
    expect(new Set(hits.map(({ rule }) => rule)).size).toBeGreaterThan(3);
    expect(hits.length).toBeGreaterThan(8);
  });
});

import { describe, expect, it } from 'vitest';
import {
  type BlockAge,
  blockAgeHint,
  blockAgeOf,
  briefText,
  reportedBlocks,
  shownAgeOf,
  suspicionOf,
} from './clocks.ts';
import type { FeedTimes } from './feed-times.ts';
import { liveStatus } from './test-support/live-status.ts';

const NOW = Date.UTC(2026, 10, 22, 13, 0, 0);

const NOTHING: FeedTimes = liveStatus(NOW).times;

const timed = (change: Partial<FeedTimes>) => ({ times: { ...NOTHING, ...change } });

const LIVELY = { usualMs: 70, suspectAfterMs: 1_000 };

/** A service report, received `heardMs` ago, that its last block was `ageMs` old. */
const report = (ageMs: number, heardMs = 300) => ({
  time: NOW,
  connected: true,
  ageMs: 20,
  blocks: { ageMs, usualMs: 60, suspectAfterMs: 1_000 },
  heardAt: NOW - heardMs,
});

describe('suspicion of a live book', () => {
  it('suspects a busy coin after a second without a block, and reports both times', () => {
    expect(suspicionOf(timed({ usual: LIVELY, knownAt: NOW - 1_000 }), NOW)).toBeUndefined();
    expect(suspicionOf(timed({ usual: LIVELY, knownAt: NOW - 1_234 }), NOW)).toMatchObject({
      kind: 'silent',
      text: 'no block for 1.2 s, usually 0.07 s',
    });
  });

  it('does not suspect a quiet coin while blocks of other coins arrive, or before its pace is known', () => {
    const usual = { usualMs: 5_000, suspectAfterMs: 40_000 };
    expect(suspicionOf(timed({ usual, knownAt: NOW - 20_000, upstream: report(100) }), NOW)).toBeUndefined();
    expect(suspicionOf(timed({ knownAt: NOW - 600_000, upstream: report(100) }), NOW)).toBeUndefined();
    expect(suspicionOf(timed({ knownAt: undefined }), NOW)).toBeUndefined();
  });

  it('suspects a quiet coin when the upstream delivers no block of any coin', () => {
    const usual = { usualMs: 5_000, suspectAfterMs: 40_000 };
    const times = { usual, knownAt: NOW - 20_000, blockAt: NOW - 20_000, upstream: report(1_400) };
    expect(suspicionOf(timed(times), NOW)).toMatchObject({
      kind: 'upstream',
      text: 'upstream without a block for 1.4 s, usually 0.06 s',
    });
  });

  it('suspects a book without any block when the upstream is known to stand still', () => {
    const { blocks: _, ...rest } = report(0);
    const upstream = { ...rest, blocks: { ageMs: 6_200, usualMs: 0, suspectAfterMs: 0 } };
    const still = suspicionOf(timed({ knownAt: NOW - 6_200, blockAt: undefined, upstream }), NOW);
    expect(still).toMatchObject({ kind: 'upstream', text: 'upstream without a block for 6.2 s' });
  });

  it('does not suspect the upstream when a block arrived after the service’s report', () => {
    expect(suspicionOf(timed({ blockAt: NOW - 50, upstream: report(1_400) }), NOW)).toBeUndefined();
    expect(reportedBlocks(timed({ blockAt: NOW - 9_000, upstream: report(100) }), NOW)?.ageMs).toBe(100);
    expect(reportedBlocks(timed({ blockAt: NOW - 20, upstream: report(100) }), NOW)?.ageMs).toBe(20);
    expect(reportedBlocks(undefined, NOW)).toBeUndefined();
  });

  it('names the service, not its upstream, when the report is overdue and no block arrived since', () => {
    const heard = (heardMs: number, blockAt?: number) =>
      suspicionOf(timed({ knownAt: NOW - 9_000, blockAt, upstream: report(100, heardMs) }), NOW);
    expect(heard(2_500)).toBeUndefined();
    expect(heard(3_000)).toMatchObject({ kind: 'service', text: 'nothing from the service for 3.0 s' });
    expect(heard(3_000, NOW - 9_000)).toMatchObject({ kind: 'service', text: 'nothing from the service for 3.0 s' });
    expect(heard(9_000, NOW - 2_600)).toMatchObject({ text: 'nothing from the service for 2.6 s' });
    expect(heard(9_000, NOW - 1_000)).toBeUndefined();
  });

  it('does not count a fresh snapshot as evidence: it may be of an old block', () => {
    const opened = timed({ knownAt: NOW - 5, blockAt: undefined, upstream: report(27_000) });
    expect(suspicionOf(opened, NOW)).toMatchObject({ kind: 'upstream' });
  });

  it('counts a fresh snapshot as heard from the service', () => {
    const built = timed({ knownAt: NOW - 2_000, blockAt: undefined, upstream: report(100, 3_800) });
    expect(suspicionOf(built, NOW)).toBeUndefined();
  });

  it('suspects late blocks, compared with the lowest delay, unless their time is not current', () => {
    const late = (ms: number, usualMs: number) => suspicionOf(timed({ delay: { ms, usualMs } }), NOW);
    expect(late(3_100, 120)).toMatchObject({ kind: 'late', text: 'blocks come 3.1 s late, usually 0.12 s' });
    expect(late(1_600, 120)).toBeUndefined();
    expect(late(9_000, 8_000)).toBeUndefined();
    // A market stepped by hand runs ahead, then the clock catches up with it.
    expect(late(100, -40_000)).toBeUndefined();
    expect(late(3e10, 100)).toBeUndefined();
  });
});

describe('the age of the last block', () => {
  const ageOf = (blockTime: number, source: 'live' | 'simulated' | 'recorded', times: Partial<FeedTimes> = {}) => {
    const { position } = liveStatus(NOW);
    if (position === undefined) throw new Error('no position');
    return blockAgeOf(liveStatus(NOW, { position: { ...position, blockTime }, ...timed(times) }), source, NOW);
  };

  it('is the clock minus the block’s own time, corrected by the clock offset', () => {
    expect(ageOf(NOW - 340, 'live')).toEqual({ kind: 'wall', ms: 340 });
    expect(ageOf(NOW - 340, 'live', { offset: { ms: -200, withinMs: 2 } })).toEqual({ kind: 'wall', ms: 140 });
    // A node that is a day behind shows that age.
    expect(ageOf(NOW - 86_400_000, 'live')).toEqual({ kind: 'wall', ms: 86_400_000 });
  });

  it('of a held block is as much more as that block is older than the last one', () => {
    const position = { height: 100, seq: 7, epoch: 'e', blockTime: NOW - 340 };
    const last = liveStatus(NOW, { position, ...timed({}) });
    const frozen = { ...position, height: 90, blockTime: NOW - 60_340, at: NOW, asked: undefined };
    expect(shownAgeOf(last, 'live', NOW)?.ms).toBe(340);
    expect(shownAgeOf({ ...last, frozen }, 'live', NOW)?.ms).toBe(60_340);
  });

  it('counts from the arrival where the block’s time is not current', () => {
    expect(ageOf(NOW - 340, 'recorded')).toEqual({ kind: 'arrival', ms: 60 });
    expect(ageOf(NOW - 1e10, 'simulated')).toEqual({ kind: 'arrival', ms: 60 });
    expect(ageOf(NOW + 5_000, 'simulated')).toEqual({ kind: 'arrival', ms: 60 });
    expect(ageOf(NOW, 'live', { knownAt: undefined })).toBeUndefined();
  });

  it('is never less than the time since it arrived, although the exchange’s clock is a little ahead', () => {
    expect(ageOf(NOW + 1, 'live', { offset: { ms: 0, withinMs: 3 } })).toEqual({ kind: 'wall', ms: 60 });
    expect(ageOf(NOW - 3_900, 'live', { knownAt: NOW - 4_500 })).toEqual({ kind: 'wall', ms: 4_500 });
    expect(ageOf(NOW, 'live', { knownAt: undefined })).toBeUndefined();
  });

  it('explains how it was measured, and how far the clocks are apart', () => {
    const wall: BlockAge = { kind: 'wall', ms: 1 };
    expect(blockAgeHint(wall, NOTHING, 'live')).toMatch(/clock minus the time of its last block.*not compared/s);
    const off = { ...NOTHING, offset: { ms: 1_250, withinMs: 2 } };
    expect(blockAgeHint(wall, off, 'live')).toContain('clock is 1.2 s behind the service’s (± 2 ms, from round trips)');
    expect(blockAgeHint(wall, { ...NOTHING, offset: { ms: -2_000, withinMs: 1 } }, 'live')).toContain('ahead of');
    expect(blockAgeHint(wall, { ...NOTHING, offset: { ms: 1, withinMs: 1.5 } }, 'live')).toContain('agrees');
    expect(blockAgeHint({ kind: 'arrival', ms: 1 }, NOTHING, 'recorded')).toContain('this is a replay');
    expect(blockAgeHint({ kind: 'arrival', ms: 1 }, NOTHING, 'simulated')).toContain('not current');
  });

  it.each([
    [0, '0.00 s'],
    [72, '0.07 s'],
    [1_249, '1.2 s'],
    [9_999, '9.9 s'],
    [14_900, '14 s'],
    [200_000, '3 m'],
  ])('%d ms is %s', (ms, text) => expect(briefText(ms)).toBe(text));
});

import { describe, expect, it } from 'vitest';
import { countEntry, type JournalEntry, NO_COUNTS } from '../../../book-worker/journal.ts';
import { countsText, journalText, newestFirst, rebuiltDetails } from './journal-texts.ts';

const AT = { at: Date.UTC(2026, 10, 22, 13), coin: 'BTC' };

const side = {
  bestBefore: '81307',
  bestAfter: '81311.5',
  added: { orders: 12, sz: '4.5' },
  gone: { orders: 1_204, sz: '18.25' },
  resized: 3,
} as const;

const rebuilt: Extract<JournalEntry, { kind: 'rebuilt' }> = {
  ...AT,
  kind: 'rebuilt',
  height: 985_148_479,
  epoch: 'e',
  isNewEpoch: false,
  blocks: 247,
  unseenMs: 14_200,
  reason: 'upstream-gap',
  detail: 'prev_seq 14, had 12',
  missed: { withinBps: '25', bids: side, asks: { ...side, bestBefore: null, bestAfter: null } },
};

describe('the journal', () => {
  it('describes what an outage hid, with its blocks and duration', () => {
    expect(journalText(rebuilt)).toBe('rebuilt: 247 blocks (14 s) unseen');
    expect(rebuiltDetails(rebuilt)).toEqual([
      'bid 81,307 → 81,311.5 · added 12 (4.5) · gone 1,204 (18.25) · resized 3',
      'ask none · added 12 (4.5) · gone 1,204 (18.25) · resized 3',
      'orders within 25 bps; lost because: upstream-gap, prev_seq 14, had 12',
    ]);
    expect(journalText({ ...rebuilt, blocks: 0, unseenMs: 0 })).toBe('rebuilt at the same block: nothing unseen');
    expect(journalText({ ...rebuilt, blocks: -9, isNewEpoch: true })).toBe(
      'rebuilt: the chain is 9 blocks back, new epoch',
    );
  });

  it('lists entries and hits together, the newest first, and at the same time the hits', () => {
    const entries = [
      { at: 1, kind: 'a' },
      { at: 5, kind: 'b' },
    ];
    const hits = [
      { at: 0, kind: 'c' },
      { at: 5, kind: 'd' },
      { at: 7, kind: 'e' },
    ];
    expect(newestFirst(entries, hits).map(({ kind }) => kind)).toEqual(['e', 'd', 'b', 'a', 'c']);
  });

  it('describes results of comparisons, findings and suspicions, and counts them by kind', () => {
    const entries: readonly JournalEntry[] = [
      { ...AT, kind: 'built', height: 7, epoch: 'e' },
      { ...AT, kind: 'finding', findings: ['crossed', 'unknown-oid'] },
      { ...AT, kind: 'finding', findings: ['crossed'] },
      { ...AT, kind: 'disproved', height: 985_148_232, expected: '9c01d3e66f20b1aa', actual: '0b1e33417ac95f02' },
      rebuilt,
      { ...AT, kind: 'resumed', height: 1_200, blocks: 41 },
      { ...AT, kind: 'verified', outcome: 'equal', height: 1_000, orders: 50_730, detail: '' },
      { ...AT, kind: 'verified', outcome: 'different', height: 1_001, orders: null, detail: 'ask 12 differs' },
      { ...AT, kind: 'verified', outcome: 'failed', height: null, orders: null, detail: 'timeout' },
      { ...AT, kind: 'suspect', reason: 'no block', detail: 'no block for 1.2 s, usually 0.07 s' },
      { ...AT, kind: 'stale', reason: 'upstream', detail: 'the upstream does not respond' },
      { ...AT, kind: 'recovered', afterMs: 4_100 },
    ];
    expect(entries.map(journalText)).toEqual([
      'built from a snapshot at block 7',
      'a block contradicted the book: crossed, unknown-oid',
      'a block contradicted the book: crossed',
      "the book was not the service's after block 985,148,232: checksum 0b1e33417ac95f02, the service's 9c01d3e66f20b1aa",
      'rebuilt: 247 blocks (14 s) unseen',
      'reconnected at block 1,200: 41 missed blocks came, nothing unseen',
      'verified at block 1,000: 50,730 orders match',
      'differed from a fresh snapshot: ask 12 differs; rebuilt',
      'not verified: timeout',
      'suspect: no block for 1.2 s, usually 0.07 s',
      'stale: the upstream does not respond',
      'blocks are back after 4 s',
    ]);
    expect(countsText({ ...entries.reduce(countEntry, NO_COUNTS), hits: 1_204 })).toBe(
      '1 rebuild (upstream-gap 1) · 4 findings (crossed 2, unknown-oid 1, checksum 1) · 2 comparisons, 1 different · 1 time suspect · 1 time stale · 1,204 watch hits',
    );
    expect(countsText(NO_COUNTS)).toBe(
      'no rebuilds · no findings · 0 comparisons, 0 different · 0 times suspect · 0 times stale · 0 watch hits',
    );
  });
});

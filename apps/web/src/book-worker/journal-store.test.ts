// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { changeAccount } from '../state/account.ts';
import type { JournalEntry, JournalHit } from './journal.ts';
import { noteHits, noteJournal, useJournal } from './journal-store.ts';

const finding = (at: number): JournalEntry => ({ at, coin: 'BTC', kind: 'finding', findings: ['crossed'] });
const hit = (at: number): JournalHit => ({
  at,
  hit: { rule: 0, coin: 'BTC', height: at, time: at, facts: { kind: 'spread', bps: '7' } },
});

beforeEach(() => {
  changeAccount('one');
  return () => changeAccount(undefined);
});

describe('the journal', () => {
  it('keeps every finding while a rule fires without end: only its own hits are dropped', () => {
    noteJournal(finding(0));
    for (let at = 1; at <= 3_000; at += 1) noteHits([hit(at), hit(at)]);
    const { entries, dropped, hits, hitsDropped, counts } = useJournal.getState();
    expect(entries).toEqual([{ ...finding(0), serial: 1 }]);
    expect({ dropped, kept: hits.length, hitsDropped, counted: counts.hits }).toEqual({
      dropped: 0,
      kept: 1_000,
      hitsDropped: 5_000,
      counted: 6_000,
    });
    expect([hits[0], hits.at(-1)]).toEqual([
      { ...hit(2_501), serial: 5_001 },
      { ...hit(3_000), serial: 6_000 },
    ]);
  });

  it('counts everything it noted, also what it no longer keeps', () => {
    for (let at = 1; at <= 1_200; at += 1) noteJournal(finding(at));
    noteJournal({ at: 1_201, coin: 'BTC', kind: 'disproved', height: 9, expected: '00', actual: 'ff' });
    const { entries, dropped, counts } = useJournal.getState();
    expect({ kept: entries.length, dropped }).toEqual({ kept: 1_000, dropped: 201 });
    expect(counts.findings).toEqual({ crossed: 1_200, checksum: 1 });
    expect(entries.at(-1)?.serial).toBe(1_201);
  });

  it('begins anew with another account', () => {
    noteJournal(finding(0));
    noteHits([hit(1)]);
    changeAccount('two');
    expect(useJournal.getState()).toMatchObject({ entries: [], hits: [], counts: { findings: {}, hits: 0 } });
  });
});

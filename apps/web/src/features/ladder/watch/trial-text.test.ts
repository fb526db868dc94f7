import { describe, expect, it } from 'vitest';
import { trialText, triedText } from './trial-text.ts';

const done = (count: number, gaps = 0) => ({
  kind: 'done' as const,
  tried: { blocks: 900, counts: [count], hits: [] },
  from: { height: 1, time: 0 },
  to: { height: 901, time: 60_000 },
  spanMs: 60_000,
  gaps,
});

describe('[WEB-96] the result of a trial', () => {
  it.each([
    [0, 'Would not have fired.'],
    [1, 'Would have fired once.'],
    [2, 'Would have fired twice.'],
    [1_007, 'Would have fired 1,007 times.'],
  ])('%i times', (count, text) => expect(trialText(done(count))).toBe(text));

  it('shows what it was tried on', () => {
    expect(triedText(done(1))).toBe('900 blocks, 1 m.');
    expect(triedText(done(1, 2))).toBe('900 blocks, 1 m, without 2 gaps of which nothing is known.');
  });

  it('shows the progress while running', () => {
    expect(trialText({ kind: 'running', done: 333, total: 1_000 })).toBe('Trying … 33 %');
    expect(trialText({ kind: 'running', done: 0, total: 0 })).toBe('Trying … 0 %');
  });
});

import { describe, expect, it } from 'vitest';
import { ladderFrame } from '../../../test-support/ladder-frame.ts';
import { must } from '../../../test-support/must.ts';
import { BRIGHT_MS, firstChange, rowKey, rowTexts } from './row-text.ts';

const NONE = new Map();

describe('the first changed digit', () => {
  it.each([
    ['1.00000', '1.00001', 6],
    ['1.00000', '2.00000', 0],
    ['9.50000', '10.50000', 0],
    ['10.50000', '9.50000', 0],
    ['1,999.5', '2,000.5', 0],
    ['12.5', '12.5', 4],
  ])('from %s to %s is at %i', (before, after, at) => {
    expect(firstChange(before, after)).toBe(at);
  });
});

describe('texts of a row from frame to frame', () => {
  const frame = (sz: `${number}`) => ladderFrame({ asks: [{ px: '101', sz, cumulative: sz, count: 1 }] });

  it('brightens a changed size for less than 150 ms', () => {
    expect(BRIGHT_MS).toBeLessThan(150);
    const first = frame('1.5');
    const before = rowTexts(first, NONE, 0, true);
    const after = rowTexts(frame('1.6'), before, 1_000, true);
    expect(after.get(rowKey(must(first.rows[0])))).toMatchObject({
      size: '1.6',
      sizeChanged: 2,
      brightUntil: 1_000 + BRIGHT_MS,
    });
    expect(before.get(rowKey(must(first.rows[0])))?.brightUntil).toBe(0);
  });

  it('fades with the frame after the next one of a book with 15 blocks a second, before its time is over', () => {
    const changed = rowTexts(frame('1.6'), rowTexts(frame('1.5'), NONE, 0, true), 1_000, true);
    const brightUntil = (texts: typeof changed) => [...texts.values()][0]?.brightUntil;
    const next = rowTexts(frame('1.6'), changed, 1_067, true);
    expect(brightUntil(next)).toBe(1_000 + BRIGHT_MS);
    expect(brightUntil(rowTexts(frame('1.6'), next, 1_134, true))).toBe(0);
  });

  it('brightens nothing when reduced motion is requested', () => {
    const before = rowTexts(frame('1.5'), NONE, 0, false);
    expect([...rowTexts(frame('1.6'), before, 1_000, false).values()][0]?.brightUntil).toBe(0);
  });

  it('keeps a bid and an ask of one price as two rows', () => {
    const both = ladderFrame({
      asks: [{ px: '100', sz: '1', cumulative: '1', count: 1 }],
      bids: [{ px: '100', sz: '2', cumulative: '2', count: 1 }],
    });
    expect(rowTexts(both, NONE, 0, true).size).toBe(2);
  });
});

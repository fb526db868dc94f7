import { describe, expect, it } from 'vitest';
import { History } from './history.ts';
import type { HistoryEntry } from './order.ts';

const entry = (time: number) => ({ time }) as HistoryEntry;

describe('an order history', () => {
  it.each([0, 2, 3, 4, 11])('keeps the newest of %d entries up to its maximum, newest first', (count) => {
    const history = new History<HistoryEntry>(3);
    for (let time = 1; time <= count; time += 1) history.add(entry(time));
    const kept = Array.from(history.newestFirst(), ({ time }) => time);
    expect(kept).toEqual([count, count - 1, count - 2].filter((time) => time > 0));
    expect(history.size).toBe(kept.length);
  });
});

import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { collectGarbage } from '@l4desk/testkit';
import { describe, expect, it, vi } from 'vitest';
import { Deadline } from './l4BookSnapshot.ts';

describe('a deadline', () => {
  it('[UP-38] aborts after its time, even after garbage collection', async () => {
    const client = new AbortController();
    const { signal } = new Deadline(200, client.signal);
    const aborted = once(signal, 'abort');
    for (let count = 0; count < 3; count += 1) {
      collectGarbage();
      await turn();
    }
    await aborted;
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('aborts when the client disconnects, and at once if it already has', () => {
    const client = new AbortController();
    const before = new Deadline(60_000, client.signal);
    expect(before.signal.aborted).toBe(false);
    client.abort();
    expect(before.signal.reason).toBe(client.signal.reason);
    expect(new Deadline(60_000, client.signal).signal.reason).toBe(client.signal.reason);
  });

  it('leaves no timer and no longer aborts once it has ended', () => {
    vi.useFakeTimers();
    try {
      const client = new AbortController();
      const deadline = new Deadline(100, client.signal);
      deadline.end();
      expect(vi.getTimerCount()).toBe(0);
      client.abort();
      expect(deadline.signal.aborted).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });
});

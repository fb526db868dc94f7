import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { collectGarbage } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { Deadline } from './l4BookSnapshot.ts';

describe('a deadline', () => {
  it('[SNAP-17] aborts after its time, even after garbage collection', async () => {
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
});

import { FEED_SILENT_MS } from '@l4desk/feed/core';
import type { SystemClock } from '@l4desk/runtime/node';
import { expect, test, vi } from 'vitest';
import { LeaderStream } from './leader-stream.ts';

const NOTHING = () => {};

test('the log says when a gateway no longer hears the sequencer, and when it does again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    let now = 0;
    const clock: SystemClock = { now: () => now, wallNow: () => now, after: () => NOTHING, afterInput: (run) => run() };
    const lines: string[] = [];
    const line = (_: object, text: string) => void lines.push(text);
    const log = { debug: line, info: line, warn: line, error: line };
    const events = { message: NOTHING, term: NOTHING, missed: NOTHING, status: NOTHING };
    const settings = { url: 'nats://127.0.0.1:9', id: 'test', replicas: 1 };
    const stream = new LeaderStream(settings, clock, log, { ...events, up: NOTHING, down: NOTHING, changed: NOTHING });
    stream.leader.onReceived();
    vi.advanceTimersByTime(1_000);
    expect(lines).toEqual([]);

    now += FEED_SILENT_MS + 1;
    vi.advanceTimersByTime(1_000);
    expect(lines).toEqual(['gateway cut off']);
    stream.leader.onReceived();
    stream.leader.onReceived();
    expect(lines).toEqual(['gateway cut off', 'gateway hears the sequencer again']);
    await stream.close();
  } finally {
    vi.useRealTimers();
  }
});

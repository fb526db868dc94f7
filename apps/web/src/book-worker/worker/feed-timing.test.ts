import type { UpstreamStatus } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { FeedTiming } from './feed-timing.ts';

const NOW = Date.UTC(2026, 4, 5, 17, 39, 12);

const report = (time: number): UpstreamStatus => ({ time, connected: true, ageMs: 5, blocks: null });

it('an age goes on being corrected by the offset of the clocks after the connection is lost', () => {
  const timing = new FeedTiming();
  timing.onUpstream(report(NOW - 120_000), NOW, 10);
  const offset = { ms: -119_995, withinMs: 5 };
  expect(timing.times.offset).toEqual(offset);
  timing.disconnected();
  expect(timing.times).toMatchObject({ upstream: undefined, offset });
  // The next connection may be to another machine.
  timing.onUpstream(report(NOW + 1_000), NOW + 1_000, 20);
  expect(timing.times.offset).toEqual({ ms: 10, withinMs: 10 });
});

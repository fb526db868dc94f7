import { expect, it } from 'vitest';
import { pause, systemClock } from './system-clock.ts';

it('pauses until the time is over, or at most until the signal aborts', async () => {
  const end = new AbortController();
  await pause(systemClock, 1, end.signal);
  expect(end.signal.aborted).toBe(false);
  const paused = pause(systemClock, 600_000, end.signal);
  end.abort();
  await paused;
  await pause(systemClock, 600_000, end.signal);
});

import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { collectGarbage, FakeClock } from '@l4desk/testkit';
import { expect, test } from 'vitest';
import { afterReading, every, pause, systemClock, timeoutSignal } from './system-clock.ts';

test('[UP-22] what waits for input runs after it, unless it is cancelled meanwhile', () => {
  const clock = new FakeClock();
  const reading: (() => void)[] = [];
  clock.afterInput = (run) => void reading.push(run);
  const ran: string[] = [];
  afterReading(clock, 10, () => ran.push('first'));
  const cancel = afterReading(clock, 10, () => ran.push('cancelled'));
  clock.advance(10);
  expect([ran, reading.length]).toEqual([[], 2]);
  cancel();
  for (const run of reading) run();
  expect(ran).toEqual(['first']);
});

test('what recurs goes on until it is ended, also by itself', () => {
  const clock = new FakeClock();
  let runs = 0;
  const end = every(clock, 10, () => {
    runs += 1;
    if (runs === 3) end();
  });
  clock.advance(1_000);
  expect([runs, clock.waiting]).toEqual([3, []]);
});

test('a pause ends when its time is over, or at most when the signal aborts', async () => {
  const end = new AbortController();
  await pause(systemClock, 1, end.signal);
  expect(end.signal.aborted).toBe(false);
  const paused = pause(systemClock, 600_000, end.signal);
  end.abort();
  await paused;
  await pause(systemClock, 600_000, end.signal);
});

test('a timeout signal aborts one combined with it even after a garbage collection', async () => {
  const other = new AbortController();
  const either = AbortSignal.any([other.signal, timeoutSignal(200)]);
  const aborted = once(either, 'abort');
  for (let count = 0; count < 3; count += 1) {
    collectGarbage();
    await turn();
  }
  await aborted;
  expect(either.reason).toMatchObject({ name: 'TimeoutError' });
});

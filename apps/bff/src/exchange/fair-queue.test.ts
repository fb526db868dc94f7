import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FairQueue } from './fair-queue.ts';
import { UpstreamError } from './upstream-error.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const queueOf = (weightPerMinute: number, connectionsMax = 1_000) =>
  new FairQueue({ weightPerMinute, connectionsMax, waitingMax: 1_000, now: () => performance.now() });

it('[UP-24] light calls of busier accounts do not starve a heavy call', async () => {
  const queue = queueOf(1_000);
  const enter = async (user: string, weight: number) => {
    const { signal } = new AbortController();
    const turn = await queue.enter(user, { base: weight, extraMax: 0 }, Number.MAX_SAFE_INTEGER, signal);
    turn.end(0);
  };
  const second = async () => {
    for (const user of ['a', 'b', 'd']) {
      void enter(user, 20);
      await vi.advanceTimersByTimeAsync(333);
    }
  };
  for (let n = 0; n < 90; n += 1) await second();
  // They use all but about 80, and take up whatever leaves the window.
  let isSent = false;
  void enter('c', 120).then(() => (isSent = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(isSent).toBe(false);
  for (let n = 0; n < 35; n += 1) await second();
  expect(isSent).toBe(true);
});

it('[UP-4, UP-24] never exceeds the limit and never forgets a waiting call, whatever the order of arrivals', async () => {
  const step = fc.record({
    wait: fc.nat(30_000),
    user: fc.constantFrom('a', 'b', 'c', undefined),
    base: fc.constantFrom(1, 2, 20, 35),
    extra: fc.constantFrom(0, 0, 5, 30),
    patience: fc.nat(200_000),
    lasts: fc.nat(20_000),
  });
  const outcomes = { went: 0, gaveUp: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 70, max: 150 }),
      fc.integer({ min: 1, max: 12 }),
      async (steps, weightPerMinute, connectionsMax) => {
        const queue = queueOf(weightPerMinute, connectionsMax);
        const uses: { readonly at: number; readonly weight: number }[] = [];
        let open = 0;
        const run = async ({ user, base, extra, patience, lasts }: (typeof steps)[number]) => {
          const leave = new AbortController();
          const timer = setTimeout(() => leave.abort(new Error('enough')), patience);
          const deadline = performance.now() + patience;
          try {
            const turn = await queue.enter(user, { base, extraMax: extra }, deadline, leave.signal);
            clearTimeout(timer);
            outcomes.went += 1;
            open += 1;
            expect(open).toBeLessThanOrEqual(connectionsMax);
            uses.push({ at: performance.now(), weight: base });
            await new Promise((resolve) => setTimeout(resolve, lasts));
            open -= 1;
            uses.push({ at: performance.now(), weight: extra });
            turn.end(extra);
          } catch (error) {
            if (error instanceof UpstreamError) outcomes.refused += 1;
            else if (error === leave.signal.reason) outcomes.gaveUp += 1;
            else throw error;
          }
        };
        const calls: Promise<void>[] = [];
        for (const each of steps) {
          await vi.advanceTimersByTimeAsync(each.wait);
          calls.push(run(each));
        }
        await vi.advanceTimersByTimeAsync(1_000_000);
        await Promise.all(calls);
        expect([open, queue.waiting, queue.inFlight, queue.weightUsed]).toEqual([0, 0, 0, 0]);
        for (const { at } of uses) {
          const inWindow = uses.filter((use) => use.at > at - 60_000 && use.at <= at);
          expect(inWindow.reduce((sum, use) => sum + use.weight, 0)).toBeLessThanOrEqual(weightPerMinute);
        }
      },
    ),
    { numRuns: 100 },
  );
  for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(0);
});

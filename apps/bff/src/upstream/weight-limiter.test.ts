import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { NoRoom, WeightLimiter } from './weight-limiter.ts';

/** A clock that moves when told to, and runs what is due. */
class HandClock {
  time = 0;
  readonly #due = new Set<{ readonly at: number; readonly run: () => void }>();

  readonly now = () => this.time;

  readonly after = (ms: number, run: () => void) => {
    const task = { at: this.time + ms, run };
    this.#due.add(task);
    return () => void this.#due.delete(task);
  };

  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      const next = [...this.#due].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.time = next.at;
      this.#due.delete(next);
      next.run();
      await Promise.resolve();
    }
    this.time = end;
  }
}

const never = new AbortController().signal;

function limiterOf(perMinute: number) {
  const clock = new HandClock();
  return { clock, limiter: new WeightLimiter({ perMinute, now: clock.now, after: clock.after }) };
}

describe('[UP-4] the weight of any 60 s stays within the limit', () => {
  it('whoever has room goes at once', () => {
    const { limiter } = limiterOf(100);
    expect(limiter.take(60, 0, never)).toBeUndefined();
    expect(limiter.take(40, 0, never)).toBeUndefined();
  });

  it('[UP-3] without room before the deadline the answer is no, at once, and says when there will be', async () => {
    const { clock, limiter } = limiterOf(100);
    void limiter.take(100, 0, never);
    await clock.pass(20_000);
    await expect(limiter.take(2, 59_999, never)).rejects.toEqual(new NoRoom(40_000));
  });

  it('[UP-3] with room before it the call waits, and others behind it in their order', async () => {
    const { clock, limiter } = limiterOf(100);
    void limiter.take(100, 0, never);
    const went: string[] = [];
    void limiter.take(80, 70_000, never)?.then(() => went.push('big'));
    void limiter.take(2, 70_000, never)?.then(() => went.push('small'));
    await clock.pass(59_999);
    expect(went).toEqual([]);
    await clock.pass(1);
    expect(went).toEqual(['big', 'small']);
  });

  it('whoever gives up makes room for those behind', async () => {
    const { clock, limiter } = limiterOf(100);
    void limiter.take(50, 0, never);
    const giveUp = new AbortController();
    const left = limiter.take(100, 70_000, giveUp.signal);
    const went = vi.fn<() => void>();
    void limiter.take(50, 130_000, never)?.then(went);
    giveUp.abort(new Error('enough'));
    await expect(left).rejects.toThrow('enough');
    await clock.pass(0);
    expect(went).toHaveBeenCalledOnce();
  });

  it('weight that shows with the answer counts, even past the limit', async () => {
    const { limiter } = limiterOf(100);
    void limiter.take(20, 0, never);
    limiter.add(100);
    await expect(limiter.take(2, 59_999, never)).rejects.toBeInstanceOf(NoRoom);
  });

  it('[UP-3] a pause holds everybody', async () => {
    const { clock, limiter } = limiterOf(100);
    limiter.pause(1_000);
    await expect(limiter.take(2, 999, never)).rejects.toEqual(new NoRoom(1_000));
    const went = vi.fn<() => void>();
    void limiter.take(2, 5_000, never)?.then(went);
    await clock.pass(1_000);
    expect(went).toHaveBeenCalledOnce();
  });

  it('a query that weighs more than the limit takes all of it', () => {
    expect(limiterOf(10).limiter.take(20, 0, never)).toBeUndefined();
  });

  it('never more, whoever comes when; nobody who waits is forgotten', async () => {
    const step = fc.record({ wait: fc.nat(30_000), weight: fc.constantFrom(1, 2, 20, 35), patience: fc.nat(200_000) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 40, max: 120 }),
        async (steps, perMinute) => {
          const { clock, limiter } = limiterOf(perMinute);
          const uses: { at: number; weight: number; deadline: number }[] = [];
          const refusals: unknown[] = [];
          let waiting = 0;
          for (const { wait, weight, patience } of steps) {
            await clock.pass(wait);
            const deadline = clock.time + patience;
            const use = () => uses.push({ at: clock.time, weight, deadline });
            const turn = limiter.take(weight, deadline, never);
            if (turn === undefined) use();
            else {
              waiting += 1;
              void turn.then(use, (error: unknown) => refusals.push(error)).finally(() => (waiting -= 1));
            }
          }
          await clock.pass(10_000_000);
          await new Promise(setImmediate);
          expect(waiting).toBe(0);
          expect(refusals.every((error) => error instanceof NoRoom)).toBe(true);
          expect(uses.every(({ at, deadline }) => at <= deadline)).toBe(true);
          for (const { at } of uses) {
            const inWindow = uses.filter((use) => use.at > at - 60_000 && use.at <= at);
            expect(inWindow.reduce((sum, use) => sum + use.weight, 0)).toBeLessThanOrEqual(perMinute);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});

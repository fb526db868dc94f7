import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallQueue, type CallQueueOptions, NoTurn, type Turn } from './call-queue.ts';
import type { User } from './shared-capacity.ts';

/** A manual clock that runs due tasks when it is advanced. */
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

const weigh = (base: number, extraMax = 0) => ({ base, extraMax });
const FAR = Number.MAX_SAFE_INTEGER;

function queueOf(options: Partial<CallQueueOptions> = {}) {
  const clock = new HandClock();
  const queue = new CallQueue({
    connectionsMax: 1_000,
    waitingMax: 1_000,
    now: clock.now,
    after: clock.after,
    ...options,
  });
  return { clock, queue, went: [] as string[] };
}

type Rig = ReturnType<typeof queueOf>;

/** Enters a call, records when it is granted, and ends it at once unless `lasts` is set. */
function enter(
  { queue, went }: Rig,
  user: User,
  base: number,
  { name = user ?? 'service', deadline = FAR, lasts = false } = {},
): Turn {
  const turn = queue.enter([user], weigh(base), deadline);
  const go = () => {
    went.push(name);
    if (!lasts) queue.done(turn, 0);
  };
  const granted = turn.whenGranted();
  if (granted === undefined) go();
  else granted.then(go, () => went.push(`${name} canceled`));
  return turn;
}

const refusal = (call: () => unknown): unknown => {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('[UP-4] the weight limit of any 60 s', () => {
  it('grants a call that fits at once', () => {
    const rig = queueOf({ weightPerMinute: 100 });
    enter(rig, undefined, 60);
    enter(rig, undefined, 40);
    expect(rig.went).toEqual(['service', 'service']);
  });

  it('[UP-3] refuses a call that cannot fit before its deadline at once, and says when it could', async () => {
    const rig = queueOf({ weightPerMinute: 100 });
    for (const user of [undefined, 'a']) {
      const deadline = rig.clock.time + 39_999;
      enter(rig, user, 100);
      await rig.clock.pass(20_000);
      expect(refusal(() => rig.queue.enter([user], weigh(2), deadline))).toEqual(new NoTurn('limit', 40_000));
      await rig.clock.pass(40_000);
    }
    expect(rig.queue.waiting).toBe(0);
  });

  it('[UP-3] includes the wait of earlier calls in the same queue', () => {
    const rig = queueOf({ weightPerMinute: 100 });
    enter(rig, 'a', 100);
    enter(rig, 'a', 100);
    expect(refusal(() => rig.queue.enter(['a'], weigh(2), 119_999))).toEqual(new NoTurn('limit', 120_000));
  });

  it('[UP-3] queues a call that will fit before its deadline, and later calls of the account behind it in order', async () => {
    const rig = queueOf({ weightPerMinute: 100 });
    enter(rig, 'a', 100);
    enter(rig, 'a', 70, { name: 'big', deadline: 60_000 });
    enter(rig, 'a', 2, { name: 'small', deadline: 60_000 });
    await rig.clock.pass(59_999);
    expect(rig.went).toEqual(['a']);
    await rig.clock.pass(1);
    expect(rig.went).toEqual(['a', 'big', 'small']);
  });

  it('reserves the maximum weight of the response until it is known', async () => {
    const rig = queueOf({ weightPerMinute: 150 });
    const turn = rig.queue.enter([undefined], weigh(20, 100), FAR);
    expect(rig.queue.weightUsed).toBe(120);
    await rig.clock.pass(10_000);
    rig.queue.done(turn, 3);
    expect(rig.queue.weightUsed).toBe(23);
    await rig.clock.pass(50_000);
    expect(rig.queue.weightUsed).toBe(3);
    await rig.clock.pass(10_000);
    expect(rig.queue.weightUsed).toBe(0);
  });

  it('releases nothing for a call that ends after its weight has left the window', async () => {
    const rig = queueOf({ weightPerMinute: 150 });
    const turn = rig.queue.enter([undefined], weigh(20, 100), FAR);
    await rig.clock.pass(60_000);
    enter(rig, undefined, 50);
    rig.queue.done(turn, 0);
    expect(rig.queue.weightUsed).toBe(50);
  });

  it('lets a query that weighs more than the limit use all of it', () => {
    const rig = queueOf({ weightPerMinute: 10 });
    enter(rig, 'a', 20);
    expect([rig.went, rig.queue.weightUsed]).toEqual([['a'], 10]);
  });

  it('[UP-3] pauses all calls, and a short pause does not shorten a long one', async () => {
    const rig = queueOf({ weightPerMinute: 100 });
    rig.queue.pause(1_000);
    rig.queue.pause(10);
    expect(refusal(() => rig.queue.enter(['a'], weigh(2), 999))).toEqual(new NoTurn('limit', 1_000));
    enter(rig, 'a', 2);
    enter(rig, undefined, 2);
    await rig.clock.pass(999);
    expect(rig.went).toEqual([]);
    await rig.clock.pass(1);
    expect(rig.went).toEqual(['service', 'a']);
  });
});

describe('[UP-24] sharing between accounts', () => {
  /** Enters many calls of an account and returns how many were granted at once. */
  const flood = (rig: Rig, user: string, base: number, count = 500) => {
    const before = rig.went.length;
    for (let n = 0; n < count; n += 1) enter(rig, user, base);
    return rig.went.length - before;
  };

  it('gives a single account four fifths, and grants calls of new accounts at once', () => {
    const rig = queueOf({ weightPerMinute: 1_200 });
    expect(flood(rig, 'a', 20) * 20).toBe(960);
    for (const user of ['b', 'c', 'd']) expect(enter(rig, user, 20).state.kind).toBe('over');
  });

  it('divides the weight, not the number of calls', async () => {
    const rig = queueOf({ weightPerMinute: 1_200, waitingMax: 5_000 });
    flood(rig, 'heavy', 20, 500);
    flood(rig, 'light', 2, 5_000);
    await rig.clock.pass(300_000);
    const counts = rig.went.reduce(
      (sums, user) => sums.set(user, (sums.get(user) ?? 0) + 1),
      new Map<string, number>(),
    );
    const [heavy, light] = [(counts.get('heavy') ?? 0) * 20, (counts.get('light') ?? 0) * 2];
    // The heavy account had the first minute to itself. In all later minutes both get the same.
    expect(light).toBeGreaterThan(0.7 * heavy);
    expect(heavy).toBeGreaterThan(0.7 * light);
    expect(heavy + light).toBeGreaterThan(4 * 1_000);
  });

  it('does not delay a light call behind a heavy one of an account that has used no less', async () => {
    const rig = queueOf({ weightPerMinute: 200 });
    flood(rig, 'a', 20);
    enter(rig, 'b', 20);
    enter(rig, 'c', 120);
    enter(rig, 'b', 2, { name: 'b again' });
    expect(rig.went.slice(-2)).toEqual(['b', 'b again']);
    await rig.clock.pass(60_000);
    // The heavy call is granted before the calls of accounts that have used more.
    expect(rig.went.slice(10).indexOf('c')).toBeLessThan(3);
  });

  it('does not let light calls of busier accounts starve a heavy call', async () => {
    const rig = queueOf({ weightPerMinute: 1_000 });
    const second = async () => {
      for (const user of ['a', 'b', 'd']) {
        enter(rig, user, 20);
        await rig.clock.pass(333);
      }
    };
    for (let n = 0; n < 90; n += 1) await second();
    // They use all but about 80, and take up whatever leaves the window.
    const heavy = enter(rig, 'c', 120);
    expect(heavy.state.kind).toBe('waiting');
    // Weight used from second 60 on leaves the window from second 120 on.
    for (let n = 0; n < 35; n += 1) await second();
    expect(heavy.state.kind).toBe('over');
  });

  it('keeps some connections free of hanging calls of one account', () => {
    const rig = queueOf({ connectionsMax: 104 });
    for (let n = 0; n < 500; n += 1) enter(rig, 'a', 2, { lasts: true });
    expect(rig.queue.underWay).toBe(80);
    for (let n = 0; n < 10; n += 1) enter(rig, 'b', 2, { lasts: true });
    expect(rig.queue.underWay).toBe(90);
    expect(rig.queue.waiting).toBe(420);
  });

  it('grants the next call when one ends', () => {
    const rig = queueOf({ connectionsMax: 1 });
    const [first, second] = [enter(rig, 'a', 2, { lasts: true }), enter(rig, 'b', 2, { lasts: true })];
    expect([first.state.kind, second.state.kind]).toEqual(['granted', 'waiting']);
    rig.queue.done(first, 0);
    expect(second.state.kind).toBe('granted');
  });

  it('bounds the queue of each account separately', () => {
    const rig = queueOf({ connectionsMax: 10, waitingMax: 3 });
    const enterMany = (user: string) => {
      for (;;) enter(rig, user, 2, { lasts: true });
    };
    expect(refusal(() => enterMany('a'))).toEqual(new NoTurn('queue', 1_000));
    expect(rig.queue.waiting).toBe(3);
    expect(refusal(() => enterMany('b'))).toBeInstanceOf(NoTurn);
    expect(rig.queue.waiting).toBe(6);
  });

  it('grants a shared call once, at the first turn of any of its users', async () => {
    const rig = queueOf({ weightPerMinute: 100 });
    flood(rig, 'a', 20, 10);
    const shared = rig.queue.enter(['a'], weigh(20), FAR);
    expect(shared.state.kind).toBe('waiting');
    rig.queue.join(shared, 'b');
    expect(shared.state).toMatchObject({ kind: 'granted', user: 'b' });
    rig.queue.done(shared, 0);
    await rig.clock.pass(600_000);
    expect([rig.queue.waiting, rig.queue.underWay, rig.queue.weightUsed]).toEqual([0, 0, 0]);
  });

  it('keeps a shared call in the queues of users who still want it, and removes it when nobody does', async () => {
    const rig = queueOf({ weightPerMinute: 100 });
    flood(rig, 'a', 20, 4);
    flood(rig, 'b', 20, 1);
    const shared = rig.queue.enter(['a', 'b'], weigh(20), FAR);
    rig.queue.leave(shared, 'b');
    const behind = enter(rig, 'a', 20, { name: 'behind' });
    const granted = shared.whenGranted();
    rig.queue.cancel(shared);
    await expect(granted).rejects.toThrow('canceled by all callers');
    await rig.clock.pass(60_000);
    expect([rig.went.at(-1), behind.state.kind, rig.queue.waiting]).toEqual(['behind', 'over', 0]);
  });

  it('makes room for later calls when a call is canceled', async () => {
    const rig = queueOf({ weightPerMinute: 100 });
    enter(rig, undefined, 50);
    const big = rig.queue.enter(['a'], weigh(100), FAR);
    enter(rig, 'a', 50, { name: 'behind' });
    expect(rig.went).toEqual(['service']);
    rig.queue.cancel(big);
    await rig.clock.pass(0);
    await Promise.resolve();
    expect(rig.went).toEqual(['service', 'behind']);
  });
});

describe('[UP-25] the service’s own calls', () => {
  it('have reserved weight that no account can use', () => {
    const rig = queueOf({ weightPerMinute: 300 });
    rig.queue.reserve(60);
    for (let account = 0; account < 40; account += 1)
      for (let n = 0; n < 20; n += 1) enter(rig, `account ${account}`, 20);
    expect(rig.queue.weightUsed).toBe(240);
    for (let n = 0; n < 3; n += 1) enter(rig, undefined, 20);
    expect([rig.went.slice(-3), rig.queue.weightUsed]).toEqual([['service', 'service', 'service'], 300]);
  });

  it('have reserved connections that no account can use', () => {
    const rig = queueOf({ connectionsMax: 24 });
    for (let account = 0; account < 40; account += 1) enter(rig, `account ${account}`, 2, { lasts: true });
    expect(rig.queue.underWay).toBe(20);
    for (let n = 0; n < 4; n += 1) enter(rig, undefined, 2, { lasts: true });
    expect(rig.queue.underWay).toBe(24);
  });

  it('count toward their reserve, which is at most half of the limit', () => {
    const rig = queueOf({ weightPerMinute: 100 });
    rig.queue.reserve(1_000);
    enter(rig, undefined, 50);
    enter(rig, 'a', 50);
    expect([rig.went, rig.queue.weightUsed]).toEqual([['service', 'a'], 100]);
  });

  it('are granted before all others', async () => {
    const rig = queueOf({ weightPerMinute: 100 });
    enter(rig, undefined, 100);
    enter(rig, 'a', 2);
    enter(rig, undefined, 20);
    await rig.clock.pass(60_000);
    expect(rig.went).toEqual(['service', 'service', 'a']);
  });
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
        const { clock, queue } = queueOf({ weightPerMinute, connectionsMax });
        const uses: { readonly at: number; readonly weight: number }[] = [];
        let open = 0;
        const run = (turn: Turn, extra: number, lasts: number) => {
          outcomes.went += 1;
          open += 1;
          expect(open).toBeLessThanOrEqual(connectionsMax);
          uses.push({ at: clock.time, weight: turn.weight.base });
          clock.after(lasts, () => {
            open -= 1;
            uses.push({ at: clock.time, weight: extra });
            queue.done(turn, extra);
          });
        };
        for (const { wait, user, base, extra, patience, lasts } of steps) {
          await clock.pass(wait);
          let turn: Turn;
          try {
            turn = queue.enter([user], weigh(base, extra), clock.time + patience);
          } catch (error) {
            if (!(error instanceof NoTurn)) throw error;
            outcomes.refused += 1;
            continue;
          }
          const granted = turn.whenGranted();
          if (granted === undefined) run(turn, extra, lasts);
          else {
            clock.after(patience, () => queue.cancel(turn));
            void granted.then(
              () => run(turn, extra, lasts),
              () => (outcomes.gaveUp += 1),
            );
          }
        }
        await clock.pass(10_000_000);
        expect([open, queue.waiting, queue.underWay, queue.weightUsed]).toEqual([0, 0, 0, 0]);
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

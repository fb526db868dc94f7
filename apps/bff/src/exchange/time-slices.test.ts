import { expect, it } from 'vitest';
import { TimeSlices } from './time-slices.ts';

/** TimeSlices with a manual clock. Each step takes `stepMs`. */
function slices() {
  let now = 0;
  let turns: (() => void)[] = [];
  const time = new TimeSlices(
    () => now,
    (run) => void turns.push(run),
  );
  function* steps(name: string, count: number, stepMs: number, done: string[]): Generator<undefined, string> {
    for (let n = 0; n < count; n += 1) {
      now += stepMs;
      done.push(name);
      yield undefined;
    }
    return name;
  }
  const turn = (): void => {
    const due = turns;
    turns = [];
    for (const run of due) run();
  };
  return { time, steps, turn };
}

it('[UP-28] does short work at once', async () => {
  const { time, steps } = slices();
  const done: string[] = [];
  const outcome = time.run(steps('a', 3, 1, done));
  expect(done).toEqual(['a', 'a', 'a']);
  expect(await outcome).toBe('a');
});

it('[UP-28] continues long work in the next turn, and all work shares one slice per turn', async () => {
  const { time, steps, turn } = slices();
  const done: string[] = [];
  const outcomes = Promise.all(['a', 'b', 'c'].map((name) => time.run(steps(name, 4, 5, done))));
  expect(done.join('')).toBe('aa');
  turn();
  expect(done.join('')).toBe('aaab');
  for (let n = 0; n < 4; n += 1) turn();
  expect(done.toSorted().join('')).toBe('aaaabbbbcccc');
  turn();
  expect(await outcomes).toEqual(['a', 'b', 'c']);
});

it('[UP-28] rejects only the work that throws', async () => {
  const { time, steps, turn } = slices();
  const done: string[] = [];
  function* failing(): Generator<undefined, never> {
    yield undefined;
    throw new Error('bad');
  }
  const outcomes = Promise.allSettled([time.run(steps('a', 2, 6, done)), time.run(failing())]);
  turn();
  turn();
  expect(await outcomes).toMatchObject([{ value: 'a' }, { reason: { message: 'bad' } }]);
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DueQueue } from './due-queue.ts';

test('takes due items, earliest first, and items due at the same time in insertion order', () => {
  const action = fc.oneof(
    { weight: 3, arbitrary: fc.record({ add: fc.integer({ min: 0, max: 50 }) }) },
    { weight: 1, arbitrary: fc.record({ take: fc.integer({ min: 0, max: 60 }) }) },
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
      const queue = new DueQueue<number>();
      let model: { dueAt: number; value: number }[] = [];
      const [seen, due] = [new Array<unknown>(), new Array<unknown>()];
      for (const [value, act] of actions.entries()) {
        if ('add' in act) {
          queue.add(act.add, value);
          model.push({ dueAt: act.add, value });
          model.sort((a, b) => a.dueAt - b.dueAt || a.value - b.value);
        } else {
          seen.push(queue.take(act.take));
          due.push(model.filter(({ dueAt }) => dueAt <= act.take).map((item) => item.value));
          model = model.filter(({ dueAt }) => dueAt > act.take);
        }
        seen.push(queue.nextAt);
        due.push(model[0]?.dueAt);
      }
      expect(seen).toEqual(due);
    }),
  );
});

test('releases the memory of taken items', () => {
  const queue = new DueQueue<number>();
  for (let time = 0; time < 10_000; time += 1) {
    queue.add(time + 60_000, time);
    queue.add(time, -1);
    expect(queue.take(time)).toEqual([-1]);
  }
  expect(queue.take(70_000)).toHaveLength(10_000);
  expect(queue.nextAt).toBeUndefined();
});

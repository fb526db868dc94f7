import { compareWithLevels } from '@l4desk/book';
import type { L4BookSnapshot, Updates } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Following } from '../test-support/following.ts';

const COINS = ['A', 'B', 'C'];
const someCoins = fc.uniqueArray(fc.constantFrom(...COINS), { minLength: 1 });

/** One event between the service and the follower. */
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('block' as const), coins: someCoins }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('drop' as const), coins: someCoins, losing: someCoins }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('duplicate' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('late' as const), coins: someCoins }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('epoch' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('old snapshot' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('no snapshot' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
);

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/**
 * Plays one scenario. Checks at every event of the follower that an exact book equals the service's book at the same position.
 */
async function play(story: readonly Happening[], seed: number): Promise<void> {
  /** The service's own books, by coin, epoch and seq. */
  const truth = new Map<string, L4BookSnapshot>();
  const wrong: string[] = [];
  await using following = await Following.start({
    coins: COINS,
    seed,
    onEvent: (event, follower) => {
      if (event.kind === 'findings') wrong.push(`a finding in ${event.coin}`);
      if (event.kind !== 'book' && event.kind !== 'block') return;
      const { book, epoch, seq } = follower().coin(event.coin) ?? {};
      const expected = truth.get(`${event.coin} ${epoch} ${seq}`);
      if (expected === undefined || book === undefined) wrong.push(`${event.coin} at an unknown place, seq ${seq}`);
      else if (compareWithLevels(expected.levels, book) !== undefined)
        wrong.push(`${event.coin} differs at seq ${seq}`);
    },
  });
  const { service } = following;
  const note = () => {
    for (const coin of COINS) truth.set(`${coin} ${service.epoch} ${service.seq(coin)}`, service.snapshot(coin));
  };
  note();
  /** Stops serving old snapshots and waits until every book is the service's. */
  const settle = async () => {
    service.snapshotScript.length = 0;
    // An old snapshot followed by nothing looks complete, and so does a coin whose last entries were lost. The next block reveals
    // both (D35).
    await following.events.until(() => COINS.every((coin) => following.follower.coin(coin)?.state.kind === 'live'));
    service.block();
    note();
    await Promise.all(COINS.map((coin) => following.live(coin)));
  };
  let last: Updates | undefined;
  let held: Updates | undefined;
  let old = service.snapshot('A');
  for (const step of story) {
    switch (step.kind) {
      case 'block':
        last = service.block(step.coins);
        break;
      case 'drop':
        last = service.block(step.coins, { losing: step.losing });
        break;
      case 'duplicate':
        if (last !== undefined) service.send(last);
        break;
      case 'late':
        if (held !== undefined) service.send(held);
        held = service.make(step.coins);
        break;
      case 'epoch':
        service.flipEpoch();
        break;
      case 'cut':
        service.cut();
        break;
      case 'old snapshot': {
        const stale = old;
        service.snapshotScript.push((snapshot, response) =>
          response.end(JSON.stringify(snapshot.coin === stale.coin ? stale : snapshot)),
        );
        break;
      }
      case 'no snapshot':
        service.snapshotScript.push((_, response) => response.destroy());
        break;
      case 'settle':
        old = service.snapshot('A');
        await settle();
        break;
    }
    note();
  }
  await settle();
  expect(wrong).toEqual([]);
}

it('[L4-3, L4-4, L4-5, L4-6, L4-8] random faults between service and follower leave every exact book equal to the service’s, and every book becomes exact', async () => {
  await fc.assert(fc.asyncProperty(fc.array(happening, { minLength: 5, maxLength: 40 }), fc.nat(), play), {
    numRuns: 50,
  });
});

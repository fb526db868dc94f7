import { expect, it } from 'vitest';
import { Following } from '../test-support/following.ts';

it('requests executions if the option is on, and delivers them with their block', async () => {
  await using following = await Following.start({ coins: ['A'], executions: true });
  const { service, events } = following;
  await following.live('A');
  expect(service.said[0]?.subscription).toMatchObject({ executions: true });
  const updates = service.make(['A']);
  const executed = [{ oid: 7, sz: '0.5' as const }];
  service.send({ ...updates, book_diffs: updates.book_diffs.map((entry) => ({ ...entry, executed })) });
  await following.live('A');
  service.block(['A']);
  await following.live('A');
  const batches = events.seen.flatMap((event) => (event.kind === 'block' ? [event.batch.executed] : []));
  expect(batches).toEqual([executed, undefined]);
});

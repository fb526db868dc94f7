import { KeptLog, until } from '@l4desk/testkit';
import { expect, test } from 'vitest';
import { Lease } from './lease.ts';
import { natsSession } from './test-support/test-session.ts';

const opened = natsSession();

test.each(['{"id":', '{"id":7}'])('is taken over once it expires if its holder cannot be read: %s', async (text) => {
  const { session } = opened();
  const bucket = session.lease;
  await bucket.put('leader', text);
  const log = new KeptLog();
  let now = 0;
  const lease = new Lease(
    'one',
    { session: () => session, now: () => now, gained: () => {}, lost: () => {}, log },
    { renewMs: 10_000, checkMs: 1, expiresMs: 1_000 },
  );
  lease.start();
  const looks = () => log.lines.filter((line) => line.startsWith('warn holder of the lease cannot be read')).length;
  await until('it is looked at twice', () => looks() >= 2);
  expect(lease.isHeld).toBe(false);
  now += 1_000;
  await until('it is taken', () => lease.isHeld);
  await lease.close();
});

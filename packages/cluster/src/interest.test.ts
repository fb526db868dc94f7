import { KeptLog, until } from '@l4desk/testkit';
import { expect, test } from 'vitest';
import { JoinedInterest, OwnInterest } from './interest.ts';
import { INTEREST_TTL_MS, type NatsSession } from './nats-link.ts';
import { natsSession } from './test-support/test-session.ts';

const opened = natsSession();

test('drops the interest of a gateway that disappears once its heartbeat expires, and keeps the others', async () => {
  const { session } = opened();
  let now = 0;
  let wanted: readonly string[] = [];
  const joined = new JoinedInterest(
    (coins) => {
      wanted = [...coins.keys()].toSorted();
    },
    () => now,
    new KeptLog(),
  );
  await joined.listen(session);
  const says = (id: string, coin: string, reached: () => NatsSession | null) =>
    new OwnInterest(id, reached, () => ({ coins: [coin], all: [] }));
  let isAlive = true;
  const gone = says('gone', 'ETH', () => (isAlive ? session : null));
  const stays = says('stays', 'BTC', () => session);
  for (const interest of [gone, stays]) interest.changed();
  await until('both', () => wanted.join() === 'BTC,ETH');
  isAlive = false;
  await gone.close();
  now += INTEREST_TTL_MS - 1;
  stays.changed();
  await until('the one that stays says it again', () => wanted.join() === 'BTC,ETH' && joined.gateways === 2);
  now += 2;
  await until('the other is forgotten', () => {
    stays.changed();
    return wanted.join() === 'BTC';
  });
  expect(joined.gateways).toBe(1);
  await stays.close();
  joined.close();
});

test('ignores an interest that cannot be read, and logs it', async () => {
  const { session } = opened();
  const log = new KeptLog();
  let wanted: readonly string[] = [];
  const joined = new JoinedInterest(
    (coins) => {
      wanted = [...coins.keys()];
    },
    () => 0,
    log,
  );
  await joined.listen(session);
  const bucket = session.interest;
  const texts = ['{"coins":["AVAX"],"all":[]}', '{"coins":["DOGE"', '{"coins":"DOGE","all":[]}', '{"coins":["DOGE"]}'];
  for (const text of texts) await bucket.put('strange', text);
  await until('all are logged', () => log.lines.length === 3);
  expect(log.lines[0]).toBe('warn interest of a gateway cannot be read {"gateway":"strange"}');
  expect(wanted).toContain('AVAX');
  await bucket.delete('strange');
  await until('it is left', () => !wanted.includes('AVAX'));
  joined.close();
});

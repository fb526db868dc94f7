import { stoppedClock } from '@l4desk/testkit';
import { expect, test } from 'vitest';
import { QuietChecks } from './quiet-checks.ts';

/** Checks under a stopped clock; each waits for the test to respond. */
function rig(chance = 0) {
  const time = stoppedClock();
  const under = new Map<string, { respond: () => void; fail: () => void; signal: AbortSignal }>();
  const asked: string[] = [];
  const failed: string[] = [];
  const checks = new QuietChecks({
    everyMs: 60_000,
    withinMs: 15_000,
    ask: (coin, signal) => {
      asked.push(coin);
      return new Promise((resolve, reject) => {
        const end = (settle: () => void) => {
          under.delete(coin);
          settle();
        };
        const fail = () => end(() => reject(new Error('no response')));
        signal.addEventListener('abort', fail);
        under.set(coin, { respond: () => end(resolve), fail, signal });
      });
    },
    failed: (coin) => failed.push(coin),
    clock: time.clock,
    random: () => chance,
  });
  /** Resolves once the consequences of a response have run. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { time, under, asked, failed, checks, settled };
}

test('[UP-30] checks a coin without a message for the whole period, and again one period later', async () => {
  const { time, under, asked, checks, settled } = rig();
  checks.watch('BTC');
  time.advance(59_999);
  expect(asked).toEqual([]);
  time.advance(1);
  expect(asked).toEqual(['BTC']);
  under.get('BTC')?.respond();
  await settled();
  time.advance(59_999);
  expect(asked).toHaveLength(1);
  time.advance(1);
  expect(asked).toHaveLength(2);
});

test('[UP-30] does not check a coin that has messages', () => {
  const { time, asked, checks } = rig();
  checks.watch('BTC');
  for (let count = 0; count < 10; count += 1) {
    time.advance(59_000);
    checks.heard('BTC');
  }
  checks.heard('ETH');
  time.advance(59_999);
  expect(asked).toEqual([]);
});

test('[UP-30] runs at most four checks at a time, the longest silence first', async () => {
  const { time, under, asked, checks, settled } = rig();
  for (let index = 0; index < 10; index += 1) {
    checks.watch(`C${index}`);
    time.advance(1);
  }
  time.advance(60_000);
  expect(asked).toEqual(['C0', 'C1', 'C2', 'C3']);
  under.get('C2')?.respond();
  await settled();
  time.advance(0);
  expect(asked).toEqual(['C0', 'C1', 'C2', 'C3', 'C4']);
});

test('[UP-30] shortens the period randomly by up to a quarter, so that coins joined together are not checked together', () => {
  const { time, asked, checks } = rig(0.999);
  checks.watch('BTC');
  time.advance(45_000);
  expect(asked).toEqual([]);
  time.advance(100);
  expect(asked).toEqual(['BTC']);
});

test('[UP-30] reports a check without a response and repeats it with pauses that grow up to the period', async () => {
  const { time, asked, failed, under, checks, settled } = rig();
  checks.watch('BTC');
  time.advance(60_000);
  for (const waitMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    const before = asked.length;
    under.get('BTC')?.fail();
    await settled();
    time.advance(waitMs - 1);
    expect(asked).toHaveLength(before);
    time.advance(1);
    expect(asked).toHaveLength(before + 1);
  }
  expect(failed).toHaveLength(8);
  time.advance(15_000);
  await settled();
  expect(failed).toHaveLength(9);
  time.advance(60_000);
  under.get('BTC')?.respond();
  await settled();
  time.advance(60_000);
  const before = asked.length;
  under.get('BTC')?.fail();
  await settled();
  time.advance(1_000);
  expect(asked, 'after a response the pauses begin again').toHaveLength(before + 1);
});

test('[UP-30] ignores a failure if the coin had a message meanwhile', async () => {
  const { time, asked, failed, under, checks, settled } = rig();
  checks.watch('BTC');
  time.advance(60_000);
  time.advance(10);
  checks.heard('BTC');
  under.get('BTC')?.fail();
  await settled();
  time.advance(59_999);
  expect([failed, asked.length]).toEqual([[], 1]);
});

test('[UP-30] stops checking a forgotten coin and aborts its check in flight', async () => {
  const { time, asked, failed, under, checks, settled } = rig();
  for (const coin of ['BTC', 'ETH']) checks.watch(coin);
  time.advance(60_000);
  const { signal } = under.get('BTC') ?? {};
  checks.forget('BTC');
  expect(signal?.aborted).toBe(true);
  under.get('ETH')?.respond();
  await settled();
  checks.close();
  time.advance(600_000);
  expect([asked, failed]).toEqual([['BTC', 'ETH'], []]);
});

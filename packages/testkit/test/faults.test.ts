import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type FollowEvent, follow } from '@l4desk/client';
import { Chance, type SpecClient, type SpecGap, until } from '@l4desk/testkit';
import type { VenueFault } from '@l4desk/testkit/stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Served } from './support/served.ts';

/** Some hundreds by default; `npm run soak` takes ten thousand. */
const BLOCKS = Number(process.env.L4DESK_SOAK_BLOCKS ?? 400);
const COINS = ['BTC', 'ETH', 'SOL'];
/** A round takes this long when a loss leaves no trace until the audit. */
const HEAL_MS = 30_000;

/** A fault between exchange and service, and whose sequence it may break. */
interface Trial {
  readonly fault: VenueFault | undefined;
  readonly mayBreak: (coin: string) => boolean;
}

const nobody = () => false;
const anybody = () => true;

/** What is undone or cannot be seen breaks nothing; what loses a block may break the coins it was about (D35). */
function draw(chance: Chance): Trial {
  const coin = chance.pick(COINS);
  const only = (name: string) => name === coin;
  const blocks = chance.int(1, 4);
  return chance.pick<Trial>([
    { fault: undefined, mayBreak: nobody },
    { fault: undefined, mayBreak: nobody },
    { fault: { kind: 'duplicate', coin, blocks }, mayBreak: nobody },
    { fault: { kind: 'duplicate', blocks }, mayBreak: nobody },
    { fault: { kind: 'reorder', blocks }, mayBreak: nobody },
    { fault: { kind: 'corrupt', mode: 'fields', coin, blocks }, mayBreak: nobody },
    { fault: { kind: 'drop', coin, blocks }, mayBreak: only },
    { fault: { kind: 'drop', blocks }, mayBreak: anybody },
    { fault: { kind: 'reorder', coin, blocks }, mayBreak: only },
    { fault: { kind: 'delay', ms: 300, coin, blocks }, mayBreak: only },
    { fault: { kind: 'corrupt', mode: 'oid', coin, blocks }, mayBreak: only },
    { fault: { kind: 'corrupt', mode: 'origSz', coin, blocks }, mayBreak: only },
    { fault: { kind: 'corrupt', mode: 'crossed', coin, blocks }, mayBreak: only },
    // A torn message does not say whose it was.
    { fault: { kind: 'corrupt', mode: 'json', blocks }, mayBreak: anybody },
    { fault: { kind: 'cut' }, mayBreak: anybody },
    { fault: { kind: 'restart', ms: 100 }, mayBreak: anybody },
    { fault: { kind: 'silent', ms: 300 }, mayBreak: anybody },
  ]);
}

let served: Served;
beforeAll(async () => {
  served = await Served.start({ L4_AUDIT_MS: '1000', L4_REORDER_MS: '100' });
});
afterAll(() => served[Symbol.asyncDispose]());

/** Whether every book is the exchange's own; the market stands still meanwhile. */
async function differences(spec: SpecClient): Promise<readonly string[]> {
  const found: string[] = [];
  for (const coin of COINS) {
    const { levels, height } = await served.stack.venue.book(coin);
    const difference = spec.book(coin) === undefined ? 'no book' : spec.book(coin)?.difference(levels);
    if (difference !== undefined) found.push(`${coin} at ${height}: ${difference}`);
  }
  return found;
}

/** Waits until every book is exact. A loss shows with the coin's next block, so the market moves a little now and then. */
async function healed(spec: SpecClient, what: string): Promise<number> {
  const deadline = Date.now() + HEAL_MS;
  for (let extra = 0; ; extra += 1) {
    const patience = Date.now() + 400;
    let found = await differences(spec);
    while (found.length > 0 && Date.now() < patience) {
      await pause(20);
      found = await differences(spec);
    }
    if (found.length === 0) return extra;
    if (Date.now() > deadline) throw new Error(`${what}: not healed in ${HEAL_MS} ms: ${found.join('; ')}`);
    await served.stack.venue.step(1);
  }
}

/** Makes blocks until no fault is at work and nothing is held back any more; answers how many. */
async function faultsPass(): Promise<number> {
  const { venue } = served.stack;
  let blocks = 0;
  await until('the faults to pass', async () => {
    const { faults, silent, refusing } = await venue.state();
    if (faults.length === 0 && !silent && !refusing) return true;
    await venue.step(1);
    blocks += 1;
    return false;
  });
  return blocks;
}

/**
 * A rebuilt coin shows its gap with its next entry (L4-27), so every coin gets one, and the gap is blamed on the fault
 * that made it. Answers how many blocks that took.
 */
async function shown(spec: SpecClient, what: string): Promise<number> {
  const live = () => served.metric('l4desk_feed_coins_live');
  await until(`${what}: the service to have every book`, async () => (await live()) === COINS.length);
  const before = COINS.map((coin) => spec.position(coin)?.height ?? 0);
  let blocks = 0;
  await until(`${what}: an entry of every coin`, async () => {
    if (COINS.every((coin, index) => (spec.position(coin)?.height ?? 0) > (before[index] ?? 0))) return true;
    await served.stack.venue.step(1);
    blocks += 1;
    return false;
  });
  return blocks + (await healed(spec, what));
}

/** Books the service itself says it lost. */
function lostBooks(): Promise<number> {
  return served.metric('l4desk_feed_books_lost_total');
}

describe('while the exchange fails in every way', () => {
  it(
    '[L4-8, L4-27, L4-35, UP-6, UP-7, UP-8, UP-9, UP-10, UP-12, UP-19] three coins in one array stay the books of the exchange, and every gap is real and heals',
    async () => {
      const chance = new Chance(20_260_505);
      await using spec = served.specClient(COINS);
      const { venue } = served.stack;
      await healed(spec, 'bootstrap');
      const unexplained: { readonly trial: Trial; readonly gap: SpecGap }[] = [];
      const lostBefore = await lostBooks();
      let blocks = 0;
      while (blocks < BLOCKS) {
        const trial = draw(chance);
        const what = `seed ${chance.seed}, block ${blocks}, ${JSON.stringify(trial.fault)}`;
        const before = spec.gaps.length;
        if (trial.fault !== undefined) await venue.fault(trial.fault);
        const count = chance.int(8, 25);
        await venue.step(count);
        blocks += count + (await faultsPass()) + (await healed(spec, what)) + (await shown(spec, what));
        for (const gap of spec.gaps.slice(before)) if (!trial.mayBreak(gap.coin)) unexplained.push({ trial, gap });
      }
      expect(unexplained, `seed ${chance.seed}`).toEqual([]);
      expect(spec.violations, `seed ${chance.seed}`).toEqual([]);
      const broken = spec.gaps.filter(({ kind }) => kind === 'prev_seq').length;
      expect(broken).toBeGreaterThan(0);
      expect(await lostBooks()).toBeGreaterThanOrEqual(lostBefore + broken / COINS.length);
      expect(spec.batches).toBeGreaterThan(BLOCKS / 2);
    },
    60_000 + BLOCKS * 200,
  );

  it('[L4-8, BOOK-19] our own client holds the same books, and finds nothing in what it is sent', async () => {
    const chance = new Chance(7);
    const { venue, url } = served.stack;
    const events: FollowEvent[] = [];
    const client = createClient({ baseUrl: url, apiKey: served.apiKey, WebSocket });
    const follower = follow({ client, coins: COINS, onEvent: (event) => events.push(event) });
    await using spec = served.specClient(COINS);
    for (let round = 0; round < 8; round += 1) {
      const { fault } = draw(chance);
      if (fault !== undefined) await venue.fault(fault);
      await venue.step(chance.int(5, 15));
      await faultsPass();
      await healed(spec, `seed ${chance.seed}, round ${round}, ${JSON.stringify(fault)}`);
    }
    for (const coin of COINS) {
      expect(await follower.verify(coin)).toMatchObject({ kind: 'equal' });
      const [bids, asks] = follower.coin(coin)?.book?.levels() ?? [[], []];
      expect(spec.book(coin)?.difference([bids, asks])).toBeUndefined();
    }
    expect(events.filter(({ kind }) => kind === 'findings' || kind === 'refused')).toEqual([]);
    expect(spec.violations).toEqual([]);
    follower.close();
  }, 180_000);

  it('[L4-15, L4-19] a connection that is cut and a service that is killed are gaps that heal', async () => {
    await using spec = served.specClient(COINS);
    const { venue } = served.stack;
    await healed(spec, 'bootstrap');
    spec.breakConnection();
    await venue.step(5);
    await healed(spec, 'broken connection');
    expect(spec.gaps.map(({ coin, kind }) => `${coin} ${kind}`)).toEqual(COINS.map((coin) => `${coin} connection`));
    const epoch = spec.position('BTC')?.epoch;
    await served.stack.stop('SIGKILL');
    await served.stack.start();
    await healed(spec, 'killed service');
    expect(spec.position('BTC')?.epoch).not.toBe(epoch);
    expect(spec.violations).toEqual([]);
  }, 120_000);
});

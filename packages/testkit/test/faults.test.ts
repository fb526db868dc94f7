import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type FollowEvent, follow } from '@l4desk/client';
import { Chance, type SpecClient, until } from '@l4desk/testkit';
import type { VenueFault } from '@l4desk/testkit/stack';
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { WebSocket } from 'ws';
import { type Loss, Losses } from './support/losses.ts';
import { Served } from './support/served.ts';

/** A few hundred by default. `npm run soak` takes ten thousand. */
const BLOCKS = Number(process.env.L4DESK_SOAK_BLOCKS ?? 300);
/** The most blocks of one round. Each round has one fault, and every book is compared at its end. */
const ROUND_MAX = BLOCKS > 1_000 ? 80 : 25;
const COINS = ['BTC', 'ETH', 'SOL'];
/** A loss without a trace is found by the audit, which runs every second here. */
const HEAL_MS = 300_000;

/** A fault between exchange and service, and the coins whose books it may cost. */
interface Trial {
  readonly fault: VenueFault | undefined;
  readonly mayCost: (coin: string) => boolean;
}

const nobody = () => false;
const anybody = () => true;

/**
 * Faults that are undone, or that change nothing, cost no book. Faults that lose or corrupt a block may cost the books of its
 * coins (UP-6, UP-7).
 */
function draw(chance: Chance): Trial {
  const coin = chance.pick(COINS);
  const only = (name: string) => name === coin;
  const blocks = chance.int(1, 4);
  return chance.pick<Trial>([
    { fault: undefined, mayCost: nobody },
    { fault: undefined, mayCost: nobody },
    { fault: { kind: 'duplicate', coin, blocks }, mayCost: nobody },
    { fault: { kind: 'duplicate', blocks }, mayCost: nobody },
    { fault: { kind: 'reorder', blocks }, mayCost: nobody },
    { fault: { kind: 'corrupt', mode: 'fields', coin, blocks }, mayCost: nobody },
    { fault: { kind: 'drop', coin, blocks }, mayCost: only },
    { fault: { kind: 'drop', blocks }, mayCost: anybody },
    { fault: { kind: 'reorder', coin, blocks }, mayCost: nobody },
    { fault: { kind: 'delay', ms: 300, coin, blocks }, mayCost: only },
    { fault: { kind: 'corrupt', mode: 'oid', coin, blocks }, mayCost: only },
    { fault: { kind: 'corrupt', mode: 'origSz', coin, blocks }, mayCost: only },
    { fault: { kind: 'corrupt', mode: 'crossed', coin, blocks }, mayCost: only },
    // A torn message does not always show which coins it was for.
    { fault: { kind: 'corrupt', mode: 'json', blocks }, mayCost: anybody },
    { fault: { kind: 'cut' }, mayCost: anybody },
    { fault: { kind: 'restart', ms: 100 }, mayCost: anybody },
    { fault: { kind: 'silent', ms: 300 }, mayCost: anybody },
  ]);
}

let served: Served;
beforeAll(async () => {
  served = await Served.start({ L4_AUDIT_MS: '1000', L4_REBUILD_MAX_MS: '500' });
});
afterAll(() => served[Symbol.asyncDispose]());

/** Returns the differences from the exchange's own books. The market does not move meanwhile. */
async function differences(spec: SpecClient): Promise<readonly string[]> {
  const found: string[] = [];
  for (const coin of COINS) {
    const { levels, height } = await served.stack.venue.book(coin);
    const book = spec.book(coin);
    const difference = book === undefined ? 'no book' : book.difference(levels);
    if (difference !== undefined) found.push(`${coin} at ${height}: ${difference}`);
  }
  return found;
}

/** Waits until every book is exact. A loss shows with the coin's next block, so the market moves a little from time to time. */
async function healed(spec: SpecClient, what: string): Promise<number> {
  const deadline = Date.now() + HEAL_MS;
  for (let blocks = 0; ; blocks += 1) {
    const patience = Date.now() + 400;
    let found = await differences(spec);
    while (found.length > 0 && Date.now() < patience) {
      await pause(20);
      found = await differences(spec);
    }
    if (found.length === 0) return blocks;
    if (Date.now() > deadline) {
      const facts = [...found, ...spec.violations, ...spec.gaps.slice(-3).map(({ detail }) => detail)].join('; ');
      throw new Error(`${what}: not healed in ${HEAL_MS} ms: ${facts}\n${served.stack.log.slice(-6_000)}`);
    }
    await served.stack.venue.step(1);
  }
}

/** Makes blocks until no fault is active and nothing is held back. Returns how many. */
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
 * A rebuilt book shows its gap with the coin's next entry (L4-27). Every coin gets one, so that a gap is counted in the round
 * that caused it. Returns how many blocks that took.
 */
async function shown(spec: SpecClient, what: string): Promise<number> {
  const live = () => served.metric('l4desk_feed_coins', '"live"');
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

describe('while the exchange has every kind of fault', () => {
  it('[L4-8, L4-27, L4-6, UP-6, UP-7, UP-9, UP-10, UP-19, UP-22] three coins in one array keep the books of the exchange, and every gap is real and heals; our client proves each entry', async () => {
    const chance = new Chance(20_260_505);
    await using spec = served.specClient(COINS);
    const { venue, url } = served.stack;
    const events: FollowEvent[] = [];
    const client = createClient({ baseUrl: url, apiKey: served.apiKey, WebSocket });
    const follower = follow({ client, coins: COINS, onEvent: (event) => events.push(event) });
    const losses = new Losses(() => served.stack.log);
    await healed(spec, 'bootstrap');
    let blocks = 0;
    while (blocks < BLOCKS) {
      const { fault, mayCost } = draw(chance);
      const what = `seed ${chance.seed}, block ${blocks}, ${JSON.stringify(fault)}`;
      const before = spec.gaps.length;
      losses.take();
      if (fault !== undefined) await venue.fault(fault);
      const count = chance.int(8, ROUND_MAX);
      await venue.step(count);
      blocks += count + (await faultsPass()) + (await healed(spec, what)) + (await shown(spec, what));
      const lost = losses.take();
      const gaps = spec.gaps.slice(before);
      // A gap is real if the service lost that book and reports why.
      const unreal = gaps.filter((gap) => !lost.some(({ coin }) => coin === gap.coin));
      // A book may only be lost because of the fault. A slow machine is not a reason (UP-22).
      const needless = lost.filter(({ coin }) => !mayCost(coin));
      const { violations } = spec;
      expect({ what, unreal, needless, violations }).toEqual({ what, unreal: [], needless: [], violations: [] });
    }
    expect(spec.gaps.length).toBeGreaterThan(0);
    expect(spec.batches).toBeGreaterThan(BLOCKS / 3);
    for (const coin of COINS) {
      await until(`${coin} to be exact, and proved`, async () => {
        const view = follower.coin(coin);
        const place = spec.position(coin);
        if (view?.state.kind !== 'live' || view.seq !== place?.seq) return false;
        // A book that was fetched after the last block is proved by the next one.
        if (view.provedHeight === undefined) await venue.step(1);
        return view.provedHeight === place?.height;
      });
      expect(await follower.verify(coin)).toMatchObject({ kind: 'equal' });
      expect(spec.book(coin)?.difference(follower.coin(coin)?.book?.levels() ?? [[], []])).toBeUndefined();
    }
    expect(events.filter(({ kind }) => ['findings', 'refused', 'disproved'].includes(kind))).toEqual([]);
    follower.close();
  });

  it('[UP-10, L4-27] an audit finds a loss that nothing shows; it costs only the affected book, and heals', async () => {
    await using spec = served.specClient(COINS);
    onTestFailed(() => void process.stdout.write(served.stack.log.slice(-6_000)));
    const { venue } = served.stack;
    const losses = new Losses(() => served.stack.log);
    await healed(spec, 'bootstrap');
    losses.take();
    await venue.fault({ kind: 'drop', coin: 'BTC', blocks: 1 });
    // After the lost block the market does not move, so no later block contradicts the book.
    await faultsPass();
    const lost: Loss[] = [];
    await until('a book to be lost', () => lost.push(...losses.take()) > 0);
    await shown(spec, 'a block of BTC was lost');
    lost.push(...losses.take());
    // If the audit takes longer than a connection may be silent, the market that stands still costs the other books too.
    const byAudit = lost.filter(({ detail }) => detail !== 'silent').map(({ coin, reason }) => ({ coin, reason }));
    expect(byAudit).toEqual([{ coin: 'BTC', reason: 'audit' }]);
    expect(new Set(spec.gaps.map(({ coin }) => coin))).toEqual(new Set(lost.map(({ coin }) => coin)));
    expect(spec.violations).toEqual([]);
  });

  it('[L4-15, L4-19] a cut connection and a killed service are gaps that heal', async () => {
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
  });
});

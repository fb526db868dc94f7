import { compareWithLevels, L4Book } from '@l4desk/book';
import { Chance } from '@l4desk/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import type { MadeBlock } from '../test-support/fake-upstream.ts';
import { endRigs, FeedRig } from '../test-support/feed-rig.ts';

afterEach(endRigs);

interface Part {
  readonly coin: string;
  readonly updates: unknown;
}

/** The messages of a block, with the statuses apart from the diffs, or one message a diff. */
function partsOf({ updates }: MadeBlock, order: 'statuses first' | 'diffs first' | 'a message a diff'): Part[] {
  return [...updates].flatMap(([coin, { time, height, order_statuses, book_diffs }]) => {
    const statuses = { coin, updates: { time, height, order_statuses, book_diffs: [] } };
    const diffs = (some: readonly unknown[]) => ({
      coin,
      updates: { time, height, order_statuses: [], book_diffs: some },
    });
    if (order === 'statuses first') return [statuses, diffs(book_diffs)];
    if (order === 'diffs first') return [diffs(book_diffs), statuses];
    return [...book_diffs.map((diff) => diffs([diff])), statuses];
  });
}

/** The messages of two heights in a random order that keeps the order of the diffs of each. */
function interleaved(one: readonly Part[], other: readonly Part[], chance: Chance): Part[] {
  const [left, right] = [[...one], [...other]];
  const parts: Part[] = [];
  for (let next: Part | undefined; ; parts.push(next)) {
    next = (chance.happens(0.5) ? left.shift() : right.shift()) ?? left.shift() ?? right.shift();
    if (next === undefined) return parts;
  }
}

class SplitRig {
  readonly rig: FeedRig;
  readonly coins: readonly string[];

  private constructor(rig: FeedRig, coins: readonly string[]) {
    this.rig = rig;
    this.coins = coins;
  }

  /** A feed whose server has just split its first height. */
  static start(...coins: string[]): Promise<SplitRig> {
    return SplitRig.with({ auditMs: 0 }, coins);
  }

  /** `others` are coins that nobody follows. */
  static async with(settings: { auditMs: number }, coins: readonly string[], ...others: string[]): Promise<SplitRig> {
    const rig = await FeedRig.start([...coins, ...others], settings);
    await rig.hold(...coins);
    const split = new SplitRig(rig, coins);
    await split.send(partsOf(rig.upstream.make(['BTC']), 'statuses first'));
    await rig.until(() => rig.log.lines.some((line) => line.includes('sends a height in parts')));
    await rig.passUntil(
      () => rig.coin('BTC')?.rebuilds === 1 && coins.every((coin) => rig.coin(coin)?.state === 'live'),
    );
    rig.blocks.length = 0;
    return split;
  }

  /** Sends messages and waits until the feed has read them. */
  async send(parts: readonly Part[]): Promise<void> {
    const { messages } = this;
    for (const { coin, updates } of parts) this.rig.upstream.sendUpdates(coin, updates);
    await this.rig.until(() => this.messages >= messages + parts.length);
  }

  get messages(): number {
    return this.rig.feed.health().counters.upstreamMessages;
  }

  /** Advances time in small steps. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 10) {
      this.rig.time.advance(10);
      await new Promise(setImmediate);
    }
  }

  /** Makes a block of a coin that its next snapshots count, but do not have; they were made before all of it was read. */
  makeUnread(coin: string): Part[] {
    const { upstream } = this.rig;
    const levels = structuredClone(upstream.book(coin).levels());
    const block = upstream.make([coin]);
    upstream.falsify.set(coin, (snapshot) => ({ ...snapshot, levels }));
    return partsOf(block, 'statuses first');
  }

  /** Each coin's number of rebuilds, number of gaps in what was published, and difference from the upstream's book. */
  async verdict() {
    const rows = [];
    for (const coin of this.coins) {
      const { levels } = await this.rig.snapshot(coin);
      const difference = compareWithLevels(this.rig.upstream.book(coin).levels(), L4Book.build(coin, levels).book);
      // Statuses that are missing would show in the details of an order, which a comparison leaves out.
      const isExact = JSON.stringify(levels) === JSON.stringify(this.rig.upstream.book(coin).levels());
      rows.push({ coin, rebuilds: this.rig.coin(coin)?.rebuilds, difference, isExact });
    }
    return rows;
  }
}

const exact = (coin: string, rebuilds: number) => ({ coin, rebuilds, difference: undefined, isExact: true });

describe('a server that splits a height', () => {
  test.each(['statuses first', 'diffs first', 'a message a diff'] as const)(
    '[L4-70] has its messages of one height merged into one entry: %s',
    async (order) => {
      const split = await SplitRig.start('BTC', 'ETH');
      for (let count = 0; count < 12; count += 1) {
        await split.send(partsOf(split.rig.upstream.make(), order));
        await split.pass(70);
      }
      await split.pass(500);
      expect(split.rig.blocks).toHaveLength(12);
      expect(split.rig.blocks.every(({ entries }) => entries.length === 2)).toBe(true);
      expect(await split.verdict()).toEqual([exact('BTC', 1), exact('ETH', 0)]);
    },
  );

  test('[L4-70] may send the messages of two heights in any order', async () => {
    const split = await SplitRig.start('BTC', 'ETH');
    const chance = new Chance(5);
    for (let count = 0; count < 10; count += 1) {
      const two = [split.rig.upstream.make(), split.rig.upstream.make()];
      const [one = [], other = []] = two.map((block) => partsOf(block, 'a message a diff'));
      await split.send(interleaved(one, other, chance));
      await split.pass(140);
    }
    await split.pass(500);
    expect(split.rig.blocks).toHaveLength(20);
    const [entry] = split.rig.blocks.at(-1)?.entries ?? [];
    expect(entry?.seq).toBe((split.rig.blocks[0]?.entries[0]?.seq ?? 0) + 19);
    expect(await split.verdict()).toEqual([exact('BTC', 1), exact('ETH', 0)]);
  });

  test('[L4-70] has all statuses and all diffs of a height in one entry, as received', async () => {
    const split = await SplitRig.start('BTC');
    split.rig.feed.acquire('BTC', { statuses: 'all', deflate: false });
    const block = split.rig.upstream.make();
    await split.send(partsOf(block, 'diffs first'));
    await split.pass(300);
    const [published] = split.rig.blocks;
    const text = Buffer.from(published?.entries[0]?.all?.plain ?? []).toString();
    const sent = block.updates.get('BTC');
    expect(JSON.parse(text)).toMatchObject({
      order_statuses: sent?.order_statuses.map(() => expect.anything()),
      book_diffs: sent?.book_diffs,
    });
  });

  test('[L4-75] may make a snapshot between the parts of a height: a coin that is joined gets them all', async () => {
    const split = await SplitRig.with({ auditMs: 0 }, ['BTC'], 'SOL');
    const { upstream, feed } = split.rig;
    const unread = split.makeUnread('SOL');
    feed.acquire('SOL');
    await split.rig.passUntil(() => upstream.asked.filter((request) => request === 'subscribe SOL').length === 2);
    await split.send(unread);
    await split.rig.passUntil(() => split.rig.coin('SOL')?.state === 'live');
    expect(split.rig.coin('SOL')?.rebuilds).toBe(0);
    expect((await split.rig.snapshot('SOL')).levels).toEqual(upstream.book('SOL').levels());
  });

  test('[L4-75] may make such a snapshot for an audit, which finds no difference', async () => {
    const split = await SplitRig.with({ auditMs: 60_000 }, ['BTC']);
    const { upstream, feed } = split.rig;
    const requests = upstream.asked.length;
    const unread = split.makeUnread('BTC');
    split.rig.time.advance(60_000);
    await split.rig.passUntil(() => upstream.asked.length > requests);
    await split.send(unread);
    await split.rig.passUntil(() => feed.health().counters.auditsPassed > 0);
    expect(await split.verdict()).toEqual([exact('BTC', 1)]);
  });

  test('[L4-75] has the books that were built before it was known audited soon', async () => {
    const rig = await FeedRig.start(['BTC', 'ETH'], { auditMs: 86_400_000 });
    const levels = structuredClone(rig.upstream.book('ETH').levels());
    rig.upstream.make(['ETH']);
    rig.upstream.falsify.set('ETH', (snapshot) => ({ ...snapshot, levels }));
    await rig.hold('BTC', 'ETH');
    rig.upstream.falsify.clear();
    for (const { coin, updates } of partsOf(rig.upstream.make(['BTC']), 'statuses first'))
      rig.upstream.sendUpdates(coin, updates);
    await rig.passUntil(() => rig.coin('ETH')?.rebuilds === 1 && rig.coin('ETH')?.state === 'live');
    expect(rig.coin('ETH')?.lastLoss).toBe('audit');
    expect((await rig.snapshot('ETH')).levels).toEqual(rig.upstream.book('ETH').levels());
  });

  test('[L4-71] that repeats a message repeats nothing: it is dropped, before and after the height is published', async () => {
    const split = await SplitRig.start('BTC');
    const parts = partsOf(split.rig.upstream.make(), 'a message a diff');
    await split.send([...parts, ...parts]);
    await split.pass(300);
    await split.send(parts);
    await split.pass(300);
    expect(split.rig.blocks).toHaveLength(1);
    expect(await split.verdict()).toEqual([exact('BTC', 1)]);
  });

  test('[L4-71] that changes a published height loses the coin', async () => {
    const split = await SplitRig.start('BTC');
    const [statuses, diffs] = partsOf(split.rig.upstream.make(), 'statuses first');
    if (statuses === undefined || diffs === undefined) throw new Error('no parts');
    await split.send([statuses]);
    await split.pass(300);
    await split.send([diffs]);
    await split.rig.until(() => split.rig.coin('BTC')?.rebuilds === 2);
    expect(split.rig.coin('BTC')?.lastLoss).toBe('changed-block');
  });

  test('[L4-70] is known by its second message of a height, and at most that coin is rebuilt, once', async () => {
    const rig = await FeedRig.start(['BTC', 'ETH', 'SOL'], { auditMs: 0 });
    await rig.hold('BTC', 'ETH', 'SOL');
    await rig.step();
    const messages = () => rig.feed.health().counters.upstreamMessages;
    for (let count = 0; count < 4 || rig.coin('BTC')?.state !== 'live'; count += 1) {
      const parts = partsOf(rig.upstream.make(), 'statuses first');
      const sent = parts.filter(({ coin }) => rig.upstream.subscribers(coin) > 0);
      const before = messages();
      for (const { coin, updates } of sent) rig.upstream.sendUpdates(coin, updates);
      await rig.until(() => messages() >= before + sent.length);
      for (let passed = 0; passed < 70; passed += 10) {
        await new Promise(setImmediate);
        rig.time.advance(10);
      }
    }
    expect(['BTC', 'ETH', 'SOL'].map((coin) => rig.coin(coin)?.rebuilds)).toEqual([1, 0, 0]);
    expect(rig.coin('BTC')?.lastLoss).toBe('changed-block');
  });

  test('[L4-70] is not assumed: a server that sends heights whole is never waited for', async () => {
    const rig = await FeedRig.start(['BTC'], { auditMs: 0 });
    await rig.hold('BTC');
    for (let count = 0; count < 5; count += 1) await rig.step();
    rig.upstream.send(rig.upstream.make());
    await rig.until(() => rig.blocks.length === 6);
    expect(rig.log.lines.some((line) => line.includes('sends a height in parts'))).toBe(false);
  });

  test('[L4-70] is not assumed any more after a reconnect', async () => {
    const split = await SplitRig.start('BTC');
    split.rig.upstream.cut();
    await split.rig.until(() => !split.rig.feed.health().upstreamConnected);
    split.rig.time.advance(250);
    await split.rig.live('BTC', 2);
    await split.rig.step();
    expect(await split.verdict()).toEqual([exact('BTC', 2)]);
  });
});

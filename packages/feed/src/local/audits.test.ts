import { afterEach, describe, expect, test } from 'vitest';
import type { MadeBlock } from '../test-support/fake-upstream.ts';
import { endRigs, FeedRig } from '../test-support/feed-rig.ts';

afterEach(endRigs);

/** Delayed blocks: each is sent a fixed number of blocks after it was made. */
class LateBlocks {
  readonly #rig: FeedRig;
  readonly #made: MadeBlock[] = [];

  constructor(rig: FeedRig, blocks: number) {
    this.#rig = rig;
    while (this.#made.length < blocks) this.#made.push(rig.upstream.make());
  }

  /** Makes a block, sends the oldest one, and lets the time of a block pass. */
  async step(): Promise<void> {
    const { upstream, time } = this.#rig;
    this.#made.push(upstream.make());
    const sent = this.#made.shift();
    if (sent === undefined) return;
    upstream.send(sent);
    await this.#rig.until(() => this.#rig.feed.health().height === sent.height);
    time.advance(67);
  }
}

describe('audits', () => {
  test('[UP-10, L4-27] find a lost block that left no other trace, within L4_AUDIT_MS', async () => {
    const rig = await FeedRig.start(['BTC', 'ETH']);
    await rig.hold('BTC', 'ETH');
    await rig.step();
    const lost = rig.upstream.make(['BTC']);
    rig.upstream.send(rig.upstream.make(['ETH']));
    await rig.passUntil(() => rig.feed.health().height === lost.height + 1);
    expect(rig.coin('BTC')?.state).toBe('live');
    // Two coins: one audit every half period, beginning with the coin that was live first.
    rig.time.advance(30_000);
    await rig.passUntil(() => rig.coin('BTC')?.lastLoss === 'audit');
    await rig.passUntil(() => rig.coin('BTC')?.state === 'live');
    await rig.step();
    expect(rig.seqs('BTC')).toEqual(['0>1', '2>3']);
    expect(rig.seqs('ETH')).toEqual(['0>1', '1>2', '2>3']);
    expect(rig.feed.health().counters).toMatchObject({ auditsFailed: 1, lossesByReason: { audit: 1 } });
    expect(await rig.served('BTC')).toEqual(rig.truth('BTC'));
  });

  test('[UP-10] pass a correct book while blocks keep arriving', async () => {
    const rig = await FeedRig.start(['BTC', 'ETH']);
    await rig.hold('BTC', 'ETH');
    for (const round of [1, 2, 3, 4, 5]) {
      rig.time.advance(30_000);
      for (let count = 0; count < 5; count += 1) await rig.step();
      await rig.passUntil(() => {
        rig.upstream.step();
        return rig.feed.health().counters.auditsPassed === round;
      });
    }
    expect(rig.feed.health().counters).toMatchObject({ auditsFailed: 0, auditsAbandoned: 0, lossesByReason: {} });
    await rig.until(() => rig.feed.health().height === rig.upstream.height);
    for (const coin of ['BTC', 'ETH']) expect(await rig.served(coin)).toEqual(rig.truth(coin));
  });

  test('[UP-27] pass a book whose blocks arrive three seconds late', async () => {
    const rig = await FeedRig.start(['BTC', 'ETH'], { auditMs: 8_000 });
    await rig.hold('BTC', 'ETH');
    const late = new LateBlocks(rig, 45);
    const counters = () => rig.feed.health().counters;
    for (let blocks = 0; blocks < 500 && counters().auditsPassed < 2; blocks += 1) await late.step();
    expect(counters()).toMatchObject({ auditsPassed: 2, auditsFailed: 0, auditsAbandoned: 0, lossesByReason: {} });
  });

  test('[UP-22, UP-27] do not mistake a block that was swapped with the next one for a difference', async () => {
    const rig = await FeedRig.start(['BTC', 'ETH']);
    await rig.hold('BTC', 'ETH');
    const swapped = rig.upstream.make();
    rig.upstream.send(swapped, ['ETH']);
    await rig.passUntil(() => rig.feed.health().height === swapped.height);
    rig.time.advance(30_000);
    await rig.upstream.sees(() => rig.upstream.asked.length === 3);
    await rig.until(() => rig.upstream.connections === 1);
    const next = rig.upstream.make();
    rig.upstream.send(next);
    rig.upstream.send(swapped, ['BTC']);
    await rig.passUntil(() => rig.feed.health().counters.auditsPassed === 1);
    expect(rig.feed.health().counters).toMatchObject({ auditsFailed: 0, lossesByReason: {} });
    expect(await rig.served('BTC')).toEqual(rig.truth('BTC'));
  });

  test('[UP-10, UP-27] find in bounded time a coin that receives nothing more while its book changes upstream', async () => {
    const rig = await FeedRig.start(['BTC']);
    await rig.hold('BTC');
    rig.upstream.make();
    rig.time.advance(60_000);
    await rig.upstream.sees(() => rig.upstream.asked.length === 2);
    await rig.until(() => rig.upstream.connections === 1);
    rig.time.advance(4_999);
    expect(rig.feed.health().counters.auditsFailed).toBe(0);
    rig.time.advance(1);
    await rig.until(() => rig.feed.health().counters.auditsFailed === 1);
    await rig.passUntil(() => rig.coin('BTC')?.state === 'live');
    expect(await rig.served('BTC')).toEqual(rig.truth('BTC'));
  });

  test('[UP-10] pass a quiet coin without a long wait if the upstream has the same book', async () => {
    const rig = await FeedRig.start(['BTC', 'ETH']);
    await rig.hold('BTC');
    // A block about a coin that is not joined: the upstream is ahead of the book, and the book is correct.
    rig.upstream.step(['ETH']);
    rig.time.advance(60_000);
    await rig.upstream.sees(() => rig.upstream.asked.length === 2);
    await rig.until(() => rig.upstream.connections === 1);
    rig.time.advance(500);
    await rig.until(() => rig.feed.health().counters.auditsPassed === 1);
    expect(await rig.served('BTC')).toMatchObject({ levels: rig.truth('BTC').levels });
  });

  test('[UP-10] give no verdict about the new book if their coin was rebuilt meanwhile', async () => {
    const rig = await FeedRig.start(['BTC', 'ETH']);
    await rig.hold('BTC', 'ETH');
    const block = rig.upstream.make();
    rig.time.advance(30_000);
    await rig.upstream.sees(() => rig.upstream.asked.length === 3);
    await rig.until(() => rig.upstream.connections === 1);
    // The audit has its snapshot and waits for the block. Meanwhile the book is lost and rebuilt.
    rig.upstream.sendUpdates('BTC', { ...block.updates.get('BTC'), height: 'soon' });
    await rig.until(() => rig.coin('BTC')?.rebuilds === 1);
    rig.upstream.send(block, ['ETH']);
    await rig.passUntil(() => rig.coin('BTC')?.state === 'live');
    await rig.step();
    await rig.step();
    expect(rig.feed.health().counters).toMatchObject({ auditsFailed: 0, auditsAbandoned: 1 });
    expect(rig.coin('BTC')).toMatchObject({ state: 'live', rebuilds: 1, lastLoss: 'malformed' });
    expect(await rig.served('BTC')).toEqual(rig.truth('BTC'));
    // The next audit compares the new book.
    rig.time.advance(30_000);
    await rig.until(() => rig.feed.health().counters.auditsPassed === 1);
  });

  test('[UP-10] are abandoned if they get no snapshot, and repeated within seconds', async () => {
    const rig = await FeedRig.start(['BTC']);
    await rig.hold('BTC');
    rig.upstream.deaf = true;
    rig.time.advance(60_000);
    await rig.upstream.sees(() => rig.upstream.asked.length === 2);
    rig.time.advance(15_000);
    await rig.until(() => rig.feed.health().counters.auditsAbandoned === 1);
    rig.time.advance(999);
    expect(rig.upstream.asked).toHaveLength(2);
    rig.time.advance(1);
    await rig.upstream.sees(() => rig.upstream.asked.length === 3);
    rig.time.advance(15_000);
    await rig.until(() => rig.feed.health().counters.auditsAbandoned === 2);
    rig.upstream.deaf = false;
    // The pause grows each time.
    rig.time.advance(1_999);
    expect(rig.upstream.asked).toHaveLength(3);
    rig.time.advance(1);
    await rig.until(() => rig.feed.health().counters.auditsPassed === 1);
    // A passed audit resets the count.
    rig.upstream.deaf = true;
    rig.time.advance(60_000);
    for (const abandoned of [3, 4, 5]) {
      rig.time.advance(15_000);
      await rig.until(() => rig.feed.health().counters.auditsAbandoned === abandoned);
      rig.time.advance(4_000);
    }
    expect(rig.coin('BTC')).toMatchObject({ state: 'live', rebuilds: 0 });
  });

  test('[UP-10] rebuild a book after four inconclusive audits in a row', async () => {
    const rig = await FeedRig.start(['BTC']);
    await rig.hold('BTC');
    await rig.step();
    rig.upstream.falsify.set('BTC', (snapshot) => ({ ...snapshot, height: rig.upstream.height - 20 }));
    rig.time.advance(60_000);
    for (const [index, waitMs] of [0, 1_000, 2_000, 4_000].entries()) {
      rig.time.advance(waitMs);
      expect(rig.coin('BTC')).toMatchObject({ state: 'live', rebuilds: 0 });
      if (index === 3)
        rig.upstream.falsify.set('BTC', (snapshot) => {
          rig.upstream.falsify.clear();
          return { ...snapshot, height: rig.upstream.height - 20 };
        });
      await rig.until(() => rig.feed.health().counters.auditsAbandoned === index + 1);
    }
    expect(rig.coin('BTC')).toMatchObject({ rebuilds: 1, lastLoss: 'audit' });
    rig.time.advance(0);
    await rig.live('BTC', 1);
    await rig.step();
    expect(await rig.served('BTC')).toEqual(rig.truth('BTC'));
    rig.time.advance(60_000);
    await rig.until(() => rig.feed.health().counters.auditsPassed === 1);
  });

  test('wait for a slow snapshot while parts of it arrive, for at most a minute in total', async () => {
    const rig = await FeedRig.start(['BTC']);
    await rig.hold('BTC');
    rig.upstream.slow = true;
    /** An audit whose snapshot has this many pieces, one every 14 s; the first four are sent. */
    const audit = async (pieces: number) => {
      rig.upstream.snapshotPieces = pieces;
      for (const sent of [1, 2, 3, 4]) {
        await rig.upstream.sees(() => rig.upstream.held === pieces - sent + 1);
        rig.time.advance(14_000);
        rig.upstream.release();
        // Each piece restarts the timer.
        if (sent < pieces) await rig.until(() => rig.time.waiting.includes(15_000));
      }
    };
    rig.time.advance(60_000);
    await audit(4);
    await rig.until(() => rig.feed.health().counters.auditsPassed === 1);
    // The period counts from the start of an audit.
    rig.time.advance(rig.feed.health().auditPeriodMs - 4 * 14_000);
    await audit(6);
    rig.time.advance(3_999);
    expect(rig.feed.health().counters.auditsAbandoned).toBe(0);
    rig.time.advance(1);
    await rig.until(() => rig.feed.health().counters.auditsAbandoned === 1);
  });

  test('are made less often if upstream snapshots are slow', async () => {
    const rig = await FeedRig.start(['BTC'], { auditMs: 10_000 });
    await rig.hold('BTC');
    expect(rig.feed.health().auditPeriodMs).toBe(10_000);
    rig.upstream.slow = true;
    rig.time.advance(10_000);
    await rig.upstream.sees(() => rig.upstream.held === 1);
    rig.time.advance(3_000);
    rig.upstream.release();
    await rig.until(() => rig.feed.health().counters.auditsPassed === 1);
    expect(rig.feed.health().auditPeriodMs).toBe(30_000);
    // 30 s after the last audit began.
    rig.time.advance(26_999);
    expect(rig.upstream.asked).toHaveLength(2);
    rig.time.advance(1);
    await rig.release();
    await rig.until(() => rig.feed.health().counters.auditsPassed === 2);
    expect(rig.feed.health().auditPeriodMs).toBe(10_000);
  });
});

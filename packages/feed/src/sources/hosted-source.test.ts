import { gzipSync } from 'node:zlib';
import { respondError } from '@l4desk/testkit';
import { describe, expect, test } from 'vitest';
import { KEY, on, ServiceRig } from '../test-support/hosted-rig.ts';
import { MESSAGE_BYTES_MAX } from './upstream-connection.ts';

describe('a hosted service as upstream', () => {
  test('is asked for eight books at a time, or for as many as the tuning allows', async () => {
    const coins = Array.from({ length: 10 }, (_, index) => `C${index}`);
    for (const [tuning, outstanding] of [[{}, 8] as const, [{ joinsOutstandingMax: 2 }, 2] as const]) {
      await using rig = await ServiceRig.start(coins, { tuning: { pingAfterMs: Number.MAX_SAFE_INTEGER, ...tuning } });
      await rig.until(() => rig.feed.health().upstreamConnected);
      for (const coin of coins) rig.feed.acquire(coin);
      expect(rig.feed.health().joins).toEqual({ waiting: coins.length - outstanding, outstanding });
    }
  });

  test('[AUTH-2, L4-30] is subscribed with the key, once per coin for all holders, with all statuses', async () => {
    await using rig = await ServiceRig.start(['BTC', 'ETH']);
    rig.feed.acquire('BTC');
    await rig.hold('BTC', 'BTC', 'ETH');
    expect(rig.said()).toEqual([`subscribe ${on('BTC')}`, `subscribe ${on('ETH')}`]);
    expect(rig.service.connections).toBe(1);
    expect(rig.service.upgrades.map((path) => new URL(path, 'ws://x').searchParams.get('key'))).toEqual([KEY]);
    expect(rig.service.upgrades[0]).toMatch(/^\/stream\/ws\?key=/);
    expect(rig.service.snapshotRequests).toEqual([
      { coin: 'BTC', authorization: `Bearer ${KEY}` },
      { coin: 'ETH', authorization: `Bearer ${KEY}` },
    ]);
    expect(rig.log.lines.join()).not.toContain('hosted');
  });

  test('[DEC-3] has unknown fields of diffs and statuses passed on unchanged', async () => {
    await using rig = await ServiceRig.start(['BTC']);
    await rig.hold('BTC');
    const made = rig.service.make(['BTC']);
    const [entry] = made.book_diffs;
    if (entry === undefined) throw new Error('no entry');
    const order_statuses = entry.order_statuses.map((status) => ({ ...status, rebate: '0.10' }));
    const book_diffs = entry.book_diffs.map((diff) => ({ ...diff, reason: { code: 7 } }));
    rig.service.send({ ...made, book_diffs: [{ ...entry, order_statuses, book_diffs }] });
    const block = await rig.until(() => rig.blocks[0]);
    expect(JSON.parse(Buffer.from(block.entries[0]?.book.plain ?? []).toString())).toMatchObject({
      order_statuses,
      book_diffs,
    });
  });

  test('[L4-1, L4-3, L4-5] has blocks from before the snapshot buffered and matched to it by seq', async () => {
    await using rig = await ServiceRig.start(['BTC']);
    const responded = new Promise<void>((resolve) => {
      rig.service.snapshotScript.push((_, response) => {
        for (let count = 0; count < 3; count += 1) rig.service.block();
        const then = rig.service.snapshot('BTC');
        for (let count = 0; count < 4; count += 1) rig.service.block();
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(then));
        resolve();
      });
    });
    await rig.hold('BTC');
    await responded;
    await rig.until(() => rig.coin('BTC')?.height === rig.service.height);
    expect(rig.coin('BTC')?.rebuilds).toBe(0);
    expect(await rig.difference('BTC')).toBeUndefined();
    // Blocks that are part of the first book are not published.
    await rig.step();
    expect(rig.seqs('BTC')).toEqual(['0>1']);
    expect(await rig.difference('BTC')).toBeUndefined();
  });

  test('has a coin with a snapshot behind the published height served at once, without a further block', async () => {
    await using rig = await ServiceRig.start(['BTC', 'ETH']);
    await rig.hold('BTC');
    rig.service.snapshotScript.push((snapshot, response) => {
      for (let count = 0; count < 3; count += 1) rig.service.block(['BTC', 'ETH']);
      void rig
        .until(() => rig.blocks.length === 3)
        .then(() => response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(snapshot)));
    });
    await rig.hold('ETH');
    expect(rig.coin('ETH')).toMatchObject({ rebuilds: 0, height: rig.service.height });
    expect(await rig.difference('ETH')).toBeUndefined();
    await rig.step();
    expect(rig.seqs('BTC')).toEqual(['0>1', '1>2', '2>3', '3>4']);
    expect(rig.seqs('ETH')).toEqual(['0>1']);
    expect(await rig.difference('BTC')).toBeUndefined();
  });

  test('[L4-27, L4-7] has only the coin of an upstream gap rebuilt, with a gap of ours', async () => {
    await using rig = await ServiceRig.start(['BTC', 'ETH']);
    await rig.hold('BTC', 'ETH');
    await rig.step();
    rig.service.block(['BTC', 'ETH'], { losing: ['BTC'] });
    rig.service.block();
    await rig.until(() => rig.coin('BTC')?.lastLoss === 'upstream-gap');
    rig.time.advance(0);
    await rig.live('BTC', 1);
    await rig.step();
    expect(rig.seqs('BTC')).toEqual(['0>1', '2>3']);
    expect(rig.seqs('ETH')).toEqual(['0>1', '1>2', '2>3', '3>4']);
    expect(rig.coin('ETH')?.rebuilds).toBe(0);
    expect(await rig.difference('BTC')).toBeUndefined();
    expect(await rig.difference('ETH')).toBeUndefined();
  });

  test('[L4-6] has every coin rebuilt on a new upstream epoch, even without an entry, in our same epoch', async () => {
    await using rig = await ServiceRig.start(['BTC', 'ETH']);
    await rig.hold('BTC', 'ETH');
    await rig.step();
    const { epoch } = rig.feed.health();
    rig.service.flipEpoch();
    rig.service.block(['ETH']);
    await rig.until(() => rig.coin('BTC')?.rebuilds === 1);
    expect(rig.coin('BTC')?.lastLoss).toBe('upstream-epoch');
    rig.time.advance(0);
    await rig.live('BTC', 1);
    await rig.live('ETH', 1);
    await rig.step();
    expect(rig.seqs('BTC')).toEqual(['0>1', '2>3']);
    expect(rig.feed.health()).toMatchObject({ epoch });
    expect(await rig.difference('BTC')).toBeUndefined();
    expect(await rig.difference('ETH')).toBeUndefined();
  });

  test('[L4-19] has a chain that rolled back continued from where it is, in a new epoch of ours', async () => {
    await using rig = await ServiceRig.start(['BTC']);
    await rig.hold('BTC');
    for (let count = 0; count < 10; count += 1) await rig.step();
    const { epoch } = rig.feed.health();
    rig.service.fallBack(6);
    rig.service.block();
    await rig.until(() => rig.coin('BTC')?.lastLoss === 'upstream-epoch');
    rig.time.advance(0);
    await rig.until(() => {
      rig.time.advance(100);
      return rig.coin('BTC')?.state === 'live';
    });
    expect(rig.feed.health().epoch).not.toBe(epoch);
    rig.blocks.length = 0;
    await rig.step();
    expect(rig.seqs('BTC')).toEqual(['0>1']);
    expect(await rig.difference('BTC')).toBeUndefined();
  });

  test('[WS-33] makes a coin unavailable here when it reports it as unavailable, until it is back', async () => {
    await using rig = await ServiceRig.start(['BTC', 'ETH']);
    await rig.hold('BTC', 'ETH');
    await rig.step();
    const data = `Invalid subscription ${on('BTC')}: BTC is not available upstream`;
    rig.service.sendText(JSON.stringify({ channel: 'error', data }));
    await rig.until(() => rig.coin('BTC')?.state === 'unavailable');
    expect(rig.coin('BTC')).toMatchObject({ reason: 'refused', rebuilds: 1 });
    expect(rig.coin('ETH')?.state).toBe('live');
    rig.time.advance(0);
    await rig.live('BTC', 1);
    await rig.step();
    expect(rig.seqs('BTC')).toEqual(['0>1', '2>3']);
    expect(await rig.difference('BTC')).toBeUndefined();
  });

  test.each([
    [4401, /closed with 4401: UPSTREAM_API_KEY .* revoked/],
    [4402, /closed with 4402: UPSTREAM_API_KEY has no credits left/],
  ])('is reconnected after a close with %i, which is reported with advice', async (code, problem) => {
    await using rig = await ServiceRig.start(['BTC']);
    await rig.hold('BTC');
    rig.service.close(code, 'no more');
    await rig.until(() => !rig.feed.health().upstreamConnected);
    expect(rig.feed.health().upstreamProblem).toMatch(problem);
    expect(rig.log.lines.join('\n')).toMatch(/warn upstream L4 connection lost .*"advice"/);
    rig.time.advance(250);
    await rig.live('BTC', 1);
  });

  test('is retried with growing pauses after a refused upgrade, which is reported with advice', async () => {
    await using rig = await ServiceRig.start(['BTC'], {}, (hosted) => {
      hosted.refusesUpgrades = 401;
    });
    const { service } = rig;
    for (const [turn, waitMs] of [250, 500, 1_000].entries()) {
      await rig.until(() => rig.log.lines.filter((line) => line.includes('connection lost')).length === turn + 1);
      expect(rig.log.lines.at(-1)).toContain(`"waitMs":${waitMs}`);
      expect(rig.feed.health().upstreamProblem).toMatch(/^refused with HTTP 401: UPSTREAM_API_KEY/);
      if (turn === 2) service.refusesUpgrades = undefined;
      rig.time.advance(waitMs);
    }
    await rig.hold('BTC');
    expect(service.upgrades).toHaveLength(4);
  });

  test('is asked again for a refused coin and for a snapshot that is not ready', async () => {
    await using rig = await ServiceRig.start(['BTC', 'ETH']);
    rig.service.refusedCoins.set('BTC', 'no such coin: BTC');
    rig.feed.acquire('BTC');
    await rig.until(() => rig.coin('BTC')?.lastLoss === 'refused');
    rig.service.refusedCoins.clear();
    rig.time.advance(0);
    await rig.live('BTC', 1);
    for (const code of ['book_not_ready', 'credits_exhausted'] as const)
      rig.service.snapshotScript.push((_, response) => respondError(response, code, 'not now'));
    rig.feed.acquire('ETH');
    await rig.until(() => rig.coin('ETH')?.rebuilds === 1);
    rig.time.advance(0);
    await rig.until(() => rig.coin('ETH')?.rebuilds === 2);
    expect(rig.coin('ETH')?.lastLoss).toBe('no-snapshot');
    expect(rig.log.lines.join('\n')).toMatch(/warn upstream refused a snapshot .*UPSTREAM_API_KEY has no credits left/);
    rig.time.advance(500);
    await rig.live('ETH', 2);
  });

  test('has a snapshot that inflates to more than 64 MiB refused, with that reason', async () => {
    await using rig = await ServiceRig.start(['BTC']);
    const inflating = gzipSync(Buffer.alloc(MESSAGE_BYTES_MAX + 1, 0x20));
    rig.service.snapshotScript.push((_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(inflating),
    );
    rig.feed.acquire('BTC');
    await rig.until(() => rig.coin('BTC')?.lastLoss === 'no-snapshot');
    expect(rig.log.lines.join('\n')).toContain('the hosted service sent a message of more than 64 MiB');
    rig.time.advance(0);
    await rig.live('BTC', 1);
  });

  test('[UP-15] loses the coins that an unreadable batch names, or the connection if it names none', async () => {
    await using rig = await ServiceRig.start(['BTC', 'ETH']);
    await rig.hold('BTC', 'ETH');
    const made = rig.service.make(['BTC']);
    const broken = { ...made, book_diffs: made.book_diffs.map((entry) => ({ ...entry, book_diffs: [{}] })) };
    rig.service.sendText(JSON.stringify({ channel: 'l4BookUpdates', data: { Updates: broken } }));
    await rig.until(() => rig.coin('BTC')?.lastLoss === 'malformed');
    expect(rig.coin('ETH')?.state).toBe('live');
    rig.time.advance(0);
    await rig.live('BTC', 1);
    for (const text of ['Websocket connection established.', '{"channel":']) rig.service.sendText(text);
    await rig.until(() => rig.coin('ETH')?.lastLoss === 'disconnected');
    expect(rig.feed.health().upstreamProblem).toBe('invalid message');
  });
});

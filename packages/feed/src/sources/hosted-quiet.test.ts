import { describe, expect, test } from 'vitest';
import { on, ServiceRig } from '../test-support/hosted-rig.ts';

/** A hosted service that ignores the request for book states (D54), and one that refuses it. */
const SILENT = ['ignored', 'refused'] as const;

describe('a hosted service that reports the state of its books', () => {
  test('[UP-30] causes a rebuild here at once when it rebuilds a book, even if the coin stays quiet', async () => {
    await using rig = await ServiceRig.start(['BTC', 'ETH']);
    await rig.hold('BTC', 'ETH');
    await rig.step();
    rig.service.rebuild('BTC');
    await rig.until(() => rig.coin('BTC')?.rebuilds === 1);
    expect(rig.coin('BTC')).toMatchObject({ state: 'rebuilding', reason: 'upstream-rebuild' });
    rig.time.advance(0);
    await rig.live('BTC', 1);
    expect(await rig.difference('BTC')).toBeUndefined();
    expect(rig.coin('ETH')?.rebuilds).toBe(0);
    await rig.step();
    expect(rig.seqs('BTC')).toEqual(['0>1', '2>3']);
    expect(rig.seqs('ETH')).toEqual(['0>1', '1>2']);
  });

  test('[UP-30] is asked for a snapshot only once it has built the book', async () => {
    await using rig = await ServiceRig.start(['BTC'], {}, (service) => service.emit('BTC', 'building'));
    rig.feed.acquire('BTC');
    await rig.service.sees(() => rig.service.subscribed.length === 1);
    await rig.until(() => rig.coin('BTC')?.state === 'building');
    rig.service.rebuild('BTC');
    await rig.live('BTC');
    expect(await rig.difference('BTC')).toBeUndefined();
    await rig.step();
    expect(rig.seqs('BTC')).toEqual(['0>1']);
  });

  test('[UP-30] has a snapshot from before its rebuild discarded', async () => {
    await using rig = await ServiceRig.start(['BTC', 'ETH']);
    const states: string[] = [];
    rig.feed.onBookStatus(({ coin, state }) => coin === 'BTC' && states.push(state));
    const responded = new Promise<void>((resolve) => {
      rig.service.snapshotScript.push((before, response) => {
        rig.service.emit('BTC', 'rebuilding');
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(before), resolve);
      });
    });
    rig.feed.acquire('BTC');
    await responded;
    await rig.hold('ETH');
    await rig.step(['ETH']);
    expect(states).toEqual(['waiting', 'building']);
    rig.service.rebuild('BTC');
    await rig.live('BTC');
    expect(await rig.difference('BTC')).toBeUndefined();
  });

  test('[UP-30, L4-40] makes a book stale here when it is stale there, without claiming a later height', async () => {
    await using rig = await ServiceRig.start(['BTC', 'ETH']);
    await rig.hold('BTC', 'ETH');
    await rig.step(['ETH']);
    const { height } = rig.service;
    expect(await rig.snapshot('BTC')).toMatchObject({ height, seq: 0 });
    rig.service.emit('BTC', 'stale');
    await rig.until(() => rig.coin('BTC')?.state === 'stale');
    expect(rig.coin('BTC')).toMatchObject({ reason: 'upstream-stale', rebuilds: 0 });
    await rig.step(['ETH']);
    expect(await rig.snapshot('BTC')).toMatchObject({ height, seq: 0 });
    rig.service.emit('BTC', 'live');
    await rig.live('BTC');
    expect(await rig.snapshot('BTC')).toMatchObject({ height: rig.service.height, seq: 0 });
    rig.time.advance(120_000);
    expect(rig.service.snapshotRequests).toHaveLength(2);
  });
});

describe.each(SILENT)('a hosted service that does not report states: the field is %s', (statusField) => {
  const start = (coins: readonly string[]) =>
    ServiceRig.start(coins, { auditMs: 60_000 }, (service) => {
      service.statusField = statusField;
    });

  test('[UP-30] is subscribed anyway', async () => {
    await using rig = await start(['BTC', 'ETH']);
    await rig.hold('BTC', 'ETH');
    const plain = (coin: string) => `subscribe {"type":"l4BookUpdates","coin":"${coin}"}`;
    const asking = (coin: string) => `subscribe ${on(coin)}`;
    const said = { ignored: [asking('BTC'), asking('ETH')], refused: [asking('BTC'), plain('BTC'), plain('ETH')] };
    expect(rig.said()).toEqual(said[statusField]);
    await rig.step();
    expect(await rig.difference('BTC')).toBeUndefined();
  });

  test('[UP-30] has a rebuild of a quiet coin detected by its audit', async () => {
    await using rig = await start(['BTC', 'ETH']);
    await rig.hold('BTC', 'ETH');
    await rig.step();
    rig.service.rebuild('BTC');
    await rig.step(['ETH']);
    rig.time.advance(30_000);
    await rig.until(() => rig.coin('BTC')?.lastLoss === 'audit');
    rig.time.advance(0);
    await rig.live('BTC', 1);
    expect(await rig.difference('BTC')).toBeUndefined();
    expect(rig.coin('ETH')?.rebuilds).toBe(0);
  });

  test('[UP-30] has a rebuild detected by the silence of the whole stream if no other block arrives', async () => {
    await using rig = await start(['BTC']);
    await rig.hold('BTC');
    rig.service.rebuild('BTC');
    rig.time.advance(60_000);
    await rig.until(() => rig.time.waiting.includes(500));
    rig.time.advance(500);
    await rig.until(() => rig.time.waiting.includes(4_500));
    expect(rig.coin('BTC')?.rebuilds).toBe(0);
    rig.time.advance(4_500);
    await rig.until(() => rig.coin('BTC')?.lastLoss === 'audit');
    rig.time.advance(0);
    await rig.live('BTC', 1);
    expect(await rig.difference('BTC')).toBeUndefined();
  });

  test('[UP-30] has a new epoch detected the same way', async () => {
    await using rig = await start(['BTC']);
    await rig.hold('BTC');
    rig.service.flipEpoch();
    rig.time.advance(60_000);
    await rig.until(() => rig.coin('BTC')?.lastLoss === 'upstream-epoch');
    rig.time.advance(0);
    await rig.live('BTC', 1);
    expect(await rig.difference('BTC')).toBeUndefined();
  });

  test('[UP-30] is given time for a late block while other blocks arrive', async () => {
    await using rig = await start(['BTC', 'ETH']);
    await rig.hold('BTC', 'ETH');
    const before = rig.service.make(['ETH']);
    const late = rig.service.make(['BTC']);
    rig.time.advance(30_000);
    await rig.until(() => rig.time.waiting.includes(500));
    rig.service.send(before);
    await rig.until(() => rig.seqs('ETH').length === 1);
    rig.time.advance(400);
    rig.service.send(late);
    await rig.until(() => rig.seqs('BTC').length === 1);
    await rig.until(() => rig.feed.health().counters.auditsPassed === 1);
    expect([rig.coin('BTC')?.rebuilds, rig.coin('ETH')?.rebuilds]).toEqual([0, 0]);
    expect(await rig.difference('BTC')).toBeUndefined();
  });

  test('limits the height of our snapshots to the coin’s last block, snapshot or audit', async () => {
    await using rig = await start(['BTC', 'ETH']);
    await rig.hold('BTC', 'ETH');
    const joined = rig.service.height;
    await rig.step(['ETH']);
    expect(await rig.snapshot('BTC')).toMatchObject({ height: joined, seq: 0 });
    expect(await rig.snapshot('ETH')).toMatchObject({ height: joined + 1, seq: 1 });
    await rig.step(['BTC']);
    await rig.step(['ETH']);
    expect(await rig.snapshot('BTC')).toMatchObject({ height: joined + 2, seq: 1 });
    expect(rig.coin('BTC')?.height).toBe(joined + 2);
    rig.time.advance(30_000);
    await rig.until(() => rig.coin('BTC')?.height === joined + 3);
    expect(await rig.snapshot('BTC')).toMatchObject({ height: joined + 3, seq: 1 });
    await rig.step();
    expect(rig.seqs('BTC')).toEqual(['0>1', '1>2']);
    expect(await rig.difference('BTC')).toBeUndefined();
  });
});

describe('a hosted service that acknowledges late or never', () => {
  const HELD = { holds: true, acknowledges: true };

  const start = (coins: readonly string[], { holds, acknowledges }: typeof HELD) =>
    ServiceRig.start(coins, { auditMs: 60_000 }, (service) => {
      service.holdsSubscribes = holds;
      service.acknowledges = acknowledges;
      service.statusField = 'ignored';
    });

  test('[L4-2, L4-40] keeps a book stale until its late acknowledgement causes a new snapshot', async () => {
    await using rig = await start(['BTC'], HELD);
    rig.feed.acquire('BTC');
    await rig.service.sees(() => rig.service.said.length === 1);
    rig.time.advance(3_000);
    await rig.until(() => rig.coin('BTC')?.state === 'stale');
    const { height } = rig.service;
    rig.service.make(['BTC']);
    expect(rig.coin('BTC')).toMatchObject({ reason: 'unacknowledged', height, seq: 0 });
    expect(await rig.snapshot('BTC')).toMatchObject({ height, seq: 0 });
    rig.service.holdsSubscribes = false;
    rig.service.takeHeld();
    await rig.until(() => rig.coin('BTC')?.rebuilds === 1);
    rig.time.advance(0);
    await rig.live('BTC', 1);
    expect(await rig.snapshot('BTC')).toMatchObject({ height: height + 1, seq: 1 });
    expect(await rig.difference('BTC')).toBeUndefined();
  });

  test('[L4-2] is not assumed to have subscribed a coin once it has acknowledged another', async () => {
    await using rig = await start(['BTC', 'ETH'], { holds: false, acknowledges: true });
    await rig.hold('BTC');
    rig.service.holdsSubscribes = true;
    rig.feed.acquire('ETH');
    await rig.service.sees(() => rig.service.said.length === 2);
    rig.time.advance(3_000);
    rig.service.make(['ETH']);
    rig.service.takeHeld();
    await rig.live('ETH');
    expect(rig.service.snapshotRequests).toHaveLength(2);
    expect(await rig.difference('ETH')).toBeUndefined();
  });

  test('[L4-1] has live books from their first block on if it acknowledges nothing', async () => {
    await using rig = await start(['BTC', 'ETH'], { holds: false, acknowledges: false });
    rig.feed.acquire('BTC');
    await rig.service.sees(() => rig.service.subscribed.length === 1);
    rig.time.advance(3_000);
    await rig.until(() => rig.coin('BTC')?.state === 'stale');
    await rig.step();
    expect(rig.coin('BTC')).toMatchObject({ state: 'live', rebuilds: 0 });
    expect(rig.seqs('BTC')).toEqual(['0>1']);
    expect(await rig.difference('BTC')).toBeUndefined();
    // The service is now known to acknowledge nothing, so the next coin is assumed at once.
    rig.feed.acquire('ETH');
    await rig.until(() => rig.coin('ETH')?.state === 'stale');
  });

  test('[UP-30] has a live quiet book once an audit finds it unchanged if it acknowledges nothing', async () => {
    await using rig = await start(['BTC'], { holds: false, acknowledges: false });
    rig.feed.acquire('BTC');
    await rig.service.sees(() => rig.service.subscribed.length === 1);
    rig.time.advance(3_000);
    await rig.until(() => rig.coin('BTC')?.state === 'stale');
    rig.time.advance(60_000);
    await rig.live('BTC');
    expect(rig.coin('BTC')).toMatchObject({ rebuilds: 0, height: rig.service.height });
  });
});

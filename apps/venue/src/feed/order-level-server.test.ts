import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Packet } from '../faults/packet.ts';
import { startVenue } from '../server.ts';
import { L4Client } from '../test-support/l4-client.ts';
import { NaiveFollower, rowsOf } from '../test-support/naive-follower.ts';
import { ConnectionTurns, QUEUED_MESSAGES_MAX } from './connection-turns.ts';
import { SnapshotLock } from './snapshot-lock.ts';

const COINS = { coins: ['XRP', 'DOGE'], size: 0.02, statusRate: 0.2 } as const;

function subscription(coin: string) {
  return { method: 'subscribe', subscription: { type: 'l4Book', coin } };
}

/** A packet that is recognizable by its height. */
function packetOf(height: number): Packet {
  return new Packet(new Map([['XRP', { coin: 'XRP', height, time: 0, statuses: [], diffs: [] }]]));
}

function heightOf(packet: Packet): number | undefined {
  return packet.messages.get('XRP')?.height;
}

describe('a connection of the order-level server', () => {
  it('takes requests and queued messages in turn', async () => {
    const done: string[] = [];
    const turns = new ConnectionTurns(new SnapshotLock(0), {
      deliver: async (packet) => void done.push(`block ${heightOf(packet)}`),
      overflow: () => done.push('overflow'),
    });
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    turns.request(async () => void done.push('request 1'));
    for (const height of [1, 2, 3, 4]) turns.queue(packetOf(height));
    for (const name of ['2', '3']) turns.request(async () => void done.push(`request ${name}`));
    turns.request(async () => finish());
    await finished;
    expect(done).toEqual(['request 1', 'block 1', 'request 2', 'block 2', 'request 3', 'block 3']);
  });

  it('sends nothing while a snapshot is copied, and is dropped at the 101st queued message', async () => {
    const done: string[] = [];
    const lock = new SnapshotLock(1_000_000);
    const turns = new ConnectionTurns(lock, {
      deliver: async (packet) => void done.push(`block ${heightOf(packet)}`),
      overflow: () => done.push('overflow'),
    });
    void lock.hold(() => done.push('copy'));
    await nextTurn();
    // In progress: waits for the lock.
    turns.queue(packetOf(1));
    await nextTurn();
    for (let count = 0; count < QUEUED_MESSAGES_MAX; count += 1) turns.queue(packetOf(2));
    await nextTurn();
    expect([turns.queuedMessages, done]).toEqual([100, ['copy']]);
    turns.queue(null);
    expect(done).toEqual(['copy', 'overflow']);
    turns.close();
    expect(turns.queuedMessages).toBe(0);
  });

  it('copies snapshots in the order of the requests', async () => {
    const copies: number[] = [];
    const lock = new SnapshotLock(1);
    await Promise.all([1, 2, 3].map((each) => lock.hold(() => copies.push(each))));
    await lock.free();
    expect(copies).toEqual([1, 2, 3]);
  });
});

describe('a venue whose snapshots take time', () => {
  it('drops a client that requests many at once while blocks continue', async () => {
    await using venue = await startVenue({ coins: ['XRP'], extraCoins: 50, size: 0.001, snapshotMs: 1_000, pace: 0 });
    await using client = await L4Client.open(venue.l4Url);
    for (const coin of Object.keys(venue.state().coins)) client.send(subscription(coin));
    // Hundreds of blocks during one snapshot; even on a slow machine more than the 100 that can be queued.
    venue.setPace(40);
    await client.until(() => client.isClosed, 'the end of the connection');
    expect(venue.state()).toMatchObject({ clients: 0, counts: { laggardsDropped: 1 } });
    expect(client.snapshots.length).toBeLessThan(50);
  });

  it('[VENUE-2] loses no block for a client that requests one after the other', async () => {
    await using venue = await startVenue({ ...COINS, snapshotMs: 5, pace: 0 });
    await using client = await L4Client.open(venue.l4Url);
    const followers: NaiveFollower[] = [];
    for (const coin of COINS.coins) {
      followers.push(new NaiveFollower(await client.subscribe(coin)));
      await venue.step(40);
    }
    await client.settled();
    for (const [at, coin] of COINS.coins.entries()) {
      const follower = followers[at];
      for (const updates of client.updates(coin)) follower?.apply(updates);
      expect(follower?.rows).toEqual(rowsOf(venue.book(coin)?.levels ?? [[], []]));
    }
    expect(venue.state().counts.laggardsDropped).toBe(0);
  });

  it('sends no pong on a waiting connection', async () => {
    await using venue = await startVenue({ ...COINS, snapshotMs: 60_000, pace: 0 });
    await using client = await L4Client.open(venue.l4Url);
    await using other = await L4Client.open(venue.l4Url);
    const pongs: string[] = [];
    client.socket.on('pong', (data: Buffer) => pongs.push(data.toString()));
    client.socket.ping('before');
    await once(client.socket, 'pong');
    client.send(subscription('XRP'));
    client.socket.ping('meanwhile');
    while (venue.state().counts.snapshots === 0) await other.settled();
    await other.settled();
    expect(pongs).toEqual(['before']);
  });
});

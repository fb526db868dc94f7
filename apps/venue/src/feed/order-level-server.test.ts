import { describe, expect, it } from 'vitest';
import { startVenue } from '../server.ts';
import { L4Client } from '../test-support/l4-client.ts';
import { NaiveFollower, rowsOf } from '../test-support/naive-follower.ts';

const COINS = { coins: ['XRP', 'DOGE'], size: 0.02, statusRate: 0.2 } as const;

function subscription(coin: string) {
  return { method: 'subscribe', subscription: { type: 'l4Book', coin } };
}

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

  it('loses no block for a client that requests one after the other', async () => {
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
});

import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startVenue, type Venue } from '../server.ts';
import { L4Client } from '../test-support/l4-client.ts';
import { NaiveFollower, rowsOf } from '../test-support/naive-follower.ts';
import type { Corruption, Fault } from './fault.ts';

const LIVELY = { coins: ['XRP', 'DOGE'], size: 0.02, statusRate: 0.2, rate: 6, pace: 0 } as const;

interface Joined extends AsyncDisposable {
  readonly venue: Venue;
  readonly client: L4Client;
  /** Height of the snapshots. */
  readonly height: number;
  readonly follower: NaiveFollower;
}

/** A venue with a client subscribed to both coins. */
async function join(): Promise<Joined> {
  const venue = await startVenue(LIVELY);
  const client = await L4Client.open(venue.l4Url);
  const follower = new NaiveFollower(await client.subscribe('XRP'));
  await client.subscribe('DOGE');
  return {
    venue,
    client,
    follower,
    height: follower.height,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await venue[Symbol.asyncDispose]();
    },
  };
}

/** Heights relative to the snapshot. */
function steps({ client, height }: Joined, coin: string): readonly number[] {
  return client.heights(coin).map((each) => each - height);
}

/** Applies a fault over the control port, as a script would. */
async function fault(venue: Venue, asked: Partial<Fault> & { readonly kind: string }): Promise<void> {
  const response = await fetch(`${venue.controlUrl}/fault`, { method: 'POST', body: JSON.stringify(asked) });
  expect(response.status).toBe(200);
}

async function step({ venue, client }: Joined, blocks: number): Promise<void> {
  await venue.step(blocks);
  await client.settled();
}

/** The heights of six blocks that arrive as they were made. */
const WHOLE = [1, 2, 3, 4, 5, 6];

describe('faults of blocks', () => {
  it.each<
    readonly [what: string, faults: readonly (Partial<Fault> & { kind: string })[], xrp: number[], doge: number[]]
  >([
    ['drop loses the next blocks of one coin', [{ kind: 'drop', coin: 'XRP', blocks: 2 }], [3, 4, 5, 6], WHOLE],
    ['drop without a coin loses whole blocks', [{ kind: 'drop' }], WHOLE.slice(1), WHOLE.slice(1)],
    [
      'duplicate sends a block twice',
      [{ kind: 'duplicate', coin: 'DOGE', blocks: 2 }],
      WHOLE,
      [1, 1, 2, 2, 3, 4, 5, 6],
    ],
    ['reorder swaps adjacent blocks', [{ kind: 'reorder', coin: 'XRP', blocks: 2 }], [2, 1, 4, 3, 5, 6], WHOLE],
    [
      'two faults affect the same block',
      [
        { kind: 'duplicate', coin: 'XRP' },
        { kind: 'reorder', coin: 'DOGE' },
      ],
      [1, 1, 2, 3, 4, 5, 6],
      [2, 1, 3, 4, 5, 6],
    ],
  ])('%s', async (_what, faults, xrp, doge) => {
    await using joined = await join();
    for (const each of faults) await fault(joined.venue, each);
    await step(joined, 6);
    expect([steps(joined, 'XRP'), steps(joined, 'DOGE')]).toEqual([xrp, doge]);
    expect(joined.venue.state().faults).toEqual([]);
  });

  it('delay sends blocks in order, with later blocks behind them', async () => {
    await using joined = await join();
    const { venue, client } = joined;
    await fault(venue, { kind: 'delay', coin: 'XRP', ms: 40, blocks: 2 });
    await step(joined, 5);
    await client.until(() => client.heights('XRP').length === 5, 'the delayed blocks');
    expect(steps(joined, 'XRP')).toEqual([1, 2, 3, 4, 5]);
    await step(joined, 1);
    expect(steps(joined, 'XRP').at(-1)).toBe(6);
    expect(venue.state().faults).toEqual([]);
  });

  it('state shows the remaining blocks of a fault, and clear ends it', async () => {
    await using joined = await join();
    await fault(joined.venue, { kind: 'drop', coin: 'XRP', blocks: 9 });
    await step(joined, 2);
    expect(joined.venue.state().faults).toEqual([{ fault: { kind: 'drop', coin: 'XRP', blocks: 9 }, remaining: 7 }]);
    await fault(joined.venue, { kind: 'clear' });
    await step(joined, 1);
    expect(steps(joined, 'XRP')).toEqual([3]);
  });

  it('clear discards what a delay or a reorder holds back', async () => {
    await using joined = await join();
    await fault(joined.venue, { kind: 'delay', coin: 'XRP', ms: 60_000 });
    await fault(joined.venue, { kind: 'reorder', coin: 'DOGE' });
    await step(joined, 1);
    await fault(joined.venue, { kind: 'clear' });
    await step(joined, 1);
    expect(steps(joined, 'XRP')).toEqual([2]);
    expect(steps(joined, 'DOGE')).toEqual([2]);
  });
});

describe('corrupted blocks', () => {
  /** Steps until the fault is used up and returns the follower's first problem. */
  async function corrupted(joined: Joined, mode: Corruption): Promise<string | null> {
    const { venue, client, follower } = joined;
    await fault(venue, { kind: 'corrupt', mode, coin: 'XRP' });
    for (let i = 0; i < 100 && venue.state().faults.length > 0; i += 1) await step(joined, 1);
    expect(venue.state().faults).toEqual([]);
    if (client.received.some(({ kind }) => kind === 'broken')) return 'broken';
    try {
      for (const updates of client.updates('XRP')) follower.apply(updates);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  it.each([
    ['oid', /order 9000000000000, which does not rest$/],
    ['origSz', /^order \d+ rests with [\d.]+, not [\d.]+$/],
    ['crossed', /^crossed: bid /],
    ['json', /^broken$/],
  ] as const)('%s is seen by a follower', async (mode, problem) => {
    await using joined = await join();
    expect(await corrupted(joined, mode)).toMatch(problem);
    expect(rowsOf(joined.venue.book('XRP')?.levels ?? [[], []])).not.toEqual(joined.follower.rows);
  });

  it('ignores unknown fields', async () => {
    await using joined = await join();
    expect(await corrupted(joined, 'fields')).toBeNull();
    const text =
      joined.client.received.find(({ kind, text: each }) => kind === 'updates' && each.includes('"XRP"'))?.text ?? '';
    expect(text).toContain('"note":{"added":true}');
    expect(text).toContain('"venue":"added"');
    expect(rowsOf(joined.venue.book('XRP')?.levels ?? [[], []])).toEqual(joined.follower.rows);
  });
});

describe('faults of connections', () => {
  it('cut breaks every connection at once; a new one gets a fresh snapshot', async () => {
    await using joined = await join();
    const { venue, client } = joined;
    await venue.step(3);
    await fault(venue, { kind: 'cut' });
    await client.until(() => client.isClosed, 'the end of the connection');
    await using again = await L4Client.open(venue.l4Url);
    expect((await again.subscribe('XRP')).height).toBe(joined.height + 3);
  });

  it('refuse rejects new connections for a while and keeps open ones', async () => {
    await using joined = await join();
    const { venue, client } = joined;
    await fault(venue, { kind: 'refuse', ms: 60_000 });
    const refused = new WebSocket(venue.l4Url);
    await once(refused, 'error');
    await step(joined, 1);
    expect(client.isClosed).toBe(false);
    await fault(venue, { kind: 'clear' });
    await using again = await L4Client.open(venue.l4Url);
    await again.subscribe('XRP');
  });

  it('restart breaks every connection and rejects new ones for a while', async () => {
    await using joined = await join();
    const { venue, client } = joined;
    await fault(venue, { kind: 'restart', ms: 60_000 });
    await client.until(() => client.isClosed, 'the end of the connection');
    await once(new WebSocket(venue.l4Url), 'error');
    await fault(venue, { kind: 'clear' });
    await venue.step(2);
    await using again = await L4Client.open(venue.l4Url);
    expect((await again.subscribe('XRP')).height).toBe(joined.height + 2);
  });

  it('silent sends nothing for a while although the market continues; requests are handled afterwards', async () => {
    await using joined = await join();
    const { venue, client } = joined;
    await fault(venue, { kind: 'silent', ms: 60_000 });
    client.received.length = 0;
    client.send({ method: 'unsubscribe', subscription: { type: 'l4Book', coin: 'DOGE' } });
    await venue.step(4);
    expect(client.received).toEqual([]);
    await fault(venue, { kind: 'clear' });
    await client.settled();
    expect(client.received.map(({ kind }) => kind)).toEqual(['acknowledgement']);
    await step(joined, 1);
    expect(steps(joined, 'XRP')).toEqual([5]);
    expect(client.isClosed).toBe(false);
  });
});

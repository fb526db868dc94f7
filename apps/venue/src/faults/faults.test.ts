import { describe, expect, it } from 'vitest';
import { startVenue, type Venue } from '../server.ts';
import { L4Client } from '../test-support/l4-client.ts';
import { NaiveFollower } from '../test-support/naive-follower.ts';
import type { Fault } from './fault.ts';

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

/** Asks over the control port, as a script would. */
async function control(venue: Venue, path: string, body: object): Promise<void> {
  const response = await fetch(`${venue.controlUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
  expect(response.status).toBe(200);
}

function fault(venue: Venue, asked: Partial<Fault> & { readonly kind: string }): Promise<void> {
  return control(venue, '/fault', asked);
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

  it('corrupt waits for a block that has something to corrupt', async () => {
    await using joined = await join();
    const { venue } = joined;
    await fault(venue, { kind: 'corrupt', mode: 'origSz', coin: 'XRP' });
    await control(venue, '/levels', { rate: 0, statusRate: 5 });
    await step(joined, 3);
    expect(steps(joined, 'XRP')).toEqual([1, 2, 3]);
    expect(venue.state().faults).toMatchObject([{ remaining: 1 }]);
    await control(venue, '/levels', { rate: LIVELY.rate });
    await step(joined, 100);
    expect(venue.state().faults).toEqual([]);
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

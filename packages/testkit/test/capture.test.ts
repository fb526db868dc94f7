import { createClient, follow } from '@l4desk/client';
import { until } from '@l4desk/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { generatedCapture, realCapture } from './support/capture.ts';
import { Served } from './support/served.ts';

const capture = realCapture() ?? (await generatedCapture());

async function snapshotOf({ infoUrl, apiKey }: Served): Promise<string> {
  const response = await fetch(infoUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ type: 'l4BookSnapshot', coin: 'BTC' }),
  });
  const { levels } = (await response.json()) as { readonly levels: unknown };
  expect(levels).toBeInstanceOf(Array);
  return JSON.stringify(levels);
}

describe(`${capture.name}, replayed`, () => {
  let served: Served;
  /** An instance whose upstream is the other one. */
  let behind: Served;
  beforeAll(async () => {
    served = await Served.start({ VENUE_CAPTURE: capture.directory });
    behind = await served.behind();
  });
  afterAll(async () => {
    await behind[Symbol.asyncDispose]();
    await served[Symbol.asyncDispose]();
    await capture.remove();
  });

  it('[L4-8] gives clients that start in the middle its exact book at the end, without findings', async () => {
    const { venue, url } = served.stack;
    await venue.step(Math.floor(capture.blocks / 3));
    const client = createClient({ baseUrl: url, apiKey: served.apiKey, WebSocket });
    const findings: unknown[] = [];
    const follower = follow({
      client,
      coins: ['BTC'],
      onEvent: (event) => {
        if (event.kind === 'findings' || event.kind === 'refused') findings.push(event);
      },
    });
    await using spec = served.specClient(['BTC']);
    await using specBehind = behind.specClient(['BTC']);
    // Blocks continue while the clients are still starting.
    let height = 0;
    for (let left = capture.blocks - Math.floor(capture.blocks / 3); left > 0; left -= 1) height = await venue.step(1);
    await until('all clients at the last block', () => {
      const view = follower.coin('BTC');
      const heights = [view?.height, spec.position('BTC')?.height, specBehind.position('BTC')?.height];
      return view?.state.kind === 'live' && heights.every((reached) => reached === height);
    });

    const { book, gaps } = follower.coin('BTC') ?? {};
    expect({ findings, gaps }).toEqual({ findings: [], gaps: 0 });
    for (const { violations, gaps: ofSpec } of [spec, specBehind])
      expect({ violations, gaps: ofSpec }).toEqual({ violations: [], gaps: [] });
    expect({ bids: book?.orderCountOf('B'), asks: book?.orderCountOf('A') }).toEqual({
      bids: capture.bids,
      asks: capture.asks,
    });
    expect(await follower.verify('BTC')).toMatchObject({ kind: 'equal' });

    const venueBook = await venue.book('BTC');
    const [bids, asks] = book?.levels() ?? [[], []];
    const truth = capture.levels ?? venueBook.levels;
    expect(spec.book('BTC')?.difference(truth)).toBeUndefined();
    expect(spec.book('BTC')?.difference(venueBook.levels)).toBeUndefined();
    expect(specBehind.book('BTC')?.difference(venueBook.levels)).toBeUndefined();
    expect(spec.book('BTC')?.difference([bids, asks])).toBeUndefined();
    // Every field of every order, queue order included. Not `toEqual`: the difference of two texts of 16 MB is unreadable.
    expect((await snapshotOf(behind)) === (await snapshotOf(served))).toBe(true);
    const seen = spec.book('BTC');
    expect([seen?.best('B'), seen?.best('A')]).toEqual([capture.bestBid, capture.bestAsk]);
    follower.close();
  });
});

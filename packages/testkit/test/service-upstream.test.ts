import { type SpecClient, until } from '@l4desk/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Served } from './support/served.ts';

const COINS = ['BTC', 'ETH', 'SOL'];

/** One instance on the simulated exchange, and another that has the first as its upstream. */
let hosted: Served;
let rig: Served;
beforeAll(async () => {
  hosted = await Served.start({ L4_AUDIT_MS: '1000' });
  rig = await hosted.behind({ L4_REBUILD_MAX_MS: '500' });
});
afterAll(async () => {
  await rig[Symbol.asyncDispose]();
  await hosted[Symbol.asyncDispose]();
});

/** Waits until a client of the second instance has the exchange's own books. The market does not move meanwhile. */
function exact(spec: SpecClient): Promise<true> {
  let found: unknown;
  const facts = () => JSON.stringify({ found, violations: spec.violations, gaps: spec.gaps.slice(-3) });
  return until(facts, async () => {
    const differences = COINS.map(async (coin) => {
      const { levels } = await hosted.stack.venue.book(coin);
      return spec.book(coin)?.difference(levels) ?? (spec.book(coin) === undefined ? 'no book' : undefined);
    });
    found = (await Promise.all(differences)).filter((difference) => difference !== undefined);
    return Array.isArray(found) && found.length === 0;
  });
}

/** Steps the exchange until the client has an entry of every coin, which would reveal a lost block. */
async function moved(spec: SpecClient): Promise<void> {
  const before = COINS.map((coin) => spec.position(coin)?.height ?? 0);
  await until('an entry of every coin', async () => {
    await hosted.stack.venue.step(1);
    return COINS.every((coin, index) => (spec.position(coin)?.height ?? 0) > (before[index] ?? 0));
  });
}

describe('an instance whose upstream is another instance', () => {
  it('[UP-30] follows a book that the other one rebuilt, even if the market has not moved since; no other coin has a gap', async () => {
    await using first = hosted.specClient(COINS);
    await using spec = rig.specClient(COINS);
    await exact(first);
    await exact(spec);
    const { venue } = hosted.stack;
    const before = await orders(venue.book('BTC'));
    const lost = await hosted.metric('l4desk_feed_books_lost_total');
    // The exchange continues, but the first instance is not notified. Its next audit finds that.
    await until('a change of the book', async () => {
      await venue.fault({ kind: 'drop', coin: 'BTC', blocks: 1 });
      await venue.step(1);
      return (await orders(venue.book('BTC'))) !== before;
    });
    await venue.fault({ kind: 'clear' });
    // An exchange that is silent until an audit fails would be reconnected, which costs the books of all coins.
    await until(
      'the loss of the book',
      async () => {
        await venue.step(1);
        return (await hosted.metric('l4desk_feed_books_lost_total')) > lost;
      },
      { longestPauseMs: 200 },
    );
    const wanted = await orders(venue.book('BTC'));
    await until('the exchange’s book', async () => {
      const { status, text } = await ask(rig, { type: 'l4BookSnapshot', coin: 'BTC' });
      return status === 200 && (await orders(JSON.parse(text))) === wanted;
    });
    for (const client of [first, spec]) {
      await moved(client);
      await exact(client);
    }
    // Only BTC was dropped: a client of either instance has one gap, in BTC.
    const gap = expect.objectContaining({ coin: 'BTC', kind: 'prev_seq' });
    expect({ first: first.gaps, behind: spec.gaps }).toEqual({ first: [gap], behind: [gap] });
    expect([...first.violations, ...spec.violations]).toEqual([]);
  });

  it('[L4-19] recovers from the other’s restart, with a new exchange behind it', async () => {
    await using spec = rig.specClient(COINS);
    await exact(spec);
    await hosted.stack.stop('SIGKILL');
    await hosted.stack.start();
    await moved(spec);
    await exact(spec);
    expect(spec.gaps.length).toBeGreaterThan(0);
    expect(spec.violations).toEqual([]);
  });
});

interface Listed {
  readonly levels: readonly (readonly { readonly oid: number; readonly limitPx: string; readonly sz: string }[])[];
}

/** The orders of a book as one text, in queue order. */
async function orders(book: Listed | Promise<Listed>): Promise<string> {
  const { levels } = await book;
  return JSON.stringify(levels.map((side) => side.map(({ oid, limitPx, sz }) => [oid, limitPx, sz])));
}

async function ask(served: Served, body: object): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(served.infoUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${served.apiKey}` },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

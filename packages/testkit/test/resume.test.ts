import { createClient, type FollowEvent, type Follower, follow } from '@l4desk/client';
import { Chance, until } from '@l4desk/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Served } from './support/served.ts';

const CLIENTS = 25;
/** `npm run soak -- resume` runs 40, which is a thousand disconnects. */
const ROUNDS = Number(process.env.L4DESK_RESUME_ROUNDS ?? 4);

let served: Served;
beforeAll(async () => {
  served = await Served.start();
});
afterAll(() => served[Symbol.asyncDispose]());

interface Resting {
  readonly oid: number;
  readonly sz: string;
  readonly limitPx: string;
}

/** The sides in queue order, as texts. */
const keysOf = (sides: readonly (readonly Resting[])[]) =>
  sides.map((orders) => orders.map(({ oid, sz, limitPx }) => `${oid} ${sz} ${limitPx}`));

/** Our client library as an ordinary user runs it, with access to its sockets and snapshots. */
class Resumed {
  readonly follower: Follower;
  readonly events: FollowEvent[] = [];
  snapshots = 0;
  #socket: WebSocket | undefined;

  constructor() {
    const seen = this.#see.bind(this);
    class SeenSocket extends WebSocket {
      constructor(...of: ConstructorParameters<typeof WebSocket>) {
        super(...of);
        seen(this);
      }
    }
    this.follower = follow({
      client: createClient({
        baseUrl: served.stack.url,
        apiKey: served.apiKey,
        WebSocket: SeenSocket,
        fetch: async (...request) => {
          const response = await fetch(...request);
          // While the book is built, the service may refuse a request with 503, and the client repeats it.
          if (response.ok) this.snapshots += 1;
          return response;
        },
      }),
      coins: ['BTC'],
      settings: { reconnect: { firstMs: 20, longestMs: 200 } },
      onEvent: (event) => this.events.push(event),
    });
  }

  #see(socket: WebSocket): void {
    this.#socket = socket;
  }

  /** Breaks the connection without a close frame. */
  cut(): void {
    this.#socket?.terminate();
  }

  count(kind: FollowEvent['kind']): number {
    return this.events.filter((event) => event.kind === kind).length;
  }

  /** Whether it has resumed this many times, and has the book of a height, proved if any block came. */
  isAt(height: number, resumes: number): boolean {
    const view = this.follower.coin('BTC');
    return view?.state.kind === 'live' && view.height === height && this.count('resumed') === resumes;
  }
}

it(`[L4-8] after ${CLIENTS * ROUNDS} disconnects every client of our library is exact, without a snapshot but its first`, async () => {
  const chance = new Chance(29);
  const { venue } = served.stack;
  const clients = Array.from({ length: CLIENTS }, () => new Resumed());
  let height = 0;
  const behind = (resumes: number) => clients.filter((client) => !client.isAt(height, resumes));
  const told = (resumes: number) => () =>
    JSON.stringify(
      behind(resumes)
        .slice(0, 3)
        .map(({ events }) => events.at(-1)),
    );
  /** Makes blocks until one changes the coin, so that the coin's last change is at the last height. */
  const step = async (blocks: number) => {
    await venue.step(blocks);
    const before = JSON.stringify((await venue.book('BTC')).levels);
    do height = await venue.step(1);
    while (JSON.stringify((await venue.book('BTC')).levels) === before);
  };
  await step(1);
  await until('all have a book', async () => {
    await step(1);
    return clients.every(({ follower }) => follower.coin('BTC')?.state.kind === 'live');
  });
  await until(told(0), () => behind(0).length === 0);
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const client of clients) client.cut();
    await step(chance.int(1, 6));
    await until(told(round), () => behind(round).length === 0);
  }
  const { levels } = await venue.book('BTC');
  for (const { follower, events, snapshots } of clients) {
    const { book, gaps, provedHeight, resumes } = follower.coin('BTC') ?? {};
    expect(keysOf(book?.levels() ?? [])).toEqual(keysOf(levels));
    expect({ gaps, provedHeight, resumes, snapshots }).toEqual({
      gaps: 0,
      provedHeight: height,
      resumes: ROUNDS,
      snapshots: 1,
    });
    expect(events.filter(({ kind }) => kind === 'notResumed' || kind === 'disproved' || kind === 'findings')).toEqual(
      [],
    );
    follower.close();
  }
  const missed = clients.flatMap(({ events }) =>
    events.flatMap((event) => (event.kind === 'resumed' ? [event.missed] : [])),
  );
  expect(missed.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(CLIENTS * ROUNDS);
});

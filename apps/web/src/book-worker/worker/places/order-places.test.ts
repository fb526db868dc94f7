import { L4Book } from '@l4desk/book';
import type { Address } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { must } from '../../../test-support/must.ts';
import type { CreditShortage } from '../../messages.ts';
import { FakeFollower } from '../../test-support/fake-follower.ts';
import type { CoinPlaces } from './coin-places.ts';
import { OrderPlaces } from './order-places.ts';

/** The page follows BTC; every other coin is followed only for places. */
function following() {
  const told: CoinPlaces[] = [];
  const timers: (() => void)[] = [];
  const account: { credits: CreditShortage['credits'] | null } = { credits: null };
  const main = new FakeFollower('BTC', (event) => {
    const view = main.coin('BTC');
    const { height, seq, epoch, blockTime, book } = view ?? {};
    if (event.kind !== 'block' || book === undefined || epoch === undefined) return;
    const position = { height: height ?? 0, seq: seq ?? 0, epoch, blockTime: blockTime ?? 0 };
    places.onMainBlock({ book, position }, event.batch.prevSeq, () => undefined);
  });
  const others: FakeFollower[] = [];
  const places: OrderPlaces = new OrderPlaces({
    follow: (coin, onEvent) => {
      const follower = new FakeFollower(coin, onEvent, 3);
      others.push(follower);
      return follower;
    },
    credits: async () => account.credits,
    now: () => main.now,
    later: (task) => void timers.push(task),
    post: (next) => void told.push(next),
    main: () => ({ coin: 'BTC', view: main.coin('BTC') }),
  });
  const posted = () => {
    for (const task of timers.splice(0)) task();
    return told.splice(0);
  };
  return { places, main, others, posted, account };
}

const usersOf = (follower: FakeFollower, coin: string) =>
  [
    ...new Set(
      follower
        .levels(coin)
        .flat()
        .flatMap(({ user }) => user?.toLowerCase() ?? []),
    ),
  ] as Address[];

/** The places of all orders, found one by one. */
function plainPlaces(follower: FakeFollower, coin: string, users: readonly Address[]) {
  const { book } = L4Book.build(coin, follower.levels(coin));
  return (['B', 'A'] as const).flatMap((side) =>
    [...book.orders(side)].flatMap(({ oid, user }) => {
      if (user === null || !users.includes(user.toLowerCase() as Address)) return [];
      const { ordersAhead, szAhead, levelCount } = must(book.place(oid), 'place');
      return [`${oid} ${ordersAhead} ${szAhead} ${levelCount}`];
    }),
  );
}

const placesOf = ({ orders }: CoinPlaces) =>
  orders.map(({ oid, ordersAhead, szAhead, levelOrders }) => `${oid} ${ordersAhead} ${szAhead} ${levelOrders}`);

describe('the places of open orders', () => {
  it('are correct for the followed book and for another one, block by block', () => {
    const { places, main, others, posted } = following();
    main.goLive('BTC');
    const users = usersOf(main, 'BTC').slice(0, 4);
    places.want(['BTC', 'ETH'], users);
    const other = must(others[0], 'follower');
    other.goLive('ETH');
    expect(other.coins).toEqual(['ETH']);
    const all = [...users, ...usersOf(other, 'ETH').slice(0, 4)];
    places.want(['BTC', 'ETH'], all);
    for (let block = 0; block < 40; block += 1) {
      const told = posted();
      expect(told.map(({ coin }) => coin).toSorted()).toEqual(['BTC', 'ETH']);
      for (const one of told) {
        const follower = one.coin === 'BTC' ? main : other;
        expect(one.state).toBe('live');
        expect(placesOf(one).toSorted()).toEqual(plainPlaces(follower, one.coin, all).toSorted());
        expect(one.gone.filter(({ oid }) => placesOf(one).some((place) => place.startsWith(`${oid} `)))).toEqual([]);
      }
      main.block('BTC');
      other.block('ETH');
    }
  });

  it('report when an order left, and why', () => {
    const { places, others, posted } = following();
    places.want(['ETH'], []);
    const other = must(others[0], 'follower');
    other.goLive('ETH');
    const users = usersOf(other, 'ETH');
    places.want(['ETH'], users);
    const before = must(posted().at(-1), 'places').orders.map(({ oid }) => oid);
    for (let block = 0; block < 30; block += 1) other.block('ETH');
    const after = must(posted().at(-1), 'places');
    const left = before.filter((oid) => !after.orders.some((order) => order.oid === oid));
    expect(left.length).toBeGreaterThan(3);
    const gone = new Map(after.gone.map((order) => [order.oid, order]));
    for (const oid of left) {
      expect(gone.get(oid)).toMatchObject({ kind: expect.stringMatching(/^(?:executed|canceled|requotedOut)$/) });
      expect(gone.get(oid)?.height).toBeGreaterThan(100);
    }
  });

  it('cost nothing for the followed coin, stop with the last coin, and are sent at most twice a second', () => {
    const { places, main, others, posted } = following();
    main.goLive('BTC');
    places.want(['BTC'], usersOf(main, 'BTC'));
    expect(others).toEqual([]);
    for (let block = 0; block < 5; block += 1) main.block('BTC');
    expect(posted()).toHaveLength(1);
    places.want(['BTC', 'ETH', 'SOL'], []);
    expect(others.map(({ coins }) => coins)).toEqual([['ETH', 'SOL']]);
    places.want(['BTC', 'SOL'], []);
    expect(others[0]?.coins).toEqual(['SOL']);
    places.want(['BTC'], []);
    expect(others[0]?.connection.kind).toBe('stopped');
    places.want([], []);
    posted();
    main.block('BTC');
    expect(posted()).toEqual([]);
  });

  it('are waited for while there are no credits, and read again when there are some, or on request', async () => {
    const { places, main, others, posted, account } = following();
    const settle = async () => {
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    };
    main.goLive('BTC');
    places.want(['BTC', 'ETH', 'SOL'], []);
    for (const coin of ['ETH', 'SOL']) others[0]?.goLive(coin);
    posted();
    account.credits = { used: 10, limit: 10, resetsAt: 1 };
    others[0]?.stop({ kind: 'credits', message: 'credits exhausted' });
    await settle();
    expect(others.map(({ connection }) => connection.kind)).toEqual(['stopped']);
    expect(new Set(posted().map(({ coin }) => coin))).toEqual(new Set(['BTC', 'ETH', 'SOL']));
    await settle();
    expect(others).toHaveLength(1);
    account.credits = null;
    posted();
    await settle();
    expect(others[1]?.coins).toEqual(['ETH', 'SOL']);
    for (const coin of ['ETH', 'SOL']) others[1]?.goLive(coin);
    expect(posted().map(({ coin, state }) => `${coin} ${state}`)).toEqual(
      expect.arrayContaining(['ETH live', 'SOL live']),
    );
    others[1]?.stop({ kind: 'credential', code: 'unauthorized', message: 'key revoked' });
    expect(others).toHaveLength(2);
    places.restart();
    expect(others[2]?.coins).toEqual(['ETH', 'SOL']);
  });
});

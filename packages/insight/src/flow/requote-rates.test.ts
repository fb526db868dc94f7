import { L4Book } from '@l4desk/book';
import type { Address, Side } from '@l4desk/protocol';
import { BusyFeed } from '@l4desk/testkit';
import { describe, expect, it } from 'vitest';
import { History } from '../history/history.ts';
import { RequoteRates } from './requote-rates.ts';

/** Requotes per minute over the kept blocks up to a place, computed by reading every block. */
function plainRates(history: History, place: number): (user: Address, side: Side) => string {
  const counts = new Map<string, number>();
  for (let at = history.first + 1; at <= place; at += 1) {
    for (const event of history.blockAt(at)?.events() ?? []) {
      const key = event.user + event.side;
      if (event.kind === 'requotedIn') counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const spanMs = history.markAt(place).time - history.markAt(history.first).time;
  return (user, side) => (Math.floor(((counts.get(user + side) ?? 0) * 60_000 * 10) / spanMs + 0.5) / 10).toFixed(1);
}

function grown(blocks: number) {
  const feed = new BusyFeed(400);
  const history = new History('BTC', { blocks: 60, changes: 100_000, stretches: 2 });
  history.begin(L4Book.build('BTC', feed.levels()).book, feed.start, '');
  const grow = (count: number) => {
    for (let block = 0; block < count; block += 1) expect(history.add(feed.block())).toBeDefined();
  };
  grow(blocks);
  return { history, grow, feed };
}

const requotersOf = (history: History) =>
  Array.from(
    { length: history.last - history.first },
    (_, at) => history.blockAt(history.first + 1 + at)?.events() ?? [],
  )
    .flat()
    .filter(({ kind }) => kind === 'requotedIn');

describe('requotes per minute', () => {
  it('count all kept blocks up to the place: forward, back, and as the oldest blocks are evicted', () => {
    const { history, grow } = grown(40);
    const rates = new RequoteRates();
    let seen = 0;
    for (let round = 0; round < 12; round += 1) {
      for (const place of [history.last, history.first + 20, history.last - 3]) {
        rates.moveTo(history, place);
        const plainRate = plainRates(history, place);
        for (const { user, side } of requotersOf(history)) {
          expect(rates.perMinute(user, side)).toBe(plainRate(user, side));
          seen += 1;
        }
        expect(rates.spanMs).toBe(history.markAt(place).time - history.markAt(history.first).time);
      }
      grow(7);
    }
    expect(seen).toBeGreaterThan(500);
    expect(history.first).toBeGreaterThan(0);
  });

  it('leave out the time of a gap, and are null if no time has passed', () => {
    const { history, feed } = grown(10);
    const before = history.markAt(history.last).time - history.markAt(history.first).time;
    const { mark } = { mark: history.markAt(history.last) };
    const later = { ...mark, height: mark.height + 900, time: mark.time + 60_000 };
    history.begin(L4Book.build('BTC', feed.levels()).book, later, 'lost');
    const rates = new RequoteRates();
    rates.moveTo(history, history.last);
    expect(rates.spanMs).toBe(before);
    const [first] = requotersOf(history);
    rates.moveTo(history, history.first);
    expect(first && rates.perMinute(first.user, first.side)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { Live } from '../../../book-worker/live.ts';
import { FakeWorker } from '../../../book-worker/test-support/fake-worker.ts';
import { otherCoins, placeLadders, readBook, readBooks, tickBeside, writeBook, writeBooks } from './books.ts';

describe('the further ladders in the URL', () => {
  it('round-trip with coin, grouping and centring', () => {
    for (const text of ['ETH', 'BTC@10', 'BTC@10@mid', 'xyz:TSLA@@static', 'kPEPE@0.0001']) {
      const book = readBook(text);
      expect(book && writeBook(book)).toBe(text);
    }
    expect(readBook('BTC@10@mid')).toEqual({ coin: 'BTC', tick: '10', mode: 'mid' });
    expect(readBook('xyz:TSLA@@static')).toEqual({ coin: 'xyz:TSLA', mode: 'static' });
  });

  it('are rejected as a whole if one is invalid, or if there are more than two', () => {
    const texts = ['', '@10', 'BTC@3', 'BTC@10@sideways', 'BTC@10@mid@x', 'B C', 'ETH,', 'A,B,C'];
    expect(texts.filter((text) => readBooks(text) !== undefined)).toEqual([]);
  });

  it('are written as none for an empty list, and read back', () => {
    expect(readBooks('none')).toEqual([]);
    expect(writeBooks([])).toBe('none');
    expect(readBooks(writeBooks([{ coin: 'ETH' }, { coin: 'BTC', tick: '10' }]))).toEqual([
      { coin: 'ETH' },
      { coin: 'BTC', tick: '10' },
    ]);
  });
});

it.each([
  [undefined, '10'],
  ['1', '10'],
  ['5', '50'],
  ['20', '100'],
  ['100', '1'],
  ['3', '10'],
])('beside a ladder grouped by %s, another one of the book is grouped by %s', (tick, beside) => {
  expect(tickBeside(['1', '2', '5', '10', '20', '50', '100'], tick)).toBe(beside);
  expect(tickBeside([], tick)).toBeUndefined();
});

describe('ladders of one coin share its book', () => {
  const live = () => new Live(() => new FakeWorker(), 'simulated');

  it('makes another grouping of the first coin a second view of its book, and gives another coin its own book', () => {
    const [own, eth] = [live(), live()];
    const ladders = [{ coin: 'BTC' }, { coin: 'ETH' }, { coin: 'BTC', tick: '10' }].map((book, index) => ({
      ...book,
      index,
      pane: { current: null },
    }));
    expect(otherCoins(ladders)).toEqual(['ETH']);
    const placed = placeLadders(ladders, own, new Map([['ETH', eth]]));
    expect(placed.map((ladder) => ladder.live)).toEqual([own, eth, own]);
    expect(placed.map((ladder) => ladder.view)).toEqual([0, 0, 1]);
  });

  it('needs only one more book for two groupings of another coin', () => {
    const ladders = [{ coin: 'BTC' }, { coin: 'ETH' }, { coin: 'ETH', tick: '5' }];
    expect(otherCoins(ladders)).toEqual(['ETH']);
    const placed = placeLadders(
      ladders.map((book, index) => ({ ...book, index, pane: { current: null } })),
      live(),
      new Map(),
    );
    expect(placed.map((ladder) => ladder.live === undefined)).toEqual([false, true, true]);
    expect(placed.map((ladder) => ladder.view)).toEqual([0, 0, 1]);
  });
});

import { describe, expect, it } from 'vitest';
import { Live } from '../../../book-worker/live.ts';
import { FakeWorker } from '../../../book-worker/test-support/fake-worker.ts';
import { otherCoins, placeLadders, readBook, readBooks, writeBook, writeBooks } from './books.ts';

describe('[WEB-70] the ladders beside the first one are in the address', () => {
  it('each with its coin, its grouping and how it follows the market', () => {
    for (const text of ['ETH', 'BTC@10', 'BTC@10@mid', 'xyz:TSLA@@static', 'kPEPE@0.0001']) {
      const book = readBook(text);
      expect(book && writeBook(book)).toBe(text);
    }
    expect(readBook('BTC@10@mid')).toEqual({ coin: 'BTC', tick: '10', mode: 'mid' });
    expect(readBook('xyz:TSLA@@static')).toEqual({ coin: 'xyz:TSLA', mode: 'static' });
  });

  it('what says no ladder is refused as a whole, and so is a third one', () => {
    const texts = ['', '@10', 'BTC@3', 'BTC@10@sideways', 'BTC@10@mid@x', 'B C', 'ETH,', 'A,B,C'];
    expect(texts.filter((text) => readBooks(text) !== undefined)).toEqual([]);
  });

  it('none is no ladder, and is what is written for none', () => {
    expect(readBooks('none')).toEqual([]);
    expect(writeBooks([])).toBe('none');
    expect(readBooks(writeBooks([{ coin: 'ETH' }, { coin: 'BTC', tick: '10' }]))).toEqual([
      { coin: 'ETH' },
      { coin: 'BTC', tick: '10' },
    ]);
  });
});

describe('[WEB-71] ladders of one coin share its book', () => {
  const live = () => new Live(() => new FakeWorker());

  it('a grouping beside the first ladder is its second view, another coin has a book of its own', () => {
    const [own, eth] = [live(), live()];
    const ladders = [{ coin: 'BTC' }, { coin: 'ETH' }, { coin: 'BTC', tick: '10' }].map((book, index) => ({
      ...book,
      index,
    }));
    expect(otherCoins(ladders)).toEqual(['ETH']);
    const placed = placeLadders(ladders, own, new Map([['ETH', eth]]));
    expect(placed.map((ladder) => ladder.live)).toEqual([own, eth, own]);
    expect(placed.map((ladder) => ladder.view)).toEqual([0, 0, 1]);
  });

  it('two groupings of another coin need one more book, not two', () => {
    const ladders = [{ coin: 'BTC' }, { coin: 'ETH' }, { coin: 'ETH', tick: '5' }];
    expect(otherCoins(ladders)).toEqual(['ETH']);
    const placed = placeLadders(
      ladders.map((book, index) => ({ ...book, index })),
      live(),
      new Map(),
    );
    expect(placed.map((ladder) => ladder.live === undefined)).toEqual([false, true, true]);
    expect(placed.map((ladder) => ladder.view)).toEqual([0, 0, 1]);
  });
});

import { expect, test } from 'vitest';
import { CoinReaders } from './coin-readers.ts';

test('a text of a coin is wanted while it has a reader', () => {
  const readers = new CoinReaders();
  const wanted = () => {
    const names = Object.entries(readers.of('BTC')).flatMap(([name, isWanted]) => (isWanted ? [name] : []));
    return names.join();
  };
  expect([wanted(), readers.isEmpty]).toEqual(['', true]);
  const plain = readers.add('BTC', { statuses: 'all', deflate: false });
  expect(wanted()).toBe('all');
  const one = readers.add('BTC', { statuses: 'book', deflate: true });
  const two = readers.add('BTC', { statuses: 'all', deflate: true });
  readers.add('ETH', { statuses: 'book', deflate: false });
  expect(wanted()).toBe('all,allDeflated,bookDeflated');
  plain();
  one();
  expect(wanted()).toBe('all,allDeflated');
  two();
  expect([wanted(), readers.isEmpty]).toEqual(['', true]);
});

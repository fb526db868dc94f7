import { owners as ownersOf, queuePlaces as placesOf, sweep as sweepOf } from '@l4desk/insight';
import { describe, expect, it } from 'vitest';
import { bookOf, l4BookSnapshot, owners, queuePlaces, queuePlacesOf, sweep, WireFormatError } from '../index.ts';
import { Following } from '../test-support/following.ts';

describe('owners, queue places and sweeps', () => {
  it('of a followed book, after each block, equal those of a fresh snapshot', async () => {
    await using following = await Following.start({ coins: ['BTC'] });
    const { service, client, follower } = following;
    for (let block = 0; block < 5; block += 1) {
      await following.live('BTC');
      const book = follower.coin('BTC')?.book;
      const snapshot = await l4BookSnapshot(client, { coin: 'BTC' });
      if (book === undefined) throw new Error('BTC has no book');
      const users = [...new Set(snapshot.levels.flat().map(({ user }) => user ?? '0x'))];
      expect(users.length).toBeGreaterThan(3);
      for (const user of users) {
        expect(queuePlaces(snapshot, user)).toEqual(placesOf(book, user));
        expect(queuePlaces(book, user)).toEqual(placesOf(book, user));
      }
      expect(queuePlacesOf(snapshot, users)).toEqual(queuePlacesOf(book, users));
      expect(owners(snapshot, '100')).toEqual(ownersOf(book, '100'));
      expect(owners(book, '100').bids.length).toBeGreaterThan(0);
      const amount = { ntl: '12345.67', szDecimals: 2 } as const;
      expect(sweep(snapshot, 'buy', amount)).toEqual(sweepOf(book, 'buy', amount));
      expect(sweep(book, 'sell', { sz: '3' })).toMatchObject({ filledSz: '3', unfilled: '0' });
      service.block(['BTC']);
    }
  });

  it('use a book as it is, and refuse a snapshot that contradicts itself', async () => {
    await using following = await Following.start({ coins: ['BTC'] });
    const snapshot = await l4BookSnapshot(following.client, { coin: 'BTC' });
    const book = bookOf(snapshot);
    expect(bookOf(book)).toBe(book);
    const [bids, asks] = snapshot.levels;
    const [first] = bids;
    if (first === undefined) throw new Error('there is no bid');
    const twice = { ...snapshot, levels: [[first, ...bids], asks] as const };
    expect(() => owners(twice, '10')).toThrow(
      new WireFormatError('snapshot.levels', `must be a book: order ${first.oid} already rests`),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { judgeSource } from './source.ts';

const here = { epoch: 'e1', seq: 7 };

const book = (change: object = {}) => ({ coin: 'BTC', state: 'live', height: 9, ...here, ...change });
const response = (change: object = {}) => ({
  status: 'ready',
  upstreamL4: { status: 'ok' },
  books: { BTC: book() },
  ...change,
});

describe('the service’s report on a quiet coin’s source', () => {
  it.each([7, 6])('is live when the service is at the page’s position or just behind it (seq %i)', (seq) => {
    expect(judgeSource(response({ books: { BTC: book({ seq }) } }), 'BTC', here)).toEqual({ kind: 'live' });
  });

  it('is stale with the service’s reason when the exchange is disconnected', () => {
    const upstreamL4 = { status: 'failed', problem: 'closed with 1006' };
    expect(judgeSource(response({ upstreamL4 }), 'BTC', here)).toEqual({
      kind: 'stale',
      reason: 'the service is disconnected from the exchange’s feed: closed with 1006',
    });
  });

  it.each([
    ['waits', { BTC: book({ state: 'waiting' }) }],
    ['builds it', { BTC: book({ state: 'building' }) }],
    ['rebuilds it', { BTC: book({ state: 'rebuilding' }) }],
    ['is not joined', { ETH: book() }],
  ])('is stale while the service’s own book %s', (_, books) => {
    expect(judgeSource(response({ books }), 'BTC', here)).toMatchObject({
      kind: 'stale',
      reason: expect.stringContaining('BTC'),
    });
  });

  it.each([[undefined], [null], ['<html>'], [{}], [{ status: 'ready', books: {} }]])(
    'is stale without a response, or with one that lacks the state: %j',
    (nothing) => {
      expect(judgeSource(nothing, 'BTC', here)).toMatchObject({ kind: 'stale' });
    },
  );

  it('is ahead when the service’s book is further on or of another epoch', () => {
    expect(judgeSource(response({ books: { BTC: book({ seq: 8 }) } }), 'BTC', here)).toEqual({
      kind: 'ahead',
      reason: 'upstream-gap',
      detail: 'the service is at seq 8, the page at 7',
    });
    expect(judgeSource(response({ books: { BTC: book({ epoch: 'e2', seq: 0 }) } }), 'BTC', here)).toMatchObject({
      kind: 'ahead',
      reason: 'upstream-epoch',
    });
  });
});

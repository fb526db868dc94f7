import type { FollowEvent } from '@l4desk/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { FakeFollower } from '../test-support/fake-follower.ts';
import { FollowedCoin } from './followed-coin.ts';

let followers: FakeFollower[];
let events: FollowEvent[];
let calls: string[];
let isReplaced: boolean;
let followed: FollowedCoin;

beforeEach(() => {
  followers = [];
  events = [];
  calls = [];
  isReplaced = false;
  followed = new FollowedCoin({
    follow: (coin, onEvent) => {
      const follower = new FakeFollower(coin, onEvent);
      followers.push(follower);
      return follower;
    },
    isReplaced: () => isReplaced,
    onEvent: (event) => events.push(event),
    onStarted: () => calls.push('started'),
    onRested: () => calls.push('rested'),
  });
});

const follow = (coin: string) => {
  followed.choose(coin);
  followed.follow();
};

const last = () => must(followers.at(-1), 'follower');

describe('the followed coin', () => {
  it('has a view and a book of the chosen coin alone, over one connection', () => {
    expect([followed.follower, followed.view, followed.live]).toEqual([undefined, undefined, undefined]);
    follow('BTC');
    last().goLive('BTC');
    expect(followed.live?.position.height).toBe(100);
    follow('ETH');
    expect(last().coins).toEqual(['ETH']);
    expect(followed.view?.coin).toBe('ETH');
    expect(followed.live).toBeUndefined();
    expect([followers.length, calls]).toEqual([1, ['started']]);
  });

  it('passes on events of the connection and of the chosen coin alone', () => {
    follow('BTC');
    follow('ETH');
    const state = { kind: 'waiting', reason: null, detail: '', since: 0 } as const;
    last().emit({ kind: 'state', coin: 'BTC', state, previous: state });
    last().emit({ kind: 'refused', coins: ['BTC'], message: 'no such coin' });
    expect(events).toEqual([]);
    last().emit({ kind: 'state', coin: 'ETH', state, previous: state });
    last().emit({ kind: 'refused', coins: ['BTC', 'ETH'], message: 'no such coin' });
    last().lose({ kind: 'failed', message: 'gone' });
    expect(events.map(({ kind }) => kind)).toEqual(['state', 'refused', 'connection']);
  });

  it('is followed over a new connection once the last one has stopped, whose events are ignored from then on', () => {
    follow('BTC');
    const [first] = followers;
    followed.stop();
    events = [];
    follow('BTC');
    expect([followers.length, calls]).toEqual([2, ['started', 'started']]);
    first?.goLive('BTC');
    expect(events).toEqual([]);
    last().goLive('BTC');
    expect(events.map(({ kind }) => kind)).toEqual(['book', 'state']);
  });

  it('closes the last connection when another one is started', () => {
    follow('BTC');
    followed.start();
    expect(followers.map(({ connection }) => connection.kind)).toEqual(['stopped', 'open']);
    expect(events).toEqual([]);
  });

  it('is not followed while a recording is shown, and again afterwards over the same connection', () => {
    follow('BTC');
    isReplaced = true;
    followed.follow();
    expect([last().coins, followed.view]).toEqual([[], undefined]);
    follow('ETH');
    expect(last().coins).toEqual([]);
    isReplaced = false;
    followed.follow();
    expect(last().coins).toEqual(['ETH']);
    expect([followers.length, calls]).toEqual([1, ['started', 'rested']]);
  });

  it('has a connection, but no coin on it, if a recording is shown from the start', () => {
    isReplaced = true;
    follow('BTC');
    expect([last().connection.kind, last().coins, calls]).toEqual(['open', [], ['started']]);
  });
});

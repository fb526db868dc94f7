import { describe, expect, it } from 'vitest';
import { readRule } from './watch-rules.ts';

const user = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';

describe('readRule', () => {
  it.each([
    [{ kind: 'wallet', user, event: 'placed', minSz: '10' }],
    [{ kind: 'place', user, place: 1 }],
    [{ kind: 'wall', withinBps: '0', minSz: '0.5' }],
    [{ kind: 'spread', aboveBps: '5' }],
    [{ kind: 'imbalance', withinBps: '10', above: '0.8' }],
    [{ kind: 'imbalance', withinBps: '10', above: '0.99' }],
    [{ kind: 'epoch' }],
  ])('accepts %o', (typed) => expect(readRule(typed)).toEqual({ rule: typed, refused: undefined }));

  it.each([
    ['user', { kind: 'wallet', user: '0xa', event: 'placed', minSz: '10' }],
    ['user', { kind: 'wallet', user: '', event: 'placed', minSz: 'much' }],
    ['minSz', { kind: 'wallet', user, event: 'pulled', minSz: '0.0' }],
    ['place', { kind: 'place', user, place: 0 }],
    ['place', { kind: 'place', user, place: Number.NaN }],
    ['withinBps', { kind: 'wall', withinBps: '-1', minSz: '5' }],
    ['minSz', { kind: 'wall', withinBps: '1', minSz: '' }],
    ['withinBps', { kind: 'wall', withinBps: '', minSz: '' }],
    ['aboveBps', { kind: 'spread', aboveBps: 'wide' }],
    ['above', { kind: 'imbalance', withinBps: '10', above: 'much' }],
    ['above', { kind: 'imbalance', withinBps: '10', above: '1.0' }],
    ['withinBps', { kind: 'imbalance', withinBps: '', above: '0.8' }],
  ])('rejects the field %s: %o', (refused, typed) => expect(readRule(typed)).toEqual({ rule: undefined, refused }));
});

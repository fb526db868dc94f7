import { describe, expect, it } from 'vitest';
import { readNodeFill } from './nodeFiles.ts';

const USER = '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5';
const FILL = {
  coin: 'BTC',
  px: '63000.5',
  sz: '0.01',
  side: 'B',
  time: 1_778_000_000_000,
  startPosition: '0.0',
  dir: 'Open Long',
  closedPnl: '0.0',
  hash: '0x00',
  oid: 7,
  crossed: true,
  fee: '0.1',
  tid: 9,
};

describe('a fill of a node', () => {
  it('is read without what only its wallet needs', () => {
    const { coin, px, sz, side, time, hash, oid, crossed, tid } = FILL;
    expect(readNodeFill([USER, FILL])).toEqual({ user: USER, coin, px, sz, side, time, hash, oid, crossed, tid });
  });

  it.each([
    ['px', 63_000.5],
    ['px', '63,000'],
    ['sz', '1e-2'],
    ['side', 'buy'],
    ['crossed', 'true'],
    ['coin', null],
    ['time', '1778000000000'],
    ['hash', 0],
    ['tid', 0.5],
    ['oid', -1],
  ])('is refused by the name of its field: %s %j', (name, value) => {
    expect(() => readNodeFill([USER, { ...FILL, [name]: value }])).toThrow(`fill.${name}`);
  });

  it('is refused without a wallet', () => {
    expect(() => readNodeFill(['0x5eaa', FILL])).toThrow('must begin with a wallet address');
    expect(() => readNodeFill(FILL)).toThrow('fill');
  });
});

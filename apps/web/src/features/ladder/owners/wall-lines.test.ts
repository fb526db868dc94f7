import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import type { OwnerLens, Wall } from '../../../book-worker/panes/owners.ts';
import { heldWalls, type WallLine } from './wall-lines.ts';

const USER: Address = `0x${'a'.repeat(40)}`;

const wallAt = (px: string, sz = '1') => ({ px: px as DecimalString, sz: sz as DecimalString, user: USER }) as Wall;
const lens = (asks: readonly Wall[], bids: readonly Wall[] = []) =>
  ({ asks: { walls: asks }, bids: { walls: bids } }) as unknown as OwnerLens;
const line = (side: Side, px: string): WallLine => ({ side, wall: wallAt(px), isGone: false });
const said = (lines: readonly WallLine[]) =>
  lines.map(({ side, wall: { px, sz }, isGone }) => `${side}${px} ${isGone ? 'gone' : sz}`);

describe('[WEB-171] held walls', () => {
  it('keep their lines with the values of the response, and new ones follow', () => {
    const before = [line('A', '102'), line('B', '99')];
    expect(said(heldWalls(before, lens([wallAt('101'), wallAt('102', '7')], [wallAt('99', '8')])))).toEqual([
      'A102 7',
      'B99 8',
      'A101 1',
    ]);
  });

  it('stay in their lines when they are gone, until they return', () => {
    const gone = heldWalls([line('A', '102'), line('B', '99')], lens([], [wallAt('99')]));
    expect(said(gone)).toEqual(['A102 gone', 'B99 1']);
    expect(said(heldWalls(gone, lens([wallAt('102', '4')])))).toEqual(['A102 4', 'B99 gone']);
  });

  it('are not gone because others are nearer to the mid', () => {
    const nearer = ['101', '102', '103', '104'].map((px) => wallAt(px));
    expect(said(heldWalls([line('A', '104')], lens(nearer)))).toEqual(['A104 1', 'A101 1', 'A102 1', 'A103 1']);
  });

  it('are at most twelve: with more, they are listed anew', () => {
    const before = Array.from({ length: 12 }, (_, at) => line('A', String(200 + at)));
    expect(heldWalls(before, lens([wallAt('200')]))).toHaveLength(12);
    expect(said(heldWalls(before, lens([wallAt('101'), wallAt('200')])))).toEqual(['A101 1', 'A200 1']);
  });
});

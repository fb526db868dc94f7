import { expect, it } from 'vitest';
import type { OwnersData } from '../../../book-worker/panes/owners.ts';
import { ownersOf } from './owners-grid.tsx';

it('the requotes of a wallet are those of its side', () => {
  const side = { top1: '0.5', owners: [{ sz: '5' }, { sz: '3' }] };
  const requotes = { bids: ['1.5', '0.0'], asks: ['9.5', '8.0'] };
  const response = { lens: { bids: side, asks: side }, requotes } as unknown as OwnersData;
  const rates = (of: 'A' | 'B') => ownersOf(of, response).map((row) => row.requotes);
  expect(rates('B')).toEqual(['1.5', '0.0']);
  expect(rates('A')).toEqual(['9.5', '8.0']);
  expect(ownersOf('A', { ...response, requotes: null }).map((row) => row.requotes)).toEqual([null, null]);
});

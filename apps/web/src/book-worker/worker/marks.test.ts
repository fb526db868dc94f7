import type { Address } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { Marks } from './marks.ts';

const A: Address = `0x${'a'.repeat(40)}`;
const B: Address = `0x${'b'.repeat(40)}`;

it('a list of the same wallets with the same marks is no other version', () => {
  const marks = new Marks();
  const version = (...wallets: Parameters<Marks['watch']>[0]) => {
    marks.watch(wallets);
    return [marks.version, marks.watched(A), marks.watched(B)];
  };
  expect(version()).toEqual([0, 0, 0]);
  expect(version({ address: A, mark: 1 })).toEqual([1, 1, 0]);
  expect(version({ address: A, mark: 1 })).toEqual([1, 1, 0]);
  expect(version({ address: A, mark: 2 })).toEqual([2, 2, 0]);
  expect(version({ address: B, mark: 2 })).toEqual([3, 0, 2]);
  expect(version()).toEqual([4, 0, 0]);
});

import { expect, it } from 'vitest';
import { masterOf, roleFactOf } from './roles.ts';

const MASTER = `0x${'ab'.repeat(20)}` as const;
const SUB = `0x${'cd'.repeat(20)}` as const;

it('a sub-account is rolled up under the master that its role names, in lower case; any other wallet stands for itself', () => {
  const sub = roleFactOf({ role: 'subAccount', data: { master: MASTER.toUpperCase().replace('0X', '0x') } });
  expect(sub).toEqual({ kind: 'sub-account', of: MASTER });
  expect(masterOf(new Map([[SUB, sub]]), SUB)).toBe(MASTER);
  const nameless = roleFactOf({ role: 'subAccount' });
  expect(masterOf(new Map([[SUB, nameless]]), SUB)).toBe(SUB);
  // The balances of an agent are those of nobody.
  expect(masterOf(new Map([[SUB, roleFactOf({ role: 'agent', data: { user: MASTER } })]]), SUB)).toBe(SUB);
  expect(masterOf(new Map(), SUB)).toBe(SUB);
});

import type { Address } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { worthOf, worthSum } from '../../wallets/value/worth.ts';
import { plainWallet } from '../../wallets/wallet.ts';
import { worthColumns } from './value-rows.tsx';

const A: Address = `0x${'aa'.repeat(20)}`;

it('a wallet whose perps are unknown has no place in the order of their figures', () => {
  const entry = {
    wallet: plainWallet(A),
    state: { kind: 'ok', text: 'as of the last refresh' },
    reading: undefined,
    isCounted: true,
    changes: new Map(),
  } as const;
  const worth = worthOf(entry, { prices: new Map(), accounts: new Map([['', new Map()]]), abstractions: new Map() });
  const columns = worthColumns({ worths: [worth], sum: worthSum([worth]) }, new Map());
  const names = ['spot', 'equity', 'pnl', 'margin', 'positions'];
  const keys = columns.filter(({ id }) => names.includes(id)).map(({ sortBy }) => sortBy?.(worth) ?? typeof sortBy);
  expect(keys).toEqual(names.map(() => 'function'));
});

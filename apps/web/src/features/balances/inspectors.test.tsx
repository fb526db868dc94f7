import type { WalletResult } from '@l4desk/client';
import type { Address, DecimalString, SpotBalanceSlot } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { render } from '../../test-support/render.ts';
import { sansNumbers } from '../../test-support/sans-numbers.ts';
import { applyRound, EMPTY_BALANCES } from '../../wallets/balances/balance-store.ts';
import { entriesOf, tokensOf } from '../../wallets/balances/sums.ts';
import { plainWallet } from '../../wallets/wallet.ts';
import { AddendsInspector } from './addends-inspector.tsx';
import { ChangesInspector } from './changes-inspector.tsx';

const NOW = Date.UTC(2026, 4, 5);
const WALLETS = Array.from({ length: 230 }, (_, at): Address => `0x${String(at).padStart(40, '0')}`);

/** The first wallet is not loaded; the second does not report the field. */
const round = (available: DecimalString): readonly WalletResult<SpotBalanceSlot>[] =>
  WALLETS.slice(1).map((user, at) => ({
    kind: 'state',
    user,
    state: {
      user,
      balances: [{ coin: 'HYPE', token: 150, total: '9.0', hold: '0.0', entryNtl: '0.0' }],
      tokenToAvailableAfterMaintenance: at === 0 ? [] : [[150, available]],
    },
  }));

const first = applyRound(EMPTY_BALANCES, round('1.5'), NOW - 60_000);
const balances = applyRound(first, round('2.5'), NOW);
const entries = entriesOf(WALLETS.map(plainWallet), balances, NOW);

it('sets the counts of a sum and its addends in the number font', async () => {
  const token = must(tokensOf(entries)[0], 'token');
  const { container } = await render(
    <AddendsInspector entries={entries} token={token} field="available" onField={() => {}} />,
  );
  for (const text of [
    'Sum of 229 of 230 wallets, 1 without this field',
    'Not included: 1 wallet that',
    '228 addends, largest first',
    '1 wallet with HYPE does not report this field.',
    '28 more lines in the copied text.',
  ])
    expect(container.textContent).toContain(text);
  expect(sansNumbers(container)).toEqual([]);
});

it('sets the counts of changes in the number font', async () => {
  const { changes } = balances.journal;
  const { container } = await render(<ChangesInspector journal={{ changes, dropped: 12 }} wallets={[]} />);
  expect(container.textContent).toContain(
    '228 changes kept in this browser, newest first; 12 older changes dropped (limit 1000).',
  );
  expect(container.textContent).toContain('28 more changes not shown.');
  expect(sansNumbers(container)).toEqual([]);
});

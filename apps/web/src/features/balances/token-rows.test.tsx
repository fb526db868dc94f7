import type { WalletResult } from '@l4desk/client';
import type { Address, SpotBalanceSlot } from '@l4desk/protocol';
import { expect, it } from 'vitest';
import { must } from '../../test-support/must.ts';
import { only, render } from '../../test-support/render.ts';
import { copiedText, type TableColumn } from '../../ui/table/table-column.ts';
import { Heading } from '../../ui/table/table-edges.tsx';
import { applyRound, EMPTY_BALANCES } from '../../wallets/balances/balance-store.ts';
import { entriesOf, tokensOf } from '../../wallets/balances/sums.ts';
import { plainWallet } from '../../wallets/wallet.ts';
import { listColumns, listRows } from './list-rows.tsx';
import { tokenColumns, tokenRows } from './token-rows.tsx';
import { walletColumns, walletRows } from './wallet-rows.tsx';

const A: Address = '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5';
const B: Address = '0x31ca8395cf837de08b24da3f660e77761dfb974b';

/** Both wallets, with this label for the first one. */
function entriesWith(label: string) {
  const results = [A, B].map((user): WalletResult<SpotBalanceSlot> => {
    const balance = { coin: 'HYPE', token: 150, total: '1234567.50', hold: '0.0', entryNtl: '0.0' } as const;
    return { kind: 'state', user, state: { user, balances: [balance] } };
  });
  const balances = applyRound(EMPTY_BALANCES, results, 0);
  return entriesOf([{ ...plainWallet(A), label }, plainWallet(B)], balances, 0);
}

/** The columns of both wallets. */
function columnsOf(label: string) {
  const entries = entriesWith(label);
  const columns = tokenColumns(entries, tokenRows(entries, tokensOf(entries)), 'total');
  return new Map(columns.map((column) => [column.id, column]));
}

it('the names of wallets in the heading are blurred by the privacy preference, others are not', async () => {
  const columns = columnsOf('secret');
  const shown = [...columns.values()].map((column, at) => ({ column, at }));
  const { container } = await render(
    <table>
      <Heading
        id="grid"
        columns={shown}
        first={1}
        isPinned={false}
        isShort={false}
        isTree={false}
        minWidth={undefined}
        onToggleAll={undefined}
        areAllOpen={false}
        sort={undefined}
        onSort={undefined}
        active={undefined}
      />
    </table>,
  );
  const blurred = [...container.querySelectorAll('.private')].map(({ textContent }) => textContent);
  expect(blurred).toEqual(['secret', '0x31ca…974b']);
  expect(only(container, '[role=row]').textContent).toContain('Σ Total');
});

it('names and exact amounts are copied without being rendered, in each view', () => {
  const entries = entriesWith('maker');
  const tokens = tokensOf(entries);
  const pivot = { entries, tokens, field: 'total', onlyFailed: false, roles: new Map() } as const;
  const wallets = walletRows(entries, undefined);
  const copied = <Row,>(columns: readonly TableColumn<Row>[], rows: readonly Row[], ...ids: readonly string[]) =>
    rows.map((row) =>
      ids.map((id) =>
        copiedText(
          must(
            columns.find((column) => column.id === id),
            id,
          ),
          row,
        ),
      ),
    );
  expect(
    copied(
      walletColumns(pivot, () => {}),
      wallets,
      'wallet',
      't150',
    ),
  ).toEqual([
    ['maker', '1234567.50'],
    [B, '1234567.50'],
  ]);
  const list = listRows(entries, tokens, undefined);
  expect(copied(listColumns(list, false), list, 'wallet', 'token', 'total', 'address')).toEqual([
    ['maker', 'HYPE', '1234567.50', A],
    [B, 'HYPE', '1234567.50', B],
  ]);
  const rows = tokenRows(entries, tokens);
  expect(copied(tokenColumns(entries, rows, 'total'), rows, 'token', 'total', A)).toEqual([
    ['HYPE', '2469135', '1234567.50'],
  ]);
});

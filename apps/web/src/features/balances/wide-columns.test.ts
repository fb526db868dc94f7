import { describe, expect, it } from 'vitest';
import { CHOSEN, type TableColumn } from '../../ui/table/table-column.ts';
import { FIELDS, type Field } from '../../wallets/balances/fields.ts';
import { walletColumns, withFurther } from './wallet-rows.tsx';

const column = (id: string, width: number, more: Partial<TableColumn<string>> = {}): TableColumn<string> => ({
  id,
  title: id,
  width,
  cell: (row) => row,
  ...more,
});
const placed = (columns: readonly TableColumn<string>[]) => columns.map(({ id, shownFrom }) => [id, shownFrom]);

describe('columns for a wide window', () => {
  const own = [column('wallet', 160), column('group', 100, { shownFrom: 1920 }), column('total', 600)];

  it('are added set by set, each as a whole, at the first width where it fits', () => {
    const sets = [
      [column('hold a', 500), column('hold b', 500)],
      [column('free a', 200), column('free b', 300)],
    ];
    expect(placed(withFurther(own, sets)).slice(3)).toEqual([
      ['hold a', 1920],
      ['hold b', 1920],
      ['free a', 2400],
      ['free b', 2400],
    ]);
  });

  it('are left out from the first set on that fits no window', () => {
    const sets = [[column('hold a', 1_517)], [column('free a', 10)]];
    expect(withFurther(own, sets)).toEqual(own);
    expect(placed(withFurther(own, [[column('hold a', 1_516)]])).at(-1)).toEqual(['hold a', 2400]);
  });

  it('ignore columns that are shown only by the user', () => {
    expect(
      placed(withFurther([...own, column('tags', 5_000, { shownFrom: CHOSEN })], [[column('hold a', 10)]])),
    ).toContainEqual(['hold a', 1920]);
  });

  it('are the other fields of every token in the grid of wallets, field by field', () => {
    const tokens = [
      { token: 0, key: 't0:USDC', id: 't0', name: 'USDC' },
      { token: 150, key: 't150:HYPE', id: 't150', name: 'HYPE' },
    ];
    const further = (field: Field) =>
      walletColumns({ entries: [], tokens, field, onlyFailed: false, roles: new Map() }, () => {})
        .filter(({ id, shownFrom }) => id.includes('.') && shownFrom !== undefined)
        .map(({ id }) => id);
    const of = (field: Field) => tokens.map(({ token }) => `t${token}.${field}`);
    expect(further('total')).toEqual(FIELDS.filter((field) => field !== 'total').flatMap(of));
    expect(further('hold')).toEqual(FIELDS.filter((field) => field !== 'hold').flatMap(of));
  });
});

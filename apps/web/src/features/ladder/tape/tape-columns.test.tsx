import { expect, it } from 'vitest';
import type { ListedRow } from '../../../book-worker/panes/past.ts';
import { render } from '../../../test-support/render.ts';
import { copiedText, type TableColumn } from '../../../ui/table/table-column.ts';
import { useTapeColumns } from './tape-columns.tsx';
import type { TapeResult } from './tape-rows.ts';

it('what a cell has no room for is copied whole, and the block that a narrow tape leaves out is named by the change', async () => {
  const row = {
    height: 1_226_238_178,
    kind: 'canceled',
    inferred: false,
    reason: 'scheduledCancel',
    refill: 0,
    side: 'B',
    px: '1234.5',
    sz: '2',
    user: '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5',
  } as unknown as ListedRow;
  let columns: readonly TableColumn<ListedRow>[] = [];
  function Probe() {
    columns = useTapeColumns({ rows: [row], sizeDecimals: 5, generation: 1 } as unknown as TapeResult);
    return null;
  }
  await render(<Probe />);
  expect(columns.map((column) => copiedText(column, row))).toEqual([
    '1226238178',
    '− canceled scheduled',
    'B 1234.5',
    '2.00000',
    '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5',
  ]);
  const what = columns.find(({ id }) => id === 'what');
  expect(what?.hintOf?.(row)).toBe('block 1,226,238,178: status "scheduledCancel"');
});

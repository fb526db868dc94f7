import { expect, it } from 'vitest';
import type { ListedRow, TapeRow } from '../../../book-worker/panes/past.ts';
import { only, render } from '../../../test-support/render.ts';
import { copiedText } from '../../../ui/table/table-column.ts';
import { columnsOf } from './tape-columns.tsx';

const SCROLL_BAR = 15;
const ROW = { height: 1_226_238_178 } as TapeRow;

it.each([
  ['a wide panel has every column whole', 480, { block: 103, px: 88, sz: 74 }, [103, 92, 88, 74, 100], '1,226,238,178'],
  ['a narrow one has no room for the wallet', 400, { block: 103, px: 88, sz: 74 }, [103, 92, 88, 74], '1,226,238,178'],
  ['a phone shows the last digits of a block', 360, { block: 103, px: 89, sz: 96 }, [70, 90, 89, 96], '…238,178'],
  ['with long numbers, what happened is cut', 360, { block: 103, px: 103, sz: 110 }, [70, 62, 103, 110], '…238,178'],
])('%s, and nothing scrolls sideways', async (_, width, numbers, widths, block) => {
  const columns = columnsOf({
    sizeDecimals: 5,
    priceDecimals: 1,
    zone: 'utc',
    width,
    ...numbers,
  });
  expect(columns.map((column) => column.width)).toEqual(widths);
  expect(widths.reduce((sum, column) => sum + column, SCROLL_BAR)).toBeLessThanOrEqual(width);
  const { container } = await render(columns[0]?.cell?.(ROW));
  expect(only(container, 'span').textContent).toBe(block);
});

it('what a cell has no room for is copied whole', () => {
  const row: ListedRow = {
    ...ROW,
    kind: 'canceled',
    inferred: false,
    reason: 'scheduledCancel',
    refill: 0,
    side: 'B',
    px: '1234.5',
    sz: '2',
    user: '0x5eaac7c475b1fad85701f02c4e9e796a53f94bd5',
  };
  const columns = columnsOf({
    sizeDecimals: 5,
    priceDecimals: 1,
    zone: 'utc',
    width: 360,
    block: 103,
    px: 103,
    sz: 110,
  });
  expect(columns.map((column) => copiedText(column, row))).toEqual([
    '1226238178',
    '− canceled scheduled',
    'B 1234.5',
    '2.00000',
  ]);
});

import { expect, it } from 'vitest';
import type { LevelResponse } from '../../../book-worker/panes/level.ts';
import { must } from '../../../test-support/must.ts';
import { render } from '../../../test-support/render.ts';
import { QueueRows } from './queue-rows.tsx';

const ROW = 24;

/** Rows `from` to `to` of a queue of so many orders. */
const listed = (length: number, from: number, to: number): LevelResponse =>
  ({
    length,
    count: length,
    sz: '1',
    notional: '1',
    listed: null,
    owners: [],
    orders: Array.from({ length: to - from }, (_, at) => ({
      index: from + at,
      place: from + at,
      oid: from + at + 1,
      user: `0x${'a'.repeat(40)}`,
      sz: '1',
      szAhead: '0',
      cumSz: '1',
      notional: '1',
      px: '100',
      timestamp: 0,
      tif: 'Gtc',
      orderType: 'Limit',
      reduceOnly: false,
      cloid: null,
    })),
  }) as unknown as LevelResponse;

/** The heights of the spacers above and below the rows, in rows. */
async function spacers(response: LevelResponse) {
  const { container } = await render(
    <QueueRows
      response={response}
      clock={undefined}
      sizeDecimals={0}
      scroller={{ current: null }}
      rowHeight={ROW}
      onScroll={() => {}}
      chosen={undefined}
      onChoose={() => {}}
      order={{ sort: 'place', descending: false }}
      isByOwner={false}
      onSort={() => {}}
      onOwner={() => {}}
    />,
  );
  const rows = [...must(container.querySelector('tbody'), 'rows').children];
  const heightOf = (row: Element | undefined) =>
    row?.getAttribute('aria-hidden') === 'true'
      ? Number.parseFloat((row.firstElementChild as HTMLElement).style.height) / ROW
      : 0;
  return [heightOf(rows[0]), heightOf(rows.at(-1))];
}

it('rows outside the view have room, in tens while the end is not among the requested rows', async () => {
  expect(await spacers(listed(45, 0, 20))).toEqual([0, 30]);
  expect(await spacers(listed(41, 10, 20))).toEqual([10, 30]);
  expect(await spacers(listed(45, 25, 45))).toEqual([25, 0]);
});
